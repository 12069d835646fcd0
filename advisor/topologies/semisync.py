"""Semi-synchronous replication: a commit returns once replicas have acknowledged receiving it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.dialects import dialect_of
from advisor.errors import UsageError
from advisor.model.discovery import Membership
from advisor.model.lab import ClusterSpec, MemberPlan, ServerBinary
from advisor.model.record import replace
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node, status
from advisor.topologies import Recover, asynchronous, wait_for_expulsions
from advisor.topologies.positions.semisync import progress, read_position
from advisor.topologies.positions.source import written
from advisor.topologies.settings.applier_threads import paused

__all__ = ["paused", "progress", "read_position", "wait_for_expulsions", "written"]

MEMBERS = range(2, 10)
OPTIONS = frozenset({"workers", "acks", "wait_point"})
NEEDS_BOOTSTRAPPED_DATADIR = False
FILES_NOT_COPIED: tuple[str, ...] = ()
PRECEDENCE = 2
ROLES = frozenset({Role.SOURCE, Role.REPLICA})
STARTS_ONE_BY_ONE = False


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.SEMISYNC


def why_not(binary: ServerBinary) -> str:
    """MySQL needs its two plugins; MariaDB has it built in."""
    words = dialect_of(binary.family, binary.version)
    for settings in (words.semisync_source_settings, words.semisync_replica_settings):
        plugin = settings.get("plugin_load_add", "")
        if plugin and not os.path.exists(os.path.join(binary.plugin_dir, plugin)):
            return f"{plugin} is not in {binary.plugin_dir or 'a plugin folder next to it'}"
    return ""


def plan(spec: ClusterSpec) -> list[MemberPlan]:
    """The settings of asynchronous replication, plus those of source and replicas."""
    words = dialect_of(spec.binary.family, spec.binary.version)
    source = dict(words.semisync_source_settings)
    if spec.acks > len(spec.endpoints) - 1:
        raise UsageError(f"--acks {spec.acks} is more than the number of replicas, {len(spec.endpoints) - 1}")
    if spec.acks > 1 and not words.acks:
        raise UsageError(f"--acks {spec.acks}: MariaDB waits for one acknowledgement only")
    if spec.acks and words.acks:
        source[words.acks] = str(spec.acks)
    if spec.wait_point:
        source[words.wait_point] = spec.wait_point.upper()
    first, *others = asynchronous.plan(spec)
    return [
        replace(first, settings={**first.settings, **source}),
        *(replace(each, settings={**each.settings, **words.semisync_replica_settings}) for each in others),
    ]


def join(nodes: Sequence[Node]) -> None:
    """Let every replica follow the source."""
    asynchronous.join(nodes)


def first_to_start(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: any member may start first."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """A restarted replica reconnects to its source by itself."""


def problems(nodes: Sequence[Node]) -> list[str]:
    """Problems of replication, and commits that do not wait.

    Connected replicas are not enough: after a timeout without acknowledgement the source falls back to asynchronous
    commits, which only a status variable shows.
    """
    found_problems = asynchronous.problems(nodes)
    clients = status(nodes[0], nodes[0].dialect.semisync_clients)
    if clients != str(len(nodes[1:])):
        found_problems.append(f"{clients or 'no'} of {len(nodes[1:])} replicas acknowledge")
    if status(nodes[0], nodes[0].dialect.semisync_status) != "ON":
        found_problems.append(f"{nodes[0].name} has fallen back to asynchronous commits")
    return found_problems


def recognises(node: Node) -> Membership | None:
    """A source with semi-sync enabled, or a replica of one; in either spelling of the plugins."""
    membership = asynchronous.recognises(node)
    if membership is None:
        return None
    if membership.role is Role.SOURCE:
        values = node.session.pairs("SHOW GLOBAL VARIABLES LIKE 'rpl_semi_sync%enabled'")
        waits = any(values.get(f"rpl_semi_sync_{side}_enabled") == "ON" for side in ("source", "master"))
    else:
        values = node.session.pairs("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync%'")
        waits = any(values.get(f"Rpl_semi_sync_{side}_status") == "ON" for side in ("replica", "slave"))
    return membership if waits else None
