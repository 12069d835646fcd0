"""What would latency be at the same rate? It rises with the rate, by a slope that is seen while nothing is changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

RATE_BIN_SECONDS: Final = 5
_FEWEST_BINS: Final = 8
_SIGNIFICANT_T: Final = 2.0
_MOST_STEEP: Final = 2.0  # latency rises at most with the square of the rate; a steeper slope is a few bursts


def at_equal_rate(log_ratio: float, slope: float, former_rate: float, changed_rate: float) -> float:
    """The log ratio of two latencies without the part that follows from their different rates (each above 0)."""
    return log_ratio - slope * math.log(changed_rate / former_rate)


def rate_slope(latencies: Sequence[float | None], rates: Sequence[float | None]) -> float:
    """By which power of the rate does latency rise, while nothing is changed? One value per second of each.

    From differences between neighbouring bins, so that a trend of the day is no evidence. 0 where it is not
    significant, and where it falls: with a fixed number of clients who wait for their answers, a high latency *makes*
    the rate low, and correcting for the rate would then correct the effect away.
    """
    bins = list(zip(_binned(latencies), _binned(rates), strict=True))
    steps = [
        (math.log(later[0] / earlier[0]), math.log(later[1] / earlier[1]))
        for earlier, later in pairwise(bins)
        if earlier[0] and later[0] and earlier[1] and later[1]
    ]
    power = sum(rate * rate for _, rate in steps)
    if len(steps) < _FEWEST_BINS or not power:
        return 0.0
    slope = sum(latency * rate for latency, rate in steps) / power
    rest = sum((latency - slope * rate) ** 2 for latency, rate in steps)
    error = math.sqrt(rest / (len(steps) - 1) / power)
    return min(slope, _MOST_STEEP) if slope > _SIGNIFICANT_T * error else 0.0


def _binned(values: Sequence[float | None]) -> list[float | None]:
    means: list[float | None] = []
    for start in range(0, len(values) - RATE_BIN_SECONDS + 1, RATE_BIN_SECONDS):
        known = [value for value in values[start : start + RATE_BIN_SECONDS] if value]
        means.append(sum(known) / len(known) if len(known) == RATE_BIN_SECONDS else None)
    return means
