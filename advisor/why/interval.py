"""Which part of the readings covers the load? Cuts samples and tables to the time when the writer was busy.

Collections often begin before the load or end after it; a mean over both explains neither. At the edges, samples at
which the writer had less than a quarter of its maximum of running threads are left out; at least two samples stay. The
other members are cut to the same time. Where a member was read for part of the time only (it was restarted, or lost),
all are cut to that part, because members are compared with each other at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.evidence import Cluster, Member, Sample, TableSnapshot
from advisor.model.record import replace
from advisor.model.server import WRITING_ROLES
from advisor.why.members import MembersByRole

_BUSY_FROM: Final = 0.25
_CLOSE_SECONDS: Final = 2.0
_READ_TOGETHER_SECONDS: Final = 1.0  # members are read one after the other
_LEAST_SECONDS: Final = 5.0
_COMMITS: Final = ("wsrep_replicated", "Binlog_commits", "Binlog_cache_use", "Questions")


def under_load(cluster: Cluster) -> Cluster:
    """The cluster with what was read while its writer was busy and every member was being read."""
    return _while_all_were_read(_while_busy(cluster))


def window(member: Member) -> tuple[float, float] | None:
    """The first and the last moment of a member's counters; None without two of them."""
    return (member.samples[0].at_seconds, member.samples[-1].at_seconds) if len(member.samples) > 1 else None


def interval_of(members: MembersByRole) -> float | None:
    """Seconds between the first and the last sample of the writer (or the only member)."""
    view = members.writer or members.views[0]
    samples = view.member.samples
    seconds = samples[-1].at_seconds - samples[0].at_seconds if len(samples) > 1 else 0.0
    return seconds or None


def _while_all_were_read(cluster: Cluster) -> Cluster:
    """Cut to the time when all members were read, where that is long enough to be useful.

    Times that count from each member's own first reading, and clocks that differ by more than the interval, cannot be
    compared.
    """
    windows = [own for member in cluster.members if (own := window(member)) is not None]
    begin = max((first for first, _ in windows), default=0.0)
    end = min((last for _, last in windows), default=0.0)
    longest = max((last - first for first, last in windows), default=0.0)
    if end - begin < _LEAST_SECONDS or longest - (end - begin) < _READ_TOGETHER_SECONDS * 2 or begin == 0:
        return cluster
    return replace(cluster, members=tuple(_cut(member, begin, end) for member in cluster.members))


def _while_busy(cluster: Cluster) -> Cluster:
    sampled = [member for member in cluster.members if len(member.samples) > 2]
    if not sampled:
        return cluster
    busiest = max(sampled, key=lambda member: (member.role in WRITING_ROLES, _committed(member)))
    begin, end = _busy(busiest.samples)
    if (begin, end) == (busiest.samples[0].at_seconds, busiest.samples[-1].at_seconds):
        return cluster
    return replace(cluster, members=tuple(_cut(member, begin, end) for member in cluster.members))


def _committed(member: Member) -> float:
    """What a member committed between its first and last sample, by the first of these counters it has."""
    first, last = member.samples[0].values, member.samples[-1].values
    for name in _COMMITS:
        before, after = first.get(name), last.get(name)
        if isinstance(before, int | float) and isinstance(after, int | float):
            return after - before
    return 0.0


def _busy(samples: tuple[Sample, ...]) -> tuple[float, float]:
    """The first and the last moment of the load.

    Of readings that follow each other closely a single one may find few threads by chance: it stays.
    """
    running = [value if isinstance(value := s.values.get("Threads_running"), int) else None for s in samples]
    known = [value for value in running if value is not None]
    if len(known) < len(samples):
        return samples[0].at_seconds, samples[-1].at_seconds
    least = max(known) * _BUSY_FROM
    step_seconds = (samples[-1].at_seconds - samples[0].at_seconds) / (len(samples) - 1)
    by_chance = 1 if step_seconds <= _CLOSE_SECONDS else 0
    first = _leading(known, least, by_chance)
    last = len(samples) - 1 - _leading(known[::-1], least, by_chance)
    if last - first < 1:
        first, last = 0, max(1, last)
    return samples[first].at_seconds, samples[last].at_seconds


def _leading(running: Sequence[int], least: float, by_chance: int) -> int:
    """How many readings at the beginning are before the load; at least two readings are of it."""
    idle = next((number for number, threads in enumerate(running) if threads >= least), 0)
    return min(idle, len(running) - 2) if idle > by_chance else 0


def _cut(member: Member, begin: float, end: float) -> Member:
    within = tuple(s for s in member.samples if _inside(s.at_seconds, begin, end))
    tables = [t for t in member.tables if _inside(t.at_seconds, begin, end)]
    kept = {table.table for table in tables}
    return replace(
        member,
        samples=within if len(within) > 1 else member.samples,
        tables=tuple(tables) + _untimed(member.tables, kept),
    )


def _untimed(tables: tuple[TableSnapshot, ...], kept: set[str]) -> tuple[TableSnapshot, ...]:
    """Tables that were never read in that time: an earlier or later reading is better than none."""
    return tuple(table for table in tables if table.table not in kept)


def _inside(at_seconds: float, begin: float, end: float) -> bool:
    return begin - _READ_TOGETHER_SECONDS <= at_seconds <= end + _READ_TOGETHER_SECONDS
