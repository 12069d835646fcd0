"""How strictly does the lag limit hold, from a trial's early end to the soak test? Every place that judges lag.

A trial's lag is the 95th percentile of its worst applying member. While it runs, 3 times the limit ends it: whatever it
comes to then, it violates the limit. The search aims at 0.85 of the limit, so that the winner keeps it on other days
too. Validation has several blocks: none may exceed the limit, and the 95 % interval of their mean must stay below it.
The soak test is one run, judged by the limit itself: it is long enough to need no margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from advisor.report.words.amounts import duration

ABORT_FACTOR: Final = 3.0
SEARCH_MARGIN: Final = 0.85
_LEAST_MS: Final = 1e-3  # a lag of nothing has no logarithm


def abort_lag_ms(limit_ms: float) -> float:
    """The lag that ends a trial early."""
    return ABORT_FACTOR * limit_ms


def log_excess(lag_ms: float, limit_ms: float) -> float:
    """How far a trial is beyond what the search aims at, in log units; at most 0 is good."""
    return math.log(max(lag_ms, _LEAST_MS) / (SEARCH_MARGIN * limit_ms))


def violation_in_blocks(
    lags_ms: Sequence[float], limit_ms: float, interval: Callable[[Sequence[float]], tuple[float, float]]
) -> str:
    """What the lags of a finalist's blocks violate, "" for nothing or where none is known. `interval` of their mean."""
    if not lags_ms:
        return ""
    if max(lags_ms) > limit_ms:
        return "its lag exceeded the limit in at least one block"
    return "its lag is not significantly below the limit" if interval(lags_ms)[1] > limit_ms else ""


def violation_in_soak(lag_ms: float | None, limit_ms: float) -> str:
    """The same of a soak test."""
    if lag_ms is None or lag_ms <= limit_ms:
        return ""
    return f"its lag was {duration(lag_ms)}, above the limit of {duration(limit_ms)}"
