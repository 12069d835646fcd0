"""Which rows does a load change: all alike, or some again and again? Half of the transactions are tested on the others.

Rows that were changed often by chance in one half are not changed more often than others in the second half. So rows
are ordered by one half, and their shares are taken from the other. Only hashes of keys are kept.
"""

from __future__ import annotations

import math

from advisor.annotations import Final
from advisor.model.workload.made_load import Points

_MOST_KEYS: Final = 1 << 18
_RANKS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
_SKEWED: Final = 1.3  # times the share of equally probable rows, from which the choice is skewed
_CLEARLY: Final = 4.0  # standard deviations
_LEAST_CHANGES: Final = 200  # of a half, to judge it


class RowChoice:
    """Counts changes of existing rows of one group of tables, by key."""

    def __init__(self) -> None:
        self._counts: dict[int, list[int]] = {}
        self._kept_of = 1  # only keys whose hash this divides are kept
        self._half = 0

    def add(self, keys: tuple[int, ...]) -> None:
        """The keys that one transaction changes."""
        self._half = 1 - self._half
        for key in keys:
            if key % self._kept_of == 0:
                self._counts.setdefault(key, [0, 0])[self._half] += 1
        if len(self._counts) > _MOST_KEYS:
            self._kept_of *= 2
            self._counts = {key: pair for key, pair in self._counts.items() if key % self._kept_of == 0}

    @property
    def rows(self) -> int:
        """How many rows there are at least: those seen, and an estimate of those not seen (Chao 1984)."""
        totals = [sum(pair) for pair in self._counts.values()]
        once, twice = totals.count(1), totals.count(2)
        unseen = once * (once - 1) / (2 * (twice + 1))
        return round((len(totals) + min(unseen, 100 * len(totals))) * self._kept_of)

    def points(self, rows: int) -> Points | None:
        """Shares of the changes by rank of the row, from the one changed most; None where all are alike.

        `rows` is how many there are.
        """
        # Rows with equal counts come in the order of their hashes: in that of time, early ones would have more changes.
        ordered = [pair for _, pair in sorted(self._counts.items(), key=lambda item: (-item[1][0], item[0]))]
        tested = sum(pair[1] for pair in ordered)
        if tested < _LEAST_CHANGES or rows < 2:
            return None
        shares: list[tuple[int, float]] = []
        seen, place = 0, 0
        known = sum(pair[0] > 0 for pair in ordered)
        for rank in (*(rank for rank in _RANKS if rank < min(known, rows)), min(known, rows)):
            seen += sum(pair[1] for pair in ordered[place:rank])
            place = rank
            shares.append((min(rank * self._kept_of, rows), seen / tested))
        if not any(_is_skewed(share, rank / rows, tested) for rank, share in shares):
            return None
        return (*_rising(shares, rows), (rows, 1.0))


def _is_skewed(share: float, expected: float, tested: int) -> bool:
    """Whether rows have clearly more changes than as many rows would have by chance."""
    by_chance = expected * tested
    return share > _SKEWED * expected and share * tested > by_chance + _CLEARLY * math.sqrt(by_chance + 1)


def _rising(shares: list[tuple[int, float]], rows: int) -> list[tuple[int, float]]:
    """Without parts whose rows are changed less often than later ones, and without the last row."""
    kept: list[tuple[int, float]] = []
    for rank, share in shares:
        if rank < rows and share < 1.0 and (not kept or rank > kept[-1][0]):
            kept.append((rank, round(share, 6)))
    return kept
