"""Asynchronous replication: a commit returns at once, replicas fetch and apply it when they can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.dialects import dialect_of
from advisor.model.lab import MemberPlan, ServerBinary, Wish
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node, follow, replication_problems
from advisor.topologies._returning import Recover, shed
from advisor.topologies._source_members import seen as recognises
from advisor.topologies.positions.source import progress, read_position, written
from advisor.topologies.settings.applier_threads import paused

__all__ = ["paused", "progress", "read_position", "recognises", "shed", "written"]

MEMBERS = range(2, 10)
OPTIONS = frozenset({"workers"})
NEEDS_BEGUN_DATA = False
PERISHABLE: tuple[str, ...] = ()
PRECEDENCE = 1
ROLES = frozenset({Role.SOURCE, Role.REPLICA})
STARTS_IN_TURN = False


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.ASYNC_MARIADB if family is Family.MARIADB else Topology.ASYNC_MYSQL


def lacks(binary: ServerBinary) -> str:
    """Every server has it."""
    return ""


def plan(wish: Wish) -> list[MemberPlan]:
    """One source, the others its replicas, by global transaction ids; replicas log what they apply."""
    words = dialect_of(wish.binary.family, wish.binary.version)
    replica = {**words.gtid, words.log_updates: "ON", "read_only": "ON", "relay_log": "relay"}
    if wish.workers:
        replica[words.workers] = str(wish.workers)
    return [
        MemberPlan(wish.seats[0], Role.SOURCE, dict(words.gtid)),
        *(MemberPlan(seat, Role.REPLICA, replica) for seat in wish.seats[1:]),
    ]


def join(nodes: Sequence[Node]) -> None:
    """Let every replica follow the source."""
    for replica in nodes[1:]:
        follow(replica, nodes[0])


def begin_again(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: any may start first."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """A replica that starts follows its source by itself."""


def problems(nodes: Sequence[Node]) -> list[str]:
    """Replicas that do not receive or apply."""
    return [problem for replica in nodes[1:] for problem in replication_problems(replica)]
