"""Galera: every node certifies all write sets in the same order and applies them; any node may write."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.model.discovery import Membership, Neighbour
from advisor.model.lab import ClusterSpec, Endpoint, MemberPlan, ServerBinary
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node, status
from advisor.topologies import Recover, wait_for_expulsions
from advisor.topologies.positions.galera import progress, read_position, written
from advisor.topologies.settings.applier_threads import paused

__all__ = ["paused", "progress", "read_position", "wait_for_expulsions", "written"]

MEMBERS = range(2, 6)
OPTIONS = frozenset({"workers"})
NEEDS_BOOTSTRAPPED_DATADIR = True
PRECEDENCE = 3
ROLES = frozenset({Role.NODE})
FILES_NOT_COPIED = ("auto.cnf", "galera.cache", "gvwstate.dat")
STARTS_ONE_BY_ONE = True

_POSITION: Final = re.compile(r"Recovered position: *[0-9a-f-]+:(-?\d+)")


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.GALERA


def why_not(binary: ServerBinary) -> str:
    """Needs MariaDB with Galera's provider library."""
    if binary.family is not Family.MARIADB:
        return "the lab runs Galera with MariaDB only"
    return "" if binary.galera_provider else "libgalera_smm.so not found (package galera-4)"


def plan(spec: ClusterSpec) -> list[MemberPlan]:
    """All nodes are equal; the first bootstraps the cluster, the others join it.

    All data directories are copies at the same position, so a joining node receives only what came after it (IST).
    """
    everyone = ",".join(f"{endpoint.host}:{_group_port(endpoint)}" for endpoint in spec.endpoints)
    programs = {"wsrep_sst_lab": Path(__file__).with_name("galera_sst.sh").read_text(encoding="utf-8")}
    plans = []
    for index, endpoint in enumerate(spec.endpoints):
        settings = {
            "wsrep_on": "ON",
            "wsrep_provider": spec.binary.galera_provider,
            "wsrep_cluster_name": spec.name,
            "wsrep_cluster_address": f"gcomm://{everyone}",
            "wsrep_node_name": endpoint.name,
            "wsrep_node_address": endpoint.host,
            "wsrep_node_incoming_address": f"{endpoint.host}:{endpoint.port}",
            "wsrep_sst_method": "lab",
            "wsrep_sst_receive_address": f"{endpoint.host}:{endpoint.more_ports[2]}",
            "wsrep_provider_options": _provider_options(endpoint),
            "binlog_format": "ROW",
            "default_storage_engine": "InnoDB",
            "innodb_autoinc_lock_mode": "2",
        }
        if spec.workers:
            settings["wsrep_slave_threads"] = str(spec.workers)
        plans.append(
            MemberPlan(
                endpoint,
                Role.NODE,
                settings,
                programs=programs,
                words=() if index else ("--wsrep-new-cluster",),
                waits_for_previous=bool(index),
            )
        )
    return plans


def _group_port(endpoint: Endpoint) -> int:
    return endpoint.more_ports[0]


def _provider_options(endpoint: Endpoint) -> str:
    """Everything on the member's own address; the last view is not kept, as the lab chooses who bootstraps."""
    receive = f"{endpoint.host}:{endpoint.more_ports[1]}"
    options = {
        "gmcast.listen_addr": f"tcp://{endpoint.host}:{_group_port(endpoint)}",
        "ist.recv_addr": receive,
        "ist.recv_bind": f"tcp://{receive}",
        "pc.recovery": "false",
        "gcache.size": "128M",
    }
    return ";".join(f"{name}={value}" for name, value in options.items())


def join(nodes: Sequence[Node]) -> None:
    """Nodes join while they start."""


def first_to_start(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: the most advanced node bootstraps the cluster, marked as safe to do so.

    A killed node has not written its position; recovery finds it. Source: Galera's manual, "Restarting the Cluster".
    """
    reached = {name: _seqno(folder / "grastate.dat") for name, folder in data.items()}
    for name in [name for name, seqno in reached.items() if seqno < 0]:
        found = _POSITION.search(recover(name))
        reached[name] = int(found[1]) if found else -1
    first = max(reached, key=lambda name: reached[name])
    state = data[first] / "grastate.dat"
    text = re.sub(r"(?m)^safe_to_bootstrap:.*$", "safe_to_bootstrap: 1", state.read_text(encoding="utf-8"))
    state.write_text(text, encoding="utf-8")
    return first, ("--wsrep-new-cluster",)


def _seqno(state: Path) -> int:
    """The position a node wrote when it shut down; -1 when it did not."""
    found = re.search(r"(?m)^seqno:\s*(-?\d+)", state.read_text(encoding="utf-8")) if state.exists() else None
    return int(found[1]) if found else -1


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """Nodes join while they start."""


def problems(nodes: Sequence[Node]) -> list[str]:
    """Nodes that are not Synced, or see another number of nodes."""
    problems_found = []
    for node in nodes:
        state, size = status(node, "wsrep_local_state_comment"), status(node, "wsrep_cluster_size")
        if state != "Synced":
            problems_found.append(f"{node.name} is {state or 'not a Galera node'}")
        if size != str(len(nodes)):
            problems_found.append(f"{node.name} sees {size or 'no'} of {len(nodes)} nodes")
    return problems_found


def recognises(node: Node) -> Membership | None:
    """A node that is in a cluster; it knows the others by wsrep_node_incoming_address, where that is set."""
    status_values = node.session.pairs("SHOW GLOBAL STATUS LIKE 'wsrep%'")
    if status_values.get("wsrep_connected") != "ON" or not status_values.get("wsrep_cluster_state_uuid"):
        return None
    history = status_values["wsrep_cluster_state_uuid"]
    neighbours = []
    for number, text in enumerate(status_values.get("wsrep_incoming_addresses", "").split(",")):
        host, _, port = text.strip().rpartition(":")
        if str(number) == status_values.get("wsrep_local_index"):
            continue
        identity = {"wsrep_cluster_state_uuid": history, "wsrep_local_index": str(number)}
        known = bool(host) and port.isdecimal() and int(port) > 0
        what = f"node {text.strip()}" if known else f"a node that reports no address ({text.strip() or 'empty'})"
        hint = "" if known else "; set wsrep_node_incoming_address on it"
        neighbours.append(Neighbour((host,) if known else (), int(port) if known else 0, what + hint, identity))
    return Membership(Role.NODE, tuple(neighbours))
