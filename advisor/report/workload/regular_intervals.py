"""In which intervals is a load shown? As many as fit, of one round length, also those without any transaction."""

from __future__ import annotations

import math

from advisor.annotations import Final
from advisor.model.workload.shape import Interval, Workload

_ROUND: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)


def regular_intervals(load: Workload, most: int) -> tuple[int, list[Interval]]:
    """The length in seconds, and at most so many intervals in the order of time."""
    begin, end = load.intervals[0].begin_seconds, load.intervals[-1].begin_seconds + load.interval_seconds
    fitting = [
        length for length in _ROUND if length % load.interval_seconds == 0 and (end - begin) / length <= most - 1
    ]
    shortest = math.ceil((end - begin) / (most - 1) / load.interval_seconds) * load.interval_seconds
    length = fitting[0] if fitting else shortest
    first = begin // length * length
    counts = {at: [0, 0, 0] for at in range(first, end, length)}
    for interval in load.intervals:
        found = counts[first + (interval.begin_seconds - first) // length * length]
        found[0] += interval.transactions
        found[1] += interval.rows
        found[2] += interval.size_bytes
    return length, [Interval(at, *found) for at, found in counts.items()]
