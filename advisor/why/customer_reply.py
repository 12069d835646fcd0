"""What do you tell the customer, in a few sentences without jargon?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.model.diagnosis import SURE, Diagnosis, Differential, RankedCause, ThreadProfile, Threads, WaitGroup
from advisor.units import show
from advisor.why.next_observation import LIKELY

_MUCH: Final = 0.1  # of the writers' time; a smaller share limits nobody
_MOST: Final = 0.3  # so much of it unexplained that an answer alone would promise too much
_NO_WAITS: Final = (WaitGroup.CLIENT, WaitGroup.CPU, WaitGroup.UNEXPLAINED)


def customer_reply(diagnosis: Diagnosis) -> tuple[str, ...]:
    """At most five sentences: the rate, what limits it, what to change, what to expect, what would confirm it."""
    return tuple(_sentences(diagnosis))[:5]


def _sentences(diagnosis: Diagnosis) -> Iterator[str]:
    yield _rate(diagnosis)
    first = diagnosis.causes[0] if diagnosis.causes else None
    if first is None or first.confidence < SURE:
        yield _unknown(diagnosis)
        yield from _likely(diagnosis.differential)
    elif first.cause.answer != "limit":
        strongest = max((sign for sign in first.signs if sign.speaks_for), key=lambda sign: sign.strength)
        yield f"{strongest.says[:1].upper()}{strongest.says[1:]}."
        yield first.cause.plainly
    else:
        yield first.cause.plainly
        second = next((each for each in diagnosis.causes[1:] if _is_limit(each)), None)
        if second is not None:
            yield second.cause.plainly
        elif (rest := _unexplained(diagnosis)) >= _MOST:
            yield f"{_percent(rest)} of the writers' time remains unexplained."
        yield from _advice(first, f" on {first.member}" if len(diagnosis.members) > 1 else "")
    if diagnosis.next is not None:
        sure = first is not None and first.confidence >= SURE
        yield f"What would {'confirm this' if sure else 'show the cause'}: {diagnosis.next.need}."


def _is_limit(cause: RankedCause) -> bool:
    return cause.confidence >= SURE and cause.cause.answer == "limit"


def _writers(diagnosis: Diagnosis) -> ThreadProfile | None:
    """The profile of those who write; the writer's own comes first."""
    return next((each for each in diagnosis.profile if each.group is Threads.WRITERS), None)


def _unexplained(diagnosis: Diagnosis) -> float:
    writers = _writers(diagnosis)
    return writers.unexplained if writers else 0.0


def _unknown(diagnosis: Diagnosis) -> str:
    """Where the writers' time goes although no cause is known."""
    writers = _writers(diagnosis)
    if writers is None:
        return "Unknown: the data we received does not show what limits your database."
    waits = [share for share in writers.shares if share.about not in _NO_WAITS]
    largest = max(waits, key=lambda share: share.share, default=None)
    if writers.unexplained >= max(_MUCH, largest.share if largest else 0.0):
        return f"Unknown: nothing we received explains {_percent(writers.unexplained)} of the writers' time."
    if largest is not None and largest.share >= _MUCH:
        spent = f"is spent in “{largest.title[:1].lower()}{largest.title[1:]}”"
        return f"Unknown: {_percent(largest.share)} of the writers' time {spent}; the data does not show why."
    outside = sum(share.share for share in writers.shares if share.about is WaitGroup.CLIENT)
    busy = sum(share.share for share in writers.shares if share.about is WaitGroup.CPU)
    if outside >= busy:
        return (
            f"Unknown: {_percent(outside)} of the writers' time passes between statements; the data does not show why."
        )
    return (
        f"Unknown: {_percent(busy)} of the writers' time is CPU work or a wait for a CPU; the data does not show why."
    )


def _likely(differential: Differential | None) -> Iterator[str]:
    """The first hypotheses; whether they are likely, or only where to look first."""
    first = [each.ranked for each in differential.hypotheses[:2]] if differential else []
    likely = [cause for cause in first if cause.confidence >= LIKELY]
    titles = [cause.cause.title.partition(";")[0] for cause in likely or first]
    if titles:
        so_far = "Most likely, but not shown by the data" if likely else "To check first"
        yield f"{so_far}: {' or '.join(f'“{title}”' for title in titles)}."


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _rate(diagnosis: Diagnosis) -> str:
    rate, seconds = diagnosis.throughput_per_second, diagnosis.interval_seconds
    if rate is None:
        return "The data we received does not show how many transactions per second your database commits."
    over = f", measured over {show(round(seconds))} seconds" if seconds else ""
    return f"Your database commits {show(round(rate, 1))} transactions per second{over}."


def _advice(first: RankedCause, place: str) -> Iterator[str]:
    if first.cause.answer != "limit" or first.advice is None:
        return
    predicted = first.predicted
    expected = ""
    if predicted is not None:
        low, high = show(round(predicted.low)), show(round(predicted.high))
        rates = f"{low} to {high}" if low != high else f"about {low}"
        expected = f" We expect {rates} transactions per second after that; please measure."
    if first.changes:
        sets = ", ".join(f"{change.name} = {change.value}" for change in first.changes)
        yield f"We advise setting {sets}{place}.{expected}"
    elif first.advice.do:
        yield f"{first.advice.do.partition('. ')[0].rstrip('.')}.{expected}"
