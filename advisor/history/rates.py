"""How fast did counters grow between readings? None across a reset or a gap, which is unknown and not zero."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from advisor.model.monitoring.history import Series
from advisor.model.record import record

_GAP_STEPS: Final = 3.5  # three scrapes that failed one after the other
_LEAST_GAP_SECONDS: Final = 3.0


@record
class Growth:
    """What counters grew by in each interval between two readings; None where it is not known."""

    begins: Sequence[float]
    ends: Sequence[float]
    grown: Sequence[float | None]


def gap_seconds(at_seconds: Sequence[float]) -> float:
    """The shortest time between readings that is a gap: some scrapes failed."""
    steps = [later - earlier for earlier, later in itertools.pairwise(at_seconds)]
    return max(_LEAST_GAP_SECONDS, _GAP_STEPS * median(steps)) if steps else _LEAST_GAP_SECONDS


def total(series: Sequence[Series]) -> tuple[list[float], list[float]]:
    """The sum of several series at every moment that all of them have; scrapes of one target share their moments."""
    if len(series) == 1:
        return list(series[0].at_seconds), list(series[0].values)
    by_time: list[Mapping[float, float]] = [
        dict(zip((round(at, 2) for at in one.at_seconds), one.values, strict=True)) for one in series
    ]
    shared = sorted(set(by_time[0]).intersection(*by_time[1:]))
    return shared, [sum(values[at] for values in by_time) for at in shared]


def growth(series: Sequence[Series]) -> Growth:
    """Of the sum of several counters, from each reading to the next."""
    at_seconds, values = total(series)
    gap = gap_seconds(at_seconds)
    grown: list[float | None] = []
    for place in range(1, len(values)):
        difference = values[place] - values[place - 1]
        across = at_seconds[place] - at_seconds[place - 1] >= gap
        grown.append(None if across or difference < 0 else difference)
    return Growth(at_seconds[:-1], at_seconds[1:], grown)
