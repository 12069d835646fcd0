"""How long did transactions take? Percentiles from sysbench's own latency histogram.

sysbench 1.0 counts each transaction in one of 1024 bins whose middles grow by 1.8 % from 0.001 ms to 100 s, so a
percentile or mean is accurate to 0.9 %. Bins of several intervals can be added, percentiles cannot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import exp, log
from typing import Final

_BINS: Final = 1024
_LOWEST_MS: Final = 0.001
_HIGHEST_MS: Final = 100_000.0
_PERCENTILES: Final = {"p50": 0.50, "p95": 0.95, "p99": 0.99}

Bins = Mapping[int, int]


def parse_bins(text: str) -> Bins | None:
    """The bins of a report line, "bin:count,…"; None when sysbench's histogram could not be read."""
    if text == "unknown":
        return None
    return {int(number): int(count) for number, _, count in (item.partition(":") for item in text.split(",") if item)}


def middle_ms(number: int) -> float:
    """The latency of a bin; its bounds are 0.9 % below and above."""
    return exp(log(_LOWEST_MS) + number * (log(_HIGHEST_MS) - log(_LOWEST_MS)) / (_BINS - 1))


def latency_ms(counts: Counter[int]) -> dict[str, float]:
    """The "mean", "p50", "p95", "p99" and "max" in milliseconds; {} when nothing was counted."""
    total = counts.total()
    if not total:
        return {}
    bins = sorted(number for number, count in counts.items() if count)
    latencies = {"mean": sum(middle_ms(number) * counts[number] for number in bins) / total}
    for name, share in _PERCENTILES.items():
        seen = 0
        for number in bins:
            seen += counts[number]
            if seen >= share * total:
                latencies[name] = middle_ms(number)
                break
    latencies["max"] = middle_ms(bins[-1])
    return latencies
