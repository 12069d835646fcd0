"""What does one tell somebody who asked, in a few sentences without jargon?"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model.diagnosis import Diagnosis, Suspect
from advisor.units import show
from advisor.why.next_observation import LIKELY, SURE


def reply(diagnosis: Diagnosis) -> tuple[str, ...]:
    """Five sentences at most: what was seen, what holds it, what follows, what to change, what would confirm it."""
    return tuple(_sentences(diagnosis))[:5]


def _sentences(diagnosis: Diagnosis) -> Iterator[str]:
    yield _seen(diagnosis)
    first = diagnosis.suspects[0] if diagnosis.suspects else None
    if first is None:
        yield "Nothing in what we were given speaks for a particular limit."
    elif first.confidence < SURE:
        likely = [
            one.cause.title.partition(";")[0].lower() for one in diagnosis.suspects[:2] if one.confidence >= LIKELY
        ]
        names = f"; most likely is: {' or '.join(likely)}" if likely else ""
        yield f"What we were given does not decide what holds it{names}."
    elif first.cause.answer != "limit":
        seen = max((ground for ground in first.grounds if ground.speaks_for), key=lambda ground: ground.strength)
        yield f"{seen.says[:1].upper()}{seen.says[1:]}."
        yield first.cause.plainly
    else:
        yield first.cause.plainly
        second = next((one for one in diagnosis.suspects[1:] if one.confidence >= SURE), None)
        if second is not None:
            yield second.cause.plainly
        yield from _change(first)
    if diagnosis.next is not None:
        yield f"What would settle it is {diagnosis.next.need}."


def _seen(diagnosis: Diagnosis) -> str:
    rate, seconds = diagnosis.throughput_per_second, diagnosis.interval_seconds
    if rate is None:
        return "How many transactions per second are committed is not known from what we were given."
    over = f", measured over {show(round(seconds))} seconds" if seconds else ""
    return f"Your database commits {show(round(rate, 1))} transactions per second{over}."


def _change(suspect: Suspect) -> Iterator[str]:
    if suspect.cause.answer != "limit" or suspect.advice is None:
        return
    predicted = suspect.predicted
    hoped = ""
    if predicted is not None:
        low, high = show(round(predicted.low)), show(round(predicted.high))
        hoped = f" We expect {low} to {high} transactions per second after it; please measure."
    if suspect.changes:
        sets = ", ".join(f"{change.name} = {change.value}" for change in suspect.changes)
        yield f"We advise to set {sets} there.{hoped}"
    elif suspect.advice.do:
        yield f"{suspect.advice.do.partition('. ')[0].rstrip('.')}.{hoped}"
