"""Has a run reached a steady state? Throughput no longer changes, and neither does the growth of any backlog.

A change is the largest cumulative deviation from the mean of the last seconds (CUSUM), compared with what noise of the
same size would produce: beyond 1.358, the 95 % quantile of the maximum of a Brownian bridge's absolute value
(Kolmogorov), something changed. Noise is estimated between neighbouring blocks of seconds, which a step or a trend
hardly inflates; but a collapse does, so the first and the last third are compared as well: means that differ by more
than half the larger one are a change whatever the noise. Changes below `SMALL` of the throughput are ignored. A backlog
that grows evenly is steady: that is what happens with flow control off.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

from advisor.model.measurement import Second
from advisor.model.record import record

CRITICAL: Final = 1.358
SMALL: Final = 0.05
LARGE: Final = 0.5
LEAST_SECONDS: Final = 8  # fewer are inconclusive
_BLOCKS: Final = 6  # at least; blocks of 2 seconds or more


@record
class Change:
    """The most likely point of change: its index in the series, and the means before it and from it on."""

    index: int
    before: float
    after: float


def change_in(values: Sequence[float], small: float) -> Change | None:
    """The change in a series; None when it does not exceed the noise, or is at most `small`."""
    count = len(values)
    if count < LEAST_SECONDS:
        return None
    mean = sum(values) / count
    summed, greatest, index = 0.0, 0.0, 0
    for place, value in enumerate(values[:-1], 1):
        summed += value - mean
        if abs(summed) > greatest:
            greatest, index = abs(summed), place
    if greatest <= CRITICAL * _long_run_deviation(values) * sqrt(count) and not _far_apart(values, small):
        return None
    before, after = sum(values[:index]) / index, sum(values[index:]) / (count - index)
    return Change(index, before, after) if abs(after - before) > small else None


def unsteady_because(seconds: Sequence[Second]) -> str:
    """What still changes over these seconds, in words; "" when nothing does. Too few seconds are not steady yet."""
    if len(seconds) < LEAST_SECONDS:
        return f"{len(seconds)} seconds are too few to tell"
    rates = [committed(second) for second in seconds]
    mean = sum(rates) / len(rates)
    if mean <= 0:
        return "no transaction was committed"
    if change := change_in(rates, SMALL * mean):
        return f"throughput went from {change.before:.0f} to {change.after:.0f} tx/s"
    for name in member_names(seconds):
        if change := change_in(growth_of(name, seconds), SMALL * mean):
            return f"the backlog of {name} changed by {change.before:+.0f} tx/s, then by {change.after:+.0f} tx/s"
    return ""


def growth_of(name: str, seconds: Sequence[Second]) -> list[float]:
    """How fast a member's backlog grew, in transactions per second, between moments at which it was known."""
    known = [(at, backlog) for at, backlog in backlogs(name, seconds) if backlog is not None]
    pairs = pairwise(known)
    return [(later - earlier) / (end - begin) for (begin, earlier), (end, later) in pairs if end > begin]


def backlogs(name: str, seconds: Sequence[Second]) -> list[tuple[float, int | None]]:
    """A member's backlog at each moment."""
    return [
        (second.at_seconds, member.backlog) for second in seconds for member in second.members if member.member == name
    ]


def member_names(seconds: Sequence[Second]) -> list[str]:
    """Every member that was observed, in order."""
    return list(dict.fromkeys(member.member for second in seconds for member in second.members))


def committed(second: Second) -> float:
    """Transactions committed per second by all members; the load generators' figure where no member knows."""
    known = [member.committed_per_second for member in second.members if member.committed_per_second is not None]
    return sum(known) if known else sum(load.transactions_per_second for load in second.load)


def _far_apart(values: Sequence[float], small: float) -> bool:
    third = len(values) // 3
    first, last = sum(values[:third]) / third, sum(values[-third:]) / third
    return abs(last - first) > max(LARGE * max(abs(first), abs(last)), 4 * small)


def _long_run_deviation(values: Sequence[float]) -> float:
    """Standard deviation per second of the noise, from differences between the means of neighbouring blocks."""
    length = max(2, len(values) // _BLOCKS)
    means = [sum(values[at : at + length]) / length for at in range(0, len(values) - length + 1, length)]
    squares = [(later - earlier) ** 2 / 2 for earlier, later in pairwise(means)]
    return sqrt(length * sum(squares) / len(squares))
