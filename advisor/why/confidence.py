"""How sure may one be of a cause, given the signs that were seen?

Each sign takes away part of the doubt (its strength), each one against part of the belief:
confidence = (1 − Π (1 − strength of each sign)) × Π (1 − strength of each sign against). More signs that agree never
lower it. Three limits keep it below one half, whatever the strengths: nothing but settings and counters since the
server was started (they do not tell what binds now), one sign alone that other causes show as well, and
signs that all stem from the same fact. Nothing is ever certain: 0.97 is the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import prod
from typing import Final

from advisor.model.record import record

MOST: Final = 0.97
UNDECIDED: Final = 0.45  # below one half: a candidate, not an answer


class Kind(StrEnum):
    """What a sign rests on."""

    MEASURED = "measured"  # a change between two readings, or the state of something at one moment
    OBSERVED = "observed"  # what people report
    SETTINGS = "settings"
    SINCE_START = "since_start"  # one reading of a counter that only ever grows


@record
class Weight:
    """A sign that was seen, as far as confidence needs it. `roots` are the names it stems from."""

    strength: float
    separates: bool
    kind: Kind
    roots: frozenset[str]


def confidence(seen: Sequence[Weight], against: Sequence[float]) -> tuple[float, str]:
    """How sure (0 to 1), and in words what keeps it low ("" when nothing does)."""
    if not seen:
        return 0.0, ""
    value = (1 - prod(1 - sign.strength for sign in seen)) * prod(1 - strength for strength in against)
    limited = _limit(seen)
    return (min(value, UNDECIDED), limited) if limited and value > UNDECIDED else (min(value, MOST), "")


def _limit(seen: Sequence[Weight]) -> str:
    live = [sign for sign in seen if sign.kind in (Kind.MEASURED, Kind.OBSERVED)]
    if not live:
        since_start = any(sign.kind is Kind.SINCE_START for sign in seen)
        return "means since the server was started" if since_start else "settings alone do not tell what binds"
    if any(sign.separates for sign in live):
        return ""
    if len(seen) == 1:
        return "one sign alone, which other causes show as well"
    if all(one.roots == seen[0].roots for one in seen[1:]):
        return "all signs stem from the same fact"
    return ""
