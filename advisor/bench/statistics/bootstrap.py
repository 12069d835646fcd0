"""How precise is a mean or a slope of seconds that are correlated with their neighbours?

The seconds of a run are not independent: a second after a slow one is probably slow as well. Blocks of neighbouring
seconds are resampled instead of single seconds (block bootstrap); their length follows Carlstein's rule for the
observed correlation of neighbours, up to a fifth of the series. With so few blocks plain bootstrap intervals are too
narrow; they are widened as Student's t is wider than the normal distribution. tests/bench/statistics/test_bootstrap.py
measures how often the interval covers the true value.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import Final

from advisor.model.measurement import Interval

RESAMPLES: Final = 600
_NORMAL_975: Final = 1.959964
NOTHING: Final = Interval(None, None, None)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share (0 to 1) of the values lies, interpolated between two neighbours."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    between = ordered[below] + (at - below) * (ordered[above] - ordered[below])
    return min(max(between, ordered[below]), ordered[above])  # rounding


def mean_interval(values: Sequence[float], seed: int = 1) -> Interval:
    """The mean with its 95 % interval; no interval below 5 values, nothing at all without any."""
    if not values:
        return NOTHING
    mean = sum(values) / len(values)
    if len(values) < 5:
        return Interval(None, mean, None)
    rest = [value - mean for value in values]
    means = [sum(drawn) / len(drawn) for drawn in _resamples(rest, random.Random(seed))]
    low, high = _widened(means, len(values) / block_length(rest))
    return Interval(mean + low, mean, mean + high)


def slope_interval(at: Sequence[float], values: Sequence[float], seed: int = 1) -> Interval:
    """The least-squares slope of values over time with its 95 % interval; no interval below 5 values."""
    count = len(values)
    if count < 2 or at[-1] <= at[0]:
        return NOTHING
    middle, mean = sum(at) / count, sum(values) / count
    spread = sum((when - middle) ** 2 for when in at)
    weights = [(when - middle) / spread for when in at]
    slope = sum(weight * value for weight, value in zip(weights, values, strict=True))
    if count < 5:
        return Interval(None, slope, None)
    rest = [value - mean - slope * (when - middle) for when, value in zip(at, values, strict=True)]
    slopes = [
        sum(weight * value for weight, value in zip(weights, drawn, strict=True))
        for drawn in _resamples(rest, random.Random(seed))
    ]
    low, high = _widened(slopes, count / block_length(rest))
    wider = sqrt(count / (count - 2))  # two parameters were fitted
    return Interval(slope + low * wider, slope, slope + high * wider)


def block_length(rest: Sequence[float]) -> int:
    """How many neighbours to keep together: Carlstein's rule for an AR(1) series, from n^(1/3) to a fifth of n."""
    count = len(rest)
    power = sum(value * value for value in rest)
    shared = sum(earlier * later for earlier, later in pairwise(rest))
    correlation = min(max(shared / power if power else 0.0, 0.0), 0.95)
    third = float(count ** (1 / 3))
    wanted = float((sqrt(6) * correlation / (1 - correlation**2)) ** (2 / 3)) * third
    return max(1, min(ceil(max(wanted, third)), count // 5))


def student_975(freedom: float) -> float:
    """The 97.5 % quantile of Student's t: from the tables for 1 and 2 degrees of freedom, else within 1 %.

    From 3 degrees of freedom on it is the expansion of Cornish and Fisher.
    """
    if freedom < 3:
        return 12.706 if freedom < 2 else 4.303
    z = _NORMAL_975
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _resamples(rest: Sequence[float], chance: random.Random) -> list[list[float]]:
    """Series of the same length composed of random blocks; the end is followed by the beginning."""
    count, length = len(rest), block_length(rest)
    round_trip = [*rest, *rest[:length]]
    series = []
    for _ in range(RESAMPLES):
        drawn: list[float] = []
        while len(drawn) < count:
            start = int(chance.random() * count)
            drawn += round_trip[start : start + length]
        series.append(drawn[:count])
    return series


def _widened(deviations: Sequence[float], blocks: float) -> tuple[float, float]:
    centre = sum(deviations) / len(deviations)
    factor = student_975(max(blocks - 1, 3)) / _NORMAL_975 * sqrt(blocks / (blocks - 1))
    low, high = percentile(deviations, 0.025) - centre, percentile(deviations, 0.975) - centre
    return low * factor, high * factor
