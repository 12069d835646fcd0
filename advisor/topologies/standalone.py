"""Standalone: servers without replication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.model.discovery import Membership
from advisor.model.lab import ClusterSpec, MemberPlan, ServerBinary
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node
from advisor.topologies import Recover, wait_for_expulsions
from advisor.topologies.positions.source import progress, read_position, written
from advisor.topologies.settings.applier_threads import paused

__all__ = ["paused", "progress", "read_position", "wait_for_expulsions", "written"]

MEMBERS = range(1, 10)
OPTIONS: frozenset[str] = frozenset()
NEEDS_BOOTSTRAPPED_DATADIR = False
FILES_NOT_COPIED: tuple[str, ...] = ()
PRECEDENCE = 0
ROLES = frozenset({Role.STANDALONE})
STARTS_ONE_BY_ONE = False


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.STANDALONE


def why_not(binary: ServerBinary) -> str:
    """Every server can."""
    return ""


def plan(spec: ClusterSpec) -> list[MemberPlan]:
    """No settings beyond the server's defaults."""
    return [MemberPlan(endpoint, Role.STANDALONE, {}) for endpoint in spec.endpoints]


def join(nodes: Sequence[Node]) -> None:
    """Nothing joins anything."""


def first_to_start(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: any member may start first."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """Nothing joins anything."""


def problems(nodes: Sequence[Node]) -> list[str]:
    """A server that answers is ready."""
    for node in nodes:
        node.session.value("SELECT 1")
    return []


def recognises(node: Node) -> Membership:
    """Every server, when nothing else does."""
    return Membership(Role.STANDALONE)
