"""Standalone: servers that replicate with nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.model.discovery import Seen
from advisor.model.lab import MemberPlan, ServerBinary, Wish
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node
from advisor.topologies._returning import Recover, shed
from advisor.topologies.positions.source import progress, read_position, written
from advisor.topologies.settings.applier_threads import paused

__all__ = ["paused", "progress", "read_position", "shed", "written"]

MEMBERS = range(1, 10)
OPTIONS: frozenset[str] = frozenset()
NEEDS_BEGUN_DATA = False
PERISHABLE: tuple[str, ...] = ()
PRECEDENCE = 0
ROLES = frozenset({Role.STANDALONE})
STARTS_IN_TURN = False


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.STANDALONE


def lacks(binary: ServerBinary) -> str:
    """Every server runs alone."""
    return ""


def plan(wish: Wish) -> list[MemberPlan]:
    """No settings beyond the server's defaults."""
    return [MemberPlan(seat, Role.STANDALONE, {}) for seat in wish.seats]


def join(nodes: Sequence[Node]) -> None:
    """Nothing joins anything."""


def begin_again(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: any may start first."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """Nothing joins anything."""


def problems(nodes: Sequence[Node]) -> list[str]:
    """A server that answers is ready."""
    for node in nodes:
        node.session.value("SELECT 1")
    return []


def recognises(node: Node) -> Seen:
    """Every server, when nothing else does."""
    return Seen(Role.STANDALONE)
