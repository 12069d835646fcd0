"""What limits the evidence? Readings that cannot be compared, and instrumentation that was off.

A diagnosis shows these sentences as notes; none of them is a cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from advisor.model.evidence import Cluster, Member
from advisor.model.server import APPLYING_ROLES
from advisor.units import show
from advisor.why.interval import window


def evidence_gaps(cluster: Cluster) -> tuple[str, ...]:
    """A sentence for each; nothing about members of which only settings are known."""
    gaps = (*_read_once(cluster.members), *_read_apart(cluster.members), *_uncounted(cluster.members))
    return (*gaps, *_not_instrumented(cluster), *_of_several_releases(cluster.members))


def _read_once(members: Sequence[Member]) -> Iterator[str]:
    once = [member.name for member in members if len(member.samples) == 1]
    if once:
        yield (
            f"{', '.join(once)}: read only once. Rates per second are not known, and totals since the start of the"
            " server, or since a reset of the counters, are not conclusive"
        )


def _read_apart(members: Sequence[Member]) -> Iterator[str]:
    """Members whose intervals do not overlap."""
    windows = [(member, own) for member in members if (own := window(member)) is not None]
    windows.sort(key=lambda pair: pair[1])
    for (earlier, (_, end)), (later, (begin, _)) in pairwise(windows):
        if begin > end:
            yield (
                f"{later.name}: read {show(round(begin - end))} seconds after {earlier.name}, according to timestamps."
                " If only the clocks of the two differ, this does not matter, because each rate comes from one member."
                f" If {later.name} was really read later, comparisons between the two mix different times"
            )


def _uncounted(members: Sequence[Member]) -> Iterator[str]:
    """Members whose clients may write and whose server does not count transactions.

    Com_commit misses autocommit, and Handler_commit counts reads.
    """
    for member in members:
        logged = _variable(member, "log_bin") != "OFF" or _variable(member, "wsrep_on") == "ON"
        counted = logged or member.role in APPLYING_ROLES
        if len(member.samples) > 1 and not counted and "throughput_per_second" not in member.observed:
            yield (
                f"{member.name}: log_bin is OFF. Without a binary log no counter shows committed transactions, so"
                " their rate is not known; give it with --observe throughput_per_second=… as you measured it"
            )


def _not_instrumented(cluster: Cluster) -> Iterator[str]:
    """Members without performance_schema, unless the collector reported it already."""
    off = [member.name for member in cluster.members if _variable(member, "performance_schema") in ("OFF", "0")]
    if off and not any("performance_schema is OFF" in problem for problem in cluster.problems):
        yield (
            f"{', '.join(off)}: performance_schema is OFF, so what threads wait for and most replication tables are not"
            " known; to enable it, set performance_schema = ON in the option file and restart"
        )


def _of_several_releases(members: Sequence[Member]) -> Iterator[str]:
    stated = {member.name: member.server for member in members if member.server}
    if len(set(stated.values())) > 1:
        each = ", ".join(f"{name} {server}" for name, server in stated.items())
        yield f"members run different releases; each is judged by its own: {each}"


def _variable(member: Member, name: str) -> str:
    fact = member.variables.get(name)
    return str(fact.value).upper() if fact is not None else ""
