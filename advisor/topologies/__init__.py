"""Which topologies are there? One module each in this folder, found by listing it; the first line says what it is.

What all share is in three rooms: `discovery/` finds the members, `positions/` says how far each is, `settings/` brings
new values to them.

A topology is a module with

* `MEMBERS`: a range, how many members it may have; `OPTIONS`: the fields of `ClusterSpec` it understands beyond its
  members; `ROLES`: what its members may be;
* `NEEDS_BOOTSTRAPPED_DATADIR`: whether members start from data on which a first one has already run;
  `FILES_NOT_COPIED`: files of that data directory that belong to one member only;
* `topology(family)`: its id in the model;
* `why_not(binary)`: why a server program cannot run it, "" when it can;
* `plan(spec)`: every member's role and settings. Pure: starts nothing, connects to nothing;
* `join(nodes)`: turn freshly started members into the cluster;
* `problems(nodes)`: how the members differ from their planned state; [] means ready;
* `STARTS_ONE_BY_ONE`: whether members that were down are started one after the other;
* `first_to_start(data, recover)`: after all members were down, which one must be started first, with which additional
  words on its command line ("" and (): any, none), judged by the data directories and by what a server prints that is
  started only to recover;
* `rejoin(nodes, returned)`: let restarted members join the running ones, or bootstrap the cluster again with the first
  member in its planned role;
* `wait_for_expulsions(nodes)`: wait until the running members have expelled those that died, where they do that;
* `recognises(node)`: whether a running server is in this topology, in which role, and which members it knows; None when
  it is not. If several topologies recognise a server, the one with the highest `PRECEDENCE` is right;
* `paused(nodes, changing, how)`: a context in which everything is stopped that must not run while settings change;
* `read_position(node)`: how far one member is, in as few and cheap statements as possible; never raises ServerError;
* `progress(before, now)`: what every member did between two such readings of all. Pure;
* `written(positions)`: how many transactions the cluster has committed, None when nothing counts them. Pure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from advisor.errors import UsageError
from advisor.model.applying import Application
from advisor.model.discovery import Discovery, Membership
from advisor.model.lab import Address, ClusterSpec, MemberPlan, ServerBinary
from advisor.model.progress import Position, Progress
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node
from advisor.topologies.discovery.open_members import open_node, open_nodes, open_reachable
from advisor.topologies.discovery.walk import walk
from advisor.topologies.positions.heartbeat import Heartbeat, heartbeat_lags_ms
from advisor.topologies.positions.monitor import ProgressMonitor, read_positions
from advisor.topologies.settings.application import application
from advisor.topologies.settings.apply import NotApplied, apply_settings, current, took_effect

__all__ = [
    "Heartbeat",
    "NotApplied",
    "ProgressMonitor",
    "Recover",
    "TopologyModule",
    "application",
    "apply_settings",
    "current",
    "discover",
    "find_topology",
    "heartbeat_lags_ms",
    "module_for",
    "open_node",
    "open_nodes",
    "open_reachable",
    "read_positions",
    "took_effect",
    "topology_name",
    "topology_names",
    "wait_for_expulsions",
]

# Takes a member's name, starts its server only to recover, and returns what the server prints.
Recover = Callable[[str], str]


class TopologyModule(Protocol):
    """What a module of this folder offers."""

    MEMBERS: range
    OPTIONS: frozenset[str]
    NEEDS_BOOTSTRAPPED_DATADIR: bool
    FILES_NOT_COPIED: tuple[str, ...]
    PRECEDENCE: int
    ROLES: frozenset[Role]
    topology: Callable[[Family], Topology]
    why_not: Callable[[ServerBinary], str]
    plan: Callable[[ClusterSpec], list[MemberPlan]]
    join: Callable[[Sequence[Node]], None]
    STARTS_ONE_BY_ONE: bool
    first_to_start: Callable[[Mapping[str, Path], Recover], tuple[str, tuple[str, ...]]]
    rejoin: Callable[[Sequence[Node], Sequence[str]], None]
    wait_for_expulsions: Callable[[Sequence[Node]], None]
    problems: Callable[[Sequence[Node]], list[str]]
    recognises: Callable[[Node], Membership | None]
    paused: Callable[[Sequence[Node], Sequence[Node], Application], AbstractContextManager[None]]
    read_position: Callable[[Node], Position]
    progress: Callable[[Mapping[str, Position], Mapping[str, Position]], list[Progress]]
    written: Callable[[Mapping[str, Position]], int | None]


def wait_for_expulsions(nodes: Sequence[Node]) -> None:
    """The default for topologies whose members do not expel each other: nothing to wait for."""


def topology_names() -> list[str]:
    """Every topology, by the name of its module."""
    files = os.listdir(os.path.dirname(__file__))
    return sorted(file[:-3] for file in files if file.endswith(".py") and not file.startswith("_"))


def find_topology(text: str) -> tuple[str, TopologyModule]:
    """The topology of this name or model id, or the only one whose name begins so ("async"); UsageError for others."""
    word = text.lower().replace("-", "_")
    names = topology_names()
    if word in tuple(Topology):
        word = topology_name(Topology(word))
    matches = [name for name in names if name == word] or [name for name in names if word and name.startswith(word)]
    if len(matches) != 1:
        raise UsageError(f"there is no topology {text!r}", hint=f"topologies: {', '.join(names)}")
    return matches[0], _module(matches[0])


def topology_name(topology: Topology) -> str:
    """The name that users type for a topology of the model: "asynchronous" for both async_mysql and async_mariadb."""
    return next(
        name for name in topology_names() if any(_module(name).topology(family) is topology for family in Family)
    )


def module_for(topology: Topology, family: Family) -> TopologyModule:
    """The module of a topology of the model."""
    for module in map(_module, topology_names()):
        if module.topology(family) is topology:
            return module
    raise UsageError(f"{family} has no topology {topology}", hint=f"topologies: {', '.join(topology_names())}")


def discover(login: Address, timeout_seconds: float = 5.0) -> Discovery:
    """The cluster of the server at an address, whichever member it is; ServerError when that server cannot be read."""
    return walk(login, [_module(name) for name in topology_names()], timeout_seconds)


def _module(name: str) -> TopologyModule:
    return cast(TopologyModule, import_module(f"advisor.topologies.{name}"))
