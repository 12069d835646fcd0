"""What do you tell the customer, in a few sentences without jargon?"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model.diagnosis import SURE, Diagnosis, RankedCause
from advisor.units import show
from advisor.why.next_observation import LIKELY


def customer_reply(diagnosis: Diagnosis) -> tuple[str, ...]:
    """At most five sentences: the rate, what limits it, what to change, what to expect, what would confirm it."""
    return tuple(_sentences(diagnosis))[:5]


def _sentences(diagnosis: Diagnosis) -> Iterator[str]:
    yield _rate(diagnosis)
    first = diagnosis.causes[0] if diagnosis.causes else None
    if first is None:
        yield "Nothing in the data we received points to a particular limit."
    elif first.confidence < SURE:
        likely = [
            candidate.cause.title.partition(";")[0]
            for candidate in diagnosis.causes[:2]
            if candidate.confidence >= LIKELY
        ]
        names = f"; most likely: {' or '.join(f'“{title}”' for title in likely)}" if likely else ""
        yield f"The data we received does not show what limits your database{names}."
    elif first.cause.answer != "limit":
        strongest = max((sign for sign in first.signs if sign.speaks_for), key=lambda sign: sign.strength)
        yield f"{strongest.says[:1].upper()}{strongest.says[1:]}."
        yield first.cause.plainly
    else:
        yield first.cause.plainly
        second = next((candidate for candidate in diagnosis.causes[1:] if candidate.confidence >= SURE), None)
        if second is not None:
            yield second.cause.plainly
        yield from _advice(first, f" on {first.member}" if len(diagnosis.members) > 1 else "")
    if diagnosis.next is not None:
        yield f"What would settle it: {diagnosis.next.need}."


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
        expected = f" We expect {low} to {high} transactions per second after that; please measure."
    if first.changes:
        sets = ", ".join(f"{change.name} = {change.value}" for change in first.changes)
        yield f"We advise setting {sets}{place}.{expected}"
    elif first.advice.do:
        yield f"{first.advice.do.partition('. ')[0].rstrip('.')}.{expected}"
