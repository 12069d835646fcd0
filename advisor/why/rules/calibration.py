"""How much confidence is told of an answer? Reads rules/confidence.yaml, fitted to answers whose truth is known."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from typing import Final

from advisor.data import folder, read_yaml
from advisor.errors import RuleError
from advisor.model.diagnosis import SURE, RankedCause
from advisor.model.record import record, replace
from advisor.yaml_shapes import mapping, require

MOST_TOLD: Final = 0.96
_FILE: Final = "confidence.yaml"


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
