"""Which topologies are there? One module each in this folder, found by listing it; the first line says what it is.

A topology is a module with

* `MEMBERS`: a range, how many members it may have; `OPTIONS`: the fields of `Wish` it understands beyond its members;
* `NEEDS_BEGUN_DATA`: whether members start from data on which a first one has run; `PERISHABLE`: files of that data
  which are not copied;
* `ROLES`: what its members may be;
* `topology(family)`: what the model calls it;
* `lacks(binary)`: why a server program cannot run it, "" when it can;
* `plan(wish)`: every member's role and settings. Pure: starts nothing, connects to nothing;
* `join(nodes)`: turn freshly started members into it;
* `problems(nodes)`: how the members differ from what they claim to be; [] means ready;
* `STARTS_IN_TURN`: whether members that come back start one after the other; `begin_again(data, recover)`: which member
  must be started first, with which more words, after all were down ("" and (): any, none), from their data directories
  and what a server says that is started only to recover; `rejoin(nodes, returned)`: let servers that were started again
  into the cluster of those that run, or begin it anew, with the first member in its role;
* `recognises(node)`: whether a running server is in it, as which role, and whom it knows; None when it is not. Of
  several that recognise a server the one with the highest `PRECEDENCE` is right;
* `paused(nodes, changing, how)`: a context in which what must stand still for settings of a kind to change does;
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
from advisor.model.discovery import Discovery, Seen
from advisor.model.lab import Address, MemberPlan, ServerBinary, Wish
from advisor.model.progress import Position, Progress
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node
from advisor.topologies._discovery import walk
from advisor.topologies._opening import open_node, open_nodes, open_reachable
from advisor.topologies._returning import Recover
from advisor.topologies.positions.heartbeat import Heartbeat, heartbeat_lags_ms
from advisor.topologies.positions.watch import Watch, read_positions
from advisor.topologies.settings.application import application
from advisor.topologies.settings.apply import NotApplied, apply_settings, current, took

__all__ = [
    "Heartbeat",
    "NotApplied",
    "TopologyModule",
    "Watch",
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
    "took",
    "topology_names",
]


class TopologyModule(Protocol):
    """What a module of this folder offers."""

    MEMBERS: range
    OPTIONS: frozenset[str]
    NEEDS_BEGUN_DATA: bool
    PERISHABLE: tuple[str, ...]
    PRECEDENCE: int
    ROLES: frozenset[Role]
    topology: Callable[[Family], Topology]
    lacks: Callable[[ServerBinary], str]
    plan: Callable[[Wish], list[MemberPlan]]
    join: Callable[[Sequence[Node]], None]
    STARTS_IN_TURN: bool
    begin_again: Callable[[Mapping[str, Path], Recover], tuple[str, tuple[str, ...]]]
    rejoin: Callable[[Sequence[Node], Sequence[str]], None]
    shed: Callable[[Sequence[Node]], None]
    problems: Callable[[Sequence[Node]], list[str]]
    recognises: Callable[[Node], Seen | None]
    paused: Callable[[Sequence[Node], Sequence[Node], Application], AbstractContextManager[None]]
    read_position: Callable[[Node], Position]
    progress: Callable[[Mapping[str, Position], Mapping[str, Position]], list[Progress]]
    written: Callable[[Mapping[str, Position]], int | None]


def topology_names() -> list[str]:
    """Every topology, by the name of its module."""
    files = os.listdir(os.path.dirname(__file__))
    return sorted(file[:-3] for file in files if file.endswith(".py") and not file.startswith("_"))


def find_topology(text: str) -> tuple[str, TopologyModule]:
    """The one whose name is or begins with a text ("async", "group-replication"); UsageError when it is none."""
    word = text.lower().replace("-", "_")
    names = topology_names()
    found = [name for name in names if name == word] or [name for name in names if word and name.startswith(word)]
    if len(found) != 1:
        raise UsageError(f"no topology {text!r}", hint=f"there are {', '.join(names)}")
    return found[0], cast(TopologyModule, import_module(f"advisor.topologies.{found[0]}"))


def module_for(topology: Topology, family: Family) -> TopologyModule:
    """The module of what the model calls a topology."""
    for name in topology_names():
        module = find_topology(name)[1]
        if module.topology(family) is topology:
            return module
    raise UsageError(f"no topology {topology} of {family}", hint=f"there are {', '.join(topology_names())}")


def discover(login: Address, timeout_seconds: float = 5.0) -> Discovery:
    """The cluster of the server at an address, whichever member it is; ServerError when that one cannot be asked."""
    return walk(login, [find_topology(name)[1] for name in topology_names()], timeout_seconds)
