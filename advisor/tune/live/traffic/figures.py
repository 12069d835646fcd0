"""What do readings come to over a stretch of time? Rates and shares from counters, nothing where they are unknown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from advisor.model.record import field, record, replace
from advisor.tune.live.traffic.commit_times import age_percentile, histogram_percentile

_BUCKET_WIDTH = 1.05  # of MySQL's histograms: upper by lower bound
ENOUGH_KNOWN = 0.8  # of the seconds, for figures that are made of seconds
SLOW_SHARE = 0.05  # the slowest commits, which the 95th percentile leaves out


@record
class Reading:
    """A cluster at one moment, `at_seconds` by our monotonic clock. Counters rise; None is unknown.

    `transactions`, `syncs`, `failures` (rolled back, or a connection lost) and `cpu_seconds` are sums over the members
    that write. `commits` are statements that ended a transaction, `commit_seconds` their time in all; how they spread
    is in `buckets` (upper bound in ms → how many so far), or in `ages_ms`: those of commits in progress, seen in
    `looks` looks since the reading before. `lag_ms` and `backlog` are the worst member's, `memory_share` that of the
    fullest machine. `missing` says what could not be read, by the name of the limit or figure, and why.
    """

    at_seconds: float
    transactions: float | None = None
    commits: float | None = None
    commit_seconds: float | None = None
    buckets: Mapping[float, float] | None = None
    ages_ms: tuple[float, ...] = ()
    looks: int = 0
    lag_ms: float | None = None
    backlog: float | None = None
    failures: float | None = None
    syncs: float | None = None
    cpu_seconds: float | None = None
    memory_share: float | None = None
    missing: Mapping[str, str] = field(default_factory=dict)


@record
class Figures:
    """A stretch of time: `rate` in transactions per second, means, and the 95th percentile of commit latency.

    `typical_commit_ms` is the geometric mean of the seconds' means: a stall of one second does not hide the others.
    `headroom` is the lowest ceiling by the rate, where it was computed.
    """

    seconds: float
    rate: float | None = None
    commits: float = 0.0
    commit_ms: float | None = None
    typical_commit_ms: float | None = None
    commit_p95_ms: float | None = None
    lag_ms: float | None = None
    backlog: float | None = None
    failed_share: float | None = None
    syncs_per_transaction: float | None = None
    cpu_ms_per_transaction: float | None = None
    memory_share: float | None = None
    headroom: float | None = None


def figures_of(readings: Sequence[Reading]) -> Figures:
    """What happened from the first reading to the last; nothing is known of fewer than two."""
    if len(readings) < 2:
        return Figures(0.0)
    first, last = readings[0], readings[-1]
    seconds = last.at_seconds - first.at_seconds
    transactions = _rise(first.transactions, last.transactions)
    commits = _rise(first.commits, last.commits) or 0.0
    commit_seconds = _rise(first.commit_seconds, last.commit_seconds)
    failures = _rise(first.failures, last.failures)
    return Figures(
        seconds=seconds,
        rate=None if transactions is None or seconds <= 0 else transactions / seconds,
        commits=commits,
        commit_ms=_per(commit_seconds, commits, 1000.0),
        commit_p95_ms=_percentile(readings, commits, seconds),
        lag_ms=_mean([reading.lag_ms for reading in readings[1:]]),
        backlog=_mean([reading.backlog for reading in readings[1:]]),
        failed_share=None if failures is None or transactions is None else failures / max(1.0, failures + transactions),
        syncs_per_transaction=_per(_rise(first.syncs, last.syncs), transactions),
        cpu_ms_per_transaction=_per(_rise(first.cpu_seconds, last.cpu_seconds), transactions, 1000.0),
        memory_share=max((share for reading in readings if (share := reading.memory_share) is not None), default=None),
    )


def by_second(readings: Sequence[Reading]) -> list[Figures]:
    """The figures of every second, for series with a value per second; a second without readings has none."""
    seconds: list[list[Reading]] = []
    for before, reading in pairwise(readings):
        index = int(before.at_seconds - readings[0].at_seconds)
        while len(seconds) <= index:
            seconds.append([])
        seconds[index] += [reading] if seconds[index] else [before, reading]
    return [figures_of(part) for part in seconds]


def slow_commits(readings: Sequence[Reading], above_ms: float) -> tuple[int, int]:
    """How many commits took longer than a time, as far as that is certain, and how many there were in all.

    By the histogram those of the buckets above; by ages as many as were ever seen so old at once.
    """
    first, last = readings[0], readings[-1]
    commits = round(_rise(first.commits, last.commits) or 0.0)
    if first.buckets is not None and last.buckets is not None:
        above = [bound for bound in last.buckets if bound > _BUCKET_WIDTH * above_ms]
        return round(sum(last.buckets[bound] - first.buckets.get(bound, 0.0) for bound in above)), commits
    seen = [
        math.ceil(sum(age > above_ms for age in reading.ages_ms) / reading.looks)
        for reading in readings[1:]
        if reading.looks
    ]
    return max(seen, default=0), commits + max(seen, default=0)


def with_typical_latency(figures: Figures, readings: Sequence[Reading]) -> Figures:
    """The figures of some readings, with the typical latency of their seconds.

    Where many seconds have no commit, or none was seen in progress, the mean of all: those left would not be typical.
    """
    means = [second.commit_ms for second in by_second(readings)]
    logs = [math.log(mean) for mean in means if mean]
    if len(logs) < ENOUGH_KNOWN * len(means) or not logs:
        return replace(figures, typical_commit_ms=figures.commit_ms or None)
    return replace(figures, typical_commit_ms=math.exp(sum(logs) / len(logs)))


def _percentile(readings: Sequence[Reading], commits: float, seconds: float) -> float | None:
    first, last = readings[0], readings[-1]
    if commits <= 0:
        return None
    if first.buckets is not None and last.buckets is not None:
        rises = {bound: count - first.buckets.get(bound, 0.0) for bound, count in last.buckets.items()}
        return histogram_percentile(rises, 1 - SLOW_SHARE)
    looks = sum(reading.looks for reading in readings[1:])
    if not looks:
        return None
    ages = [age for reading in readings[1:] for age in reading.ages_ms]
    return age_percentile(ages, looks, commits / seconds / 1000, SLOW_SHARE)


def _rise(first: float | None, last: float | None) -> float | None:
    """How much a counter grew; None when it is unknown at an end, or fell (a restart)."""
    return None if first is None or last is None or last < first else last - first


def _per(amount: float | None, count: float | None, factor: float = 1.0) -> float | None:
    return None if amount is None or not count else factor * amount / count


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
