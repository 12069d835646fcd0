"""How are numbers spread, so that a load can draw them again? Counts become parts with rising shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from advisor.annotations import Final
from advisor.model.workload.made_load import Points

_EXACT: Final = 24  # different numbers that are all kept
_SHARES: Final = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.95, 0.97, 0.985, 0.99, 0.995, 0.999, 1.0)
_BITS: Final = 7


class Histogram:
    """Counts whole numbers from 0 on; large ones to seven significant bits."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def add(self, value: int, times: int = 1) -> None:
        """One more value."""
        shift = value.bit_length() - _BITS
        self.counts[value if shift <= 0 else value >> shift << shift] += times

    @property
    def total(self) -> int:
        """How many values there were."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """Their mean; 0 of nothing."""
        return sum(value * times for value, times in self.counts.items()) / self.total if self.counts else 0.0

    @property
    def only(self) -> int | None:
        """The number that nearly all values are, None where they differ."""
        if not self.counts:
            return None
        value, times = self.counts.most_common(1)[0]
        return value if times >= 0.9995 * self.total else None

    def points(self) -> Points:
        """The spread: exact where few numbers differ, by quantiles otherwise."""
        return points_of(self.counts)


def points_of(counts: Mapping[int, float]) -> Points:
    """The spread of counted numbers. Between two quantiles, all numbers are taken to be equally probable."""
    total = sum(counts.values())
    ordered = sorted(counts)
    if len(ordered) <= _EXACT:
        return _whole(_exact(counts, ordered, total))
    points: list[tuple[int, float]] = [(ordered[0] - 1, 0.0)] if ordered[0] > 0 else []
    seen, shares = 0.0, list(_SHARES)
    for value in ordered:
        seen += counts[value]
        reached = [share for share in shares if seen / total >= share - 1e-12]
        if reached:
            points.append((value, seen / total))
            shares = shares[len(reached) :]
    return _whole(points)


def _exact(counts: Mapping[int, float], ordered: list[int], total: float) -> list[tuple[int, float]]:
    """Each number, with one part of share 0 in front of it where numbers in between do not occur."""
    points: list[tuple[int, float]] = []
    seen, last = 0.0, 0
    for value in ordered:
        if value > last + 1:
            points.append((value - 1, seen / total))
        seen += counts[value]
        points.append((value, seen / total))
        last = value
    return points


def _whole(points: list[tuple[int, float]]) -> Points:
    rounded = [(value, round(share, 6)) for value, share in points]
    return (*rounded[:-1], (rounded[-1][0], 1.0))
