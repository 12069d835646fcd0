"""How large are the values of a long stream? Median and 99th percentile in memory that does not grow with it."""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.workload.shape import Spread

_EXACT_BITS: Final = 6  # whole numbers below 64 have a bin each; larger ones keep six significant bits: within 1.6 %


class SpreadTally:
    """Counts whole numbers from 0 on in bins. Bins of large numbers are wider, so there are some thousands at most."""

    def __init__(self) -> None:
        self._bins: dict[int, int] = {}
        self._total = 0
        self._most = 0

    def add(self, value: int) -> None:
        """One more value."""
        shift = value.bit_length() - _EXACT_BITS
        bin_of = value if shift <= 0 else value >> shift << shift
        self._bins[bin_of] = self._bins.get(bin_of, 0) + 1
        self._total += value
        if value > self._most:
            self._most = value

    def spread(self, scale: float = 1.0) -> Spread:
        """The spread of what was added, each value times `scale`."""
        count = sum(self._bins.values())
        if not count:
            return Spread(0, 0.0, 0.0, 0.0, 0.0)
        return Spread(
            count, self._quantile(0.5, count) * scale, self._quantile(0.99, count) * scale, self._most * scale,
            self._total * scale,
        )  # fmt: skip

    def share_at_most(self, value: int) -> float | None:
        """The share of values that are at most so large; None of nothing."""
        count = sum(self._bins.values())
        return sum(many for bin_of, many in self._bins.items() if bin_of <= value) / count if count else None

    def _quantile(self, share: float, count: int) -> float:
        """The value of the bin where this share of all values is reached, in the middle of the bin."""
        wanted = share * count
        seen = 0
        for bin_of, many in sorted(self._bins.items()):
            seen += many
            if seen >= wanted:
                shift = max(bin_of.bit_length() - _EXACT_BITS, 0)
                return min(bin_of + ((1 << shift) - 1) / 2, self._most)
        return self._most
