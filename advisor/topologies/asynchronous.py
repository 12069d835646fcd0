"""Asynchronous replication: a commit returns at once, replicas fetch and apply it when they can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.dialects import dialect_of
from advisor.model.lab import ClusterSpec, MemberPlan, ServerBinary
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node, follow, replication_problems
from advisor.topologies import Recover, wait_for_expulsions
from advisor.topologies.discovery.replication_peers import recognises
from advisor.topologies.positions.source import progress, read_position, written
from advisor.topologies.settings.applier_threads import paused

__all__ = ["paused", "progress", "read_position", "recognises", "wait_for_expulsions", "written"]

MEMBERS = range(2, 10)
OPTIONS = frozenset({"workers"})
NEEDS_BOOTSTRAPPED_DATADIR = False
FILES_NOT_COPIED: tuple[str, ...] = ()
PRECEDENCE = 1
ROLES = frozenset({Role.SOURCE, Role.REPLICA})
STARTS_ONE_BY_ONE = False


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.ASYNC_MARIADB if family is Family.MARIADB else Topology.ASYNC_MYSQL


def why_not(binary: ServerBinary) -> str:
    """Every server can."""
    return ""


def plan(spec: ClusterSpec) -> list[MemberPlan]:
    """One source with replicas, using GTIDs; replicas write what they apply to their binary log."""
    words = dialect_of(spec.binary.family, spec.binary.version)
    replica = {**words.gtid, words.log_updates: "ON", "read_only": "ON", "relay_log": "relay"}
    if spec.workers:
        replica[words.workers] = str(spec.workers)
    return [
        MemberPlan(spec.endpoints[0], Role.SOURCE, dict(words.gtid)),
        *(MemberPlan(endpoint, Role.REPLICA, replica) for endpoint in spec.endpoints[1:]),
    ]


def join(nodes: Sequence[Node]) -> None:
    """Let every replica follow the source."""
    for replica in nodes[1:]:
        follow(replica, nodes[0])


def first_to_start(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: any member may start first."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """A restarted replica reconnects to its source by itself."""


def problems(nodes: Sequence[Node]) -> list[str]:
    """Replicas that do not receive or do not apply."""
    return [problem for replica in nodes[1:] for problem in replication_problems(replica)]
