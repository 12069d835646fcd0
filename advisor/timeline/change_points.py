"""When does a noisy series of readings move to another level? Seeded binary segmentation, narrowest over threshold.

Intervals of many lengths are searched for the split that divides their means best; of those whose difference exceeds
the noise, the narrowest counts, because it holds one change and not several (Kovács, Bühlmann, Li, Munk: Seeded binary
segmentation, Biometrika 2023; Baranowski, Chen, Fryzlewicz: Narrowest-over-threshold, JRSS B 2019). The noise is the
long-run one, from means of blocks, so readings that depend on each other do not look like changes. Medians of three
neighbours are searched, so one odd reading is no change.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import median
from typing import Final

from advisor.model.record import record

_DECAY: Final = 1 / math.sqrt(2)
_LEAST_READINGS: Final = 5  # of a level
_THRESHOLD: Final = 1.6  # times sqrt(2 log n), the largest that noise alone reaches in n readings
_INTERVAL: Final = 7.35  # 95 % quantile of the likelihood ratio of a change point: Hansen, Econometrica 2000, table I
_FROM_MEDIAN: Final = 1.4826  # the standard deviation of normal noise, from the median deviation


@record
class ChangePoint:
    """The level changes before reading number `at`; the interval `first` to `last` has 95 %. Levels are medians."""

    at: int
    first: int
    last: int
    before: float
    after: float


@record
class Size:
    """How large a change has to be to matter: a factor between the levels, and a difference in their unit."""

    ratio: float
    step: float

    def matters(self, before: float, after: float) -> bool:
        """Whether levels that differ like this differ enough; below `step` no ratio means anything."""
        low, high = sorted((abs(before), abs(after)))
        return abs(after - before) >= self.step and high >= self.ratio * max(low, self.step / 10)


def change_points(values: Sequence[float], size: Size) -> list[ChangePoint]:
    """Where the level changes by more than the noise and by a size that matters, in order."""
    smooth = _smoothed(values)
    count = len(smooth)
    if count < 2 * _LEAST_READINGS:
        return []
    noise = max(_long_run_noise(smooth), size.step / 10)
    sums = [0.0]
    for value in smooth:
        sums.append(sums[-1] + value)
    threshold = _THRESHOLD * math.sqrt(2 * math.log(count)) * noise
    splits = _narrowest_over(threshold, _candidates(sums, count))
    return _settled(sums, values, splits, threshold, noise, size)


def _smoothed(values: Sequence[float]) -> list[float]:
    inner = [sorted(values[at - 1 : at + 2])[1] for at in range(1, len(values) - 1)]
    return [values[0], *inner, values[-1]] if len(values) > 2 else list(values)


def _long_run_noise(values: Sequence[float]) -> float:
    """The deviation that independent readings would need for means of blocks to differ as these do.

    Neighbouring blocks differ little unless a level changes between them, and the median leaves those out.
    """
    length = max(2, min(20, len(values) // 20))
    blocks = [sum(values[at : at + length]) / length for at in range(0, len(values) - length + 1, length)]
    steps = [abs(two - one) for one, two in itertools.pairwise(blocks)]
    singles = [abs(two - one) for one, two in itertools.pairwise(values)]
    by_blocks = _FROM_MEDIAN * median(steps) / math.sqrt(2) * math.sqrt(length)
    return max(by_blocks, _FROM_MEDIAN * median(singles) / math.sqrt(2))


def _gain(sums: Sequence[float], begin: int, split: int, end: int) -> float:
    """How much the means left and right of a split differ, in units of the noise of one reading."""
    left, right = split - begin, end - split
    difference = (sums[split] - sums[begin]) / left - (sums[end] - sums[split]) / right
    return math.sqrt(left * right / (left + right)) * abs(difference)


def _best(sums: Sequence[float], begin: int, end: int) -> tuple[float, int]:
    """The split that divides begin…end best, with a level on each side; (0, begin) where there is no room."""
    splits = range(begin + _LEAST_READINGS, end - _LEAST_READINGS + 1)
    return max(((_gain(sums, begin, split, end), split) for split in splits), default=(0.0, begin))


def _candidates(sums: Sequence[float], count: int) -> list[tuple[int, int, float, int]]:
    """(begin, end, gain, split) for intervals of falling length that overlap by half."""
    found = []
    length = float(count)
    while length >= 2 * _LEAST_READINGS:
        number = max(1, 2 * math.ceil(count / length) - 1)
        shift = (count - length) / (number - 1) if number > 1 else 0.0
        for each in range(number):
            begin = math.floor(each * shift)
            end = min(count, math.ceil(each * shift + length))
            found.append((begin, end, *_best(sums, begin, end)))
        length *= _DECAY
    return found


def _narrowest_over(threshold: float, candidates: Sequence[tuple[int, int, float, int]]) -> list[int]:
    splits: list[int] = []
    over = sorted((each for each in candidates if each[2] > threshold), key=lambda each: (each[1] - each[0], -each[2]))
    for begin, end, _, split in over:
        if not any(begin < known < end for known in splits):
            splits.append(split)
    return sorted(splits)


def _settled(
    sums: Sequence[float], values: Sequence[float], splits: list[int], threshold: float, noise: float, size: Size
) -> list[ChangePoint]:
    """Each split where it divides its neighbours best, without those that do not matter: the least goes first."""
    while splits:
        bounds = [0, *splits, len(values)]
        moved = [_best(sums, low, high) for low, high in zip(bounds, bounds[2:], strict=False)]
        splits = sorted({split if gain else old for (gain, split), old in zip(moved, splits, strict=True)})
        bounds = [0, *splits, len(values)]
        levels = [median(values[low:high]) for low, high in itertools.pairwise(bounds)]
        weak = [
            (_gain(sums, bounds[number], split, bounds[number + 2]), split)
            for number, split in enumerate(splits)
            if not size.matters(levels[number], levels[number + 1])
            or _gain(sums, bounds[number], split, bounds[number + 2]) <= threshold
        ]
        if not weak:
            return [
                _with_interval(sums, bounds[number : number + 3], levels[number : number + 2], noise)
                for number in range(len(splits))
            ]
        splits.remove(min(weak)[1])
    return []


def _with_interval(sums: Sequence[float], bounds: Sequence[int], levels: Sequence[float], noise: float) -> ChangePoint:
    """The splits that explain the readings almost as well as the best one."""
    begin, at, end = bounds
    most = (_gain(sums, begin, at, end) / noise) ** 2
    near = [
        split for split in range(begin + 1, end) if (_gain(sums, begin, split, end) / noise) ** 2 >= most - _INTERVAL
    ]
    return ChangePoint(at, min(near), max(near), levels[0], levels[1])
