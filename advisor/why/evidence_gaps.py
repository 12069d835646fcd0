"""What keeps the evidence from telling more? Readings that cannot be compared, and instruments that were off.

A diagnosis shows these sentences beside it; none of them is a cause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from advisor.model.evidence import Cluster, Member
from advisor.model.server import Role
from advisor.units import show
from advisor.why.interval import window

_APPLYING: Final = (Role.REPLICA, Role.SECONDARY)


def hindrances(cluster: Cluster) -> tuple[str, ...]:
    """A sentence for each; nothing about members of which only settings are known."""
    found = (*_read_once(cluster.members), *_read_apart(cluster.members), *_uncounted(cluster.members))
    return (*found, *_not_instrumented(cluster), *_of_several_releases(cluster.members))


def _read_once(members: Sequence[Member]) -> Iterator[str]:
    once = [member.name for member in members if len(member.samples) == 1]
    if once:
        yield (
            f"{', '.join(once)}: read once. What happens per second is not known; what the counters add up to since the"
            " server was started, or since they were reset, decides nothing"
        )


def _read_apart(members: Sequence[Member]) -> Iterator[str]:
    """Members whose intervals have nothing in common."""
    read = [(member, found) for member in members if (found := window(member)) is not None]
    read.sort(key=lambda pair: pair[1])
    for (earlier, (_, end)), (later, (begin, _)) in pairwise(read):
        if begin > end:
            yield (
                f"{later.name}: read {show(round(begin - end))} seconds after {earlier.name} by the times given. Clocks"
                " that disagree do not matter, as rates are each member's own; if it was later indeed, what is compared"
                " between them is not of the same time"
            )


def _uncounted(members: Sequence[Member]) -> Iterator[str]:
    """Members whose clients may write, and whose server counts no transactions.

    Com_commit misses autocommit, and Handler_commit counts reads.
    """
    for member in members:
        counted = (
            member.role in _APPLYING or _variable(member, "log_bin") != "OFF" or _variable(member, "wsrep_on") == "ON"
        )
        if len(member.samples) > 1 and not counted and "throughput_per_second" not in member.observed:
            yield (
                f"{member.name}: log_bin is OFF. Without a binary log nothing counts the transactions that commit, so"
                " their rate is not known; --observe throughput_per_second=… as you measured it"
            )


def _not_instrumented(cluster: Cluster) -> Iterator[str]:
    """Members without performance_schema, unless whoever collected said so."""
    off = [member.name for member in cluster.members if _variable(member, "performance_schema") in ("OFF", "0")]
    if off and not any("performance_schema is OFF" in problem for problem in cluster.problems):
        yield (
            f"{', '.join(off)}: performance_schema is OFF. What threads wait for, and what most tables of replication"
            " tell, is not known; it takes performance_schema = ON in the option file and a restart"
        )


def _of_several_releases(members: Sequence[Member]) -> Iterator[str]:
    stated = {member.name: member.server for member in members if member.server}
    if len(set(stated.values())) > 1:
        each = ", ".join(f"{name} {server}" for name, server in stated.items())
        yield f"members of different releases, each judged as its own: {each}"


def _variable(member: Member, name: str) -> str:
    fact = member.variables.get(name)
    return str(fact.value).upper() if fact is not None else ""
