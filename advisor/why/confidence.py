"""How confident is a cause, given the signs that were seen?

Each sign removes part of the doubt (its strength), each sign against it part of the belief:
confidence = (1 − Π (1 − strength of each sign)) × Π (1 − strength of each sign against). A further sign that agrees
never lowers it. Three things keep it below one half, whatever the strengths: nothing but settings and totals since the
server started (they do not show what limits the rate now), a single sign that other causes show as well, and
signs that all rest on the same fact. The maximum is 0.97: nothing is certain.

The strengths are set by hand, so this orders causes and tells answers from candidates, but is no share of answers that
are right. What is told of an answer is fitted to answers whose truth is known (rules/confidence.yaml).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from math import exp, log, prod
from typing import Final

from advisor.data import folder, read_yaml
from advisor.errors import RuleError
from advisor.model.diagnosis import SURE, RankedCause
from advisor.model.record import record, replace
from advisor.yaml_shapes import mapping, require

MOST: Final = 0.97
UNDECIDED: Final = 0.45  # below one half: a candidate, not an answer
_ORDER: Final = 0.08  # candidates keep their order; even with all signs they stay below one half (0.494)
MOST_TOLD: Final = 0.96
_FILE: Final = "confidence.yaml"


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


@record
class Calibration:
    """How the log-odds that an answer is right follow from what is known of it. Fitted; every number is a weight.

    `by_signs`: of the log-odds of the confidence by its signs. `first`: where nothing is told before it.
    """

    base: float
    by_signs: float
    first: float

    def told(self, by_signs: float, *, first: bool) -> float:
        """The confidence to tell of an answer: at least one half, and never certain."""
        odds = self.base + self.by_signs * log(by_signs / (1 - by_signs)) + self.first * first
        return min(MOST_TOLD, max(SURE, 1 / (1 + exp(-odds))))


@lru_cache(maxsize=1)
def load_calibration() -> Calibration:
    """The shipped calibration; RuleError when its file is wrong."""
    path = os.path.join(folder("rules"), _FILE)
    names = tuple(Calibration.__annotations__)
    weights = mapping(mapping(read_yaml(path), _FILE, path).get("weights"), "weights", path)
    require(weights, names, "weights", path)
    try:
        calibration = Calibration(*(float(weights[name]) for name in names))
    except (TypeError, ValueError) as error:
        raise RuleError(f"weights: {error}", file=path) from None
    if calibration.by_signs < 0 or calibration.first < 0:
        raise RuleError(
            "weights: by_signs and first must not be negative, so that a likelier answer gets more confidence",
            file=path,
        )
    return calibration


def calibrated(ranked: Sequence[RankedCause], by: Calibration) -> tuple[RankedCause, ...]:
    """The causes with the confidence to tell of each answer; none is told with more than an answer before it.

    Candidates, below one half, stay as they are.
    """
    causes, most = [], MOST_TOLD
    for place, each in enumerate(ranked):
        if each.confidence >= SURE:
            first = not any(before.confidence >= SURE for before in ranked[:place])
            most = min(most, by.told(each.confidence, first=first))
            each = replace(each, confidence=most)
        causes.append(each)
    return tuple(causes)
