"""How much was committed when? Intervals that become longer as the log does: at most two thousand of them."""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.workload.shape import Interval

_MOST_INTERVALS: Final = 2048
_LENGTHS: Final = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 43200, 86400, 604800, 2592000)


class RateTally:
    """Transactions, rows and bytes by time of commit."""

    def __init__(self) -> None:
        self._length = 0  # the position in _LENGTHS
        self._by_begin: dict[int, list[int]] = {}

    def add(self, at_seconds: float, rows: int, size_bytes: int) -> None:
        """One more transaction."""
        length = _LENGTHS[self._length]
        begin = int(at_seconds) // length * length
        found = self._by_begin.get(begin)
        if found is None:
            found = self._by_begin[begin] = [0, 0, 0]
            if len(self._by_begin) > _MOST_INTERVALS:
                self._lengthen()
                return self.add(at_seconds, rows, size_bytes)
        found[0] += 1
        found[1] += rows
        found[2] += size_bytes
        return None

    @property
    def interval_seconds(self) -> int:
        """How long an interval is."""
        return _LENGTHS[self._length]

    def intervals(self) -> tuple[Interval, ...]:
        """Those in which something was committed, in the order of time."""
        return tuple(Interval(begin, *counts) for begin, counts in sorted(self._by_begin.items()) if counts[0])

    def _lengthen(self) -> None:
        """Make intervals so long that there are half as many or fewer."""
        while len(self._by_begin) > _MOST_INTERVALS // 2 and self._length < len(_LENGTHS) - 1:
            self._length += 1
            self._by_begin = merged(self._by_begin, _LENGTHS[self._length])


def merged(by_begin: dict[int, list[int]], length: int) -> dict[int, list[int]]:
    """The same counts in intervals of that length."""
    longer: dict[int, list[int]] = {}
    for begin, counts in by_begin.items():
        found = longer.setdefault(begin // length * length, [0, 0, 0])
        for at, count in enumerate(counts):
            found[at] += count
    return longer
