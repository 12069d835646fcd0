"""What another topology asks of a server: its options, those without meaning there, and the order of steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from advisor.model.record import field, record
from advisor.model.server import Topology


@record
class Need:
    """What must be so before the topology is changed. `ask`: the statement that shows whether it is, "" for none."""

    title: str
    says: str
    ask: str = ""
    releases: Mapping[str, str] = field(default_factory=dict)


@record
class AskedOption:
    """Settings that the topology asks for. `unless`: the condition under which the server has them already."""

    settings: Mapping[str, str]
    why: str
    unless: str = ""
    tree: list[Any] | None = None
    releases: Mapping[str, str] = field(default_factory=dict)


@record
class IdleOptions:
    """Options, by canonical name, that mean nothing in the topology, and why."""

    options: tuple[str, ...]
    why: str


@record
class TopologyClaim:
    """All that is known about moving to a topology. `releases`: those that can run it."""

    topology: Topology
    releases: Mapping[str, str]
    needs: tuple[Need, ...]
    asked: tuple[AskedOption, ...]
    idle: tuple[IdleOptions, ...]
    steps: tuple[tuple[str, str], ...]  # what to do, and why ("" where that is plain)
    see: tuple[str, ...]
    file: str = ""


@record
class TopologyMember:
    """One server: (name, value, why) of what to set, names that are right already, (name, why) without meaning."""

    name: str
    to_set: tuple[tuple[str, str, str], ...]
    right: tuple[str, ...]
    idle: tuple[tuple[str, str], ...]


@record
class TopologyMove:
    """The change from one topology to another. `blocked`: why the releases cannot run it, "" where they can."""

    origin: Topology | None
    target: Topology
    members: tuple[TopologyMember, ...]
    needs: tuple[Need, ...]
    steps: tuple[tuple[str, str], ...]
    see: tuple[str, ...]
    blocked: str = ""
