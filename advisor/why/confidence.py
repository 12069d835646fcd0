"""How confident is a cause, given the signs that were seen?

Each sign removes part of the doubt (its strength), each sign against it part of the belief:
confidence = (1 − Π (1 − strength of each sign)) × Π (1 − strength of each sign against). A further sign that agrees
never lowers it. Three things keep it below one half, whatever the strengths: nothing but settings and totals since the
server started (they do not show what limits the rate now), a single sign that other causes show as well, and
signs that all rest on the same fact. The maximum is 0.97: nothing is certain.

The strengths are set by hand, so this orders causes and tells answers from candidates, but is no share of answers that
are right. What is told of an answer is in advisor/why/rules/calibration.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import prod
from typing import Final

from advisor.model.record import record

MOST: Final = 0.97
UNDECIDED: Final = 0.45  # below one half: a candidate, not an answer
_ORDER: Final = 0.08  # candidates keep their order; even with all signs they stay below one half (0.494)


class EvidenceKind(StrEnum):
    """Which kind of evidence a sign rests on."""

    MEASURED = "measured"  # a change between two readings, or a state at one moment
    OBSERVED = "observed"  # reported by the user
    SETTINGS = "settings"
    SINCE_START = "since_start"  # a single reading of a counter that only grows


@record
class Weight:
    """What confidence needs of a sign that was seen. `roots` are the names it rests on."""

    strength: float
    separates: bool
    kind: EvidenceKind
    roots: frozenset[str]


def confidence(seen: Sequence[Weight], against: Sequence[float]) -> tuple[float, str]:
    """The confidence (0 to 1), and in words what keeps it below one half ("" when nothing does)."""
    if not seen:
        return 0.0, ""
    value = (1 - prod(1 - sign.strength for sign in seen)) * prod(1 - strength for strength in against)
    limited = _limit(seen)
    if limited and value > UNDECIDED:
        return UNDECIDED + _ORDER * (value - UNDECIDED), limited
    return min(value, MOST), ""


def _limit(seen: Sequence[Weight]) -> str:
    live = [sign for sign in seen if sign.kind in (EvidenceKind.MEASURED, EvidenceKind.OBSERVED)]
    if not live:
        since_start = any(sign.kind is EvidenceKind.SINCE_START for sign in seen)
        return "totals since the server started" if since_start else "settings alone do not show what limits the rate"
    if any(sign.separates for sign in live):
        return ""
    if len(seen) == 1:
        return "a single sign, which other causes show as well"
    if all(sign.roots == seen[0].roots for sign in seen[1:]):
        return "all signs rest on the same fact"
    return ""
