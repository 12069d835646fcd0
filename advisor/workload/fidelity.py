"""How much does our load resemble theirs? Compares figures of the two, and makes one figure of all.

The agreement of a figure is the smaller side divided by the larger. That of an aspect is the mean of its figures', and
the score is the geometric mean over the aspects that both sides know.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from advisor.annotations import Final
from advisor.model.workload.fidelity import FIGURES, RATE, ComparedFigure, Fidelity

_LEAST: Final = 0.01  # agreement of an aspect, so that one without any does not make the score 0


def fidelity(theirs: Mapping[str, float], ours: Mapping[str, float], rate_offered: bool) -> Fidelity:
    """Compare by every figure that one of the two has.

    `rate_offered`: our load was to commit so many transactions a second. Without that the rate shows how fast the
    server is, not what the load is, and does not count.
    """
    compared = [
        _compared(name, theirs.get(name), ours.get(name), name != RATE or rate_offered)
        for name in FIGURES
        if name in theirs or name in ours
    ]
    by_aspect: dict[str, list[float]] = {}
    for figure in compared:
        if figure.counts and figure.agreement is not None:
            by_aspect.setdefault(FIGURES[figure.name].aspect, []).append(figure.agreement)
    means = [max(sum(each) / len(each), _LEAST) for each in by_aspect.values()]
    score = math.exp(sum(map(math.log, means)) / len(means)) if means else None
    return Fidelity(tuple(compared), score)


def _compared(name: str, theirs: float | None, ours: float | None, counts: bool) -> ComparedFigure:
    if theirs is None or ours is None:
        return ComparedFigure(name, theirs, ours, None, False)
    slack = FIGURES[name].slack
    smaller, larger = sorted((theirs + slack, ours + slack))
    return ComparedFigure(name, theirs, ours, smaller / larger if larger else 1.0, counts)
