"""Group Replication: members certify every transaction in one agreed order and apply it, one or all of them writing."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from advisor.dialects import dialect_of
from advisor.errors import ServerError
from advisor.gtid.sets import missing, parse_gtid_set, union
from advisor.model.applying import Application
from advisor.model.discovery import Membership, Neighbour
from advisor.model.lab import ClusterSpec, MemberPlan, ServerBinary
from advisor.model.server import Family, Role, Topology
from advisor.nodes import Node
from advisor.topologies import Recover
from advisor.topologies.positions.group_replication import progress, read_position, written
from advisor.topologies.settings import applier_threads

__all__ = ["progress", "read_position", "written"]

MEMBERS = range(2, 10)
OPTIONS = frozenset({"workers", "multi_primary"})
NEEDS_BOOTSTRAPPED_DATADIR = False
FILES_NOT_COPIED: tuple[str, ...] = ()
PRECEDENCE = 3
ROLES = frozenset({Role.PRIMARY, Role.SECONDARY})
STARTS_ONE_BY_ONE = False

# Before 8.0.27 the group has a listener of its own, which binds all interfaces: nothing for somebody's laptop.
_FIRST: Final = (8, 0, 27)
_ONLINE_SECONDS: Final = 60.0
_EXPELLED_SECONDS: Final = 25.0
_NAMESPACE: Final = uuid.UUID("5f1b9f3e-6f0e-4b7c-9f0a-0d6b1c2a7e11")

_LOST: Final = (0, 2006, 2013)  # the connection, not the statement, failed

# What they count is in performance_schema only when they are installed before the member joins.
_COMPONENTS: Final = ("component_group_replication_flow_control_stats", "component_replication_applier_metrics")


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.GROUP_REPLICATION


def why_not(binary: ServerBinary) -> str:
    """MySQL with its plugin, from the release on whose members can talk through the server's own port."""
    if binary.family is not Family.MYSQL:
        return "MariaDB has no Group Replication"
    if binary.version < _FIRST:
        return "before MySQL 8.0.27 a group listens on all interfaces"
    plugin = os.path.join(binary.plugin_dir, "group_replication.so")
    where = binary.plugin_dir or "any plugin folder beside it"
    return "" if binary.plugin_dir and os.path.exists(plugin) else f"group_replication.so is not in {where}"


def plan(spec: ClusterSpec) -> list[MemberPlan]:
    """One group over the members' own ports, started by `join`."""
    words = dialect_of(spec.binary.family, spec.binary.version)
    settings = {
        **words.gtid,
        words.log_updates: "ON",
        "relay_log": "relay",
        "plugin_load_add": "group_replication.so",
        "group_replication_group_name": str(uuid.uuid5(_NAMESPACE, spec.name)),
        "group_replication_communication_stack": "MYSQL",
        "group_replication_group_seeds": ",".join(f"{endpoint.host}:{endpoint.port}" for endpoint in spec.endpoints),
        "group_replication_start_on_boot": "OFF",
        "group_replication_single_primary_mode": "OFF" if spec.multi_primary else "ON",
        "group_replication_enforce_update_everywhere_checks": "ON" if spec.multi_primary else "OFF",
        "group_replication_recovery_get_public_key": "ON",
    }
    if spec.workers:
        settings[words.workers] = str(spec.workers)
    return [
        MemberPlan(
            endpoint,
            Role.PRIMARY if spec.multi_primary or not index else Role.SECONDARY,
            {**settings, "group_replication_local_address": f"{endpoint.host}:{endpoint.port}"},
        )
        for index, endpoint in enumerate(spec.endpoints)
    ]


def join(nodes: Sequence[Node]) -> None:
    """Bootstrap the group on the first member, then let the others join."""
    for node in nodes:
        _prepare(node)
    _bootstrap(nodes[0])
    _start_one_by_one(nodes[1:])


def _start_one_by_one(nodes: Sequence[Node]) -> None:
    """Let members join one after the other: 2.3 s each, where two at one moment took 11 to 40 s (9.7, measured)."""
    for node in nodes:
        _start(node)


def _start(node: Node) -> None:
    """Join, and once more when it did not work: one that comes while another does may miss the group.

    Who missed it gives up after 60 s and says so.
    """
    try:
        node.session.run("START GROUP_REPLICATION")
    except ServerError as error:
        if error.number in _LOST:
            raise
        node.session.run("STOP GROUP_REPLICATION", "START GROUP_REPLICATION")


def _bootstrap(node: Node) -> None:
    node.session.run("SET GLOBAL group_replication_bootstrap_group = ON")
    try:
        node.session.run("START GROUP_REPLICATION")
    except BaseException:
        with suppress(ServerError):  # Ctrl-C in mid-statement takes the connection, and must not be hidden by that
            node.session.run("SET GLOBAL group_replication_bootstrap_group = OFF")
        raise
    node.session.run("SET GLOBAL group_replication_bootstrap_group = OFF")


def _prepare(node: Node) -> None:
    session, at = node.session, node.replication
    plugin_dir = str(session.value("SELECT @@plugin_dir"))
    session.run("SET SESSION sql_log_bin = 0")
    for component in _COMPONENTS:
        if os.path.exists(os.path.join(plugin_dir, component + ".so")):
            session.run(f"INSTALL COMPONENT 'file://{component}'")
    session.rows(
        "CHANGE REPLICATION SOURCE TO SOURCE_USER=%s, SOURCE_PASSWORD=%s FOR CHANNEL 'group_replication_recovery'",
        at.user,
        at.password,
    )
    session.run("SET SESSION sql_log_bin = 1")


def first_to_start(data: Mapping[str, Path], recover: Recover) -> tuple[str, tuple[str, ...]]:
    """After all were down: servers start alone, and the group is begun by `rejoin`."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """Let members into the group that runs, or begin one on the member that has most; the planned primary leads."""
    back = [node for node in nodes if node.name in returned]
    if not any(_online(node) for node in nodes if node.name not in returned):
        back.sort(key=_most_first(nodes))
        _bootstrap(back.pop(0))
    _start_one_by_one(back)
    planned = [node for node in nodes if node.role is Role.PRIMARY]
    if len(planned) == 1 and planned[0].session.value("SELECT @@super_read_only"):
        _lead(planned[0])


def wait_for_expulsions(nodes: Sequence[Node]) -> None:
    """Wait until members that died are expelled: those that leave before that wait for them, a minute each.

    Detection takes 5 s and group_replication_member_expel_timeout more. Without a majority nobody can be expelled.
    """
    until = time.monotonic() + _EXPELLED_SECONDS
    known = {str(node.session.value("SELECT @@server_uuid")) for node in nodes}
    while time.monotonic() < until:
        rows = nodes[0].session.rows("SELECT MEMBER_ID FROM performance_schema.replication_group_members")
        lost = {str(row["MEMBER_ID"]) for row in rows} - known
        if not lost or 2 * len(lost) >= len(rows):
            return
        time.sleep(0.2)


def _online(node: Node) -> bool:
    """Whether a member is in a group now, as it sees it."""
    own = "SELECT MEMBER_STATE FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid"
    return node.session.value(own) == "ONLINE"


def _most_first(nodes: Sequence[Node]) -> Callable[[Node], int]:
    """A key that sorts first who has what no other lacks: of all transactions, how many it misses."""
    sets = {node.name: parse_gtid_set(str(node.session.value("SELECT @@global.gtid_executed"))) for node in nodes}
    everything = union(sets.values())
    return lambda node: missing(everything, sets[node.name])


def _lead(node: Node) -> None:
    """Make a member the primary, once it is ONLINE; it may still be recovering."""
    until = time.monotonic() + _ONLINE_SECONDS
    while not _online(node):
        if time.monotonic() > until:
            return  # `problems` will say so
        time.sleep(0.1)
    node.session.value("SELECT group_replication_set_as_primary(@@server_uuid)")


def problems(nodes: Sequence[Node]) -> list[str]:
    """Members that another member does not see ONLINE, or in another role than planned.

    Every member is asked: one that was expelled still believes things of its own.
    """
    known = {str(node.session.value("SELECT @@server_uuid")): node for node in nodes}
    found = []
    for node in nodes:
        rows = node.session.rows(
            "SELECT MEMBER_ID, MEMBER_STATE, MEMBER_ROLE FROM performance_schema.replication_group_members"
        )
        seen = {str(row["MEMBER_ID"]): row for row in rows}
        for member, other in known.items():
            row = seen.get(member)
            if row is None:
                found.append(f"{node.name} does not see {other.name} in the group")
            elif row["MEMBER_STATE"] != "ONLINE":
                found.append(f"{node.name} sees {other.name} {row['MEMBER_STATE']}")
            elif (role := str(row["MEMBER_ROLE"]).lower()) != other.role:
                found.append(f"{node.name} sees {other.name} as {role}, planned as {other.role}")
    return found


def recognises(node: Node) -> Membership | None:
    """A member that is in a group; it knows the others by the host each reports."""
    if node.dialect.family is not Family.MYSQL:
        return None
    own = str(node.session.value("SELECT @@server_uuid"))
    rows = node.session.rows("SELECT * FROM performance_schema.replication_group_members")
    states = {str(row["MEMBER_ID"]): str(row["MEMBER_STATE"]) for row in rows}
    if states.get(own, "OFFLINE") == "OFFLINE":
        return None
    roles = {str(row["MEMBER_ID"]): str(row.get("MEMBER_ROLE") or "").lower() for row in rows}
    if not any(roles.values()):  # 5.7 has no such column
        primary = node.session.pairs("SHOW GLOBAL STATUS LIKE 'group_replication_primary_member'")
        only = primary.get("group_replication_primary_member", "")
        roles = {member: Role.SECONDARY if only and member != only else Role.PRIMARY for member in states}
    neighbours = [
        Neighbour(
            (str(row["MEMBER_HOST"]),),
            int(str(row["MEMBER_PORT"])),
            f"member {row['MEMBER_HOST']}:{row['MEMBER_PORT']}, {row['MEMBER_STATE']}",
            {"server_uuid": str(row["MEMBER_ID"])},
        )
        for row in rows
        if str(row["MEMBER_ID"]) != own
    ]
    return Membership(Role(roles[own]) if roles[own] else Role.SECONDARY, tuple(neighbours))


@contextmanager
def paused(nodes: Sequence[Node], changing: Sequence[Node], how: Application) -> Iterator[None]:
    """Out of the group, one member or all of them, and in again; threads of other channels as in any topology.

    The planned primary leads again afterwards, for the members know each other by their roles.
    """
    if how not in (Application.MEMBER_REJOIN, Application.GROUP_RESTART):
        with applier_threads.paused(nodes, changing, how):
            yield
        return
    leaving = sorted(
        nodes if how is Application.GROUP_RESTART else changing, key=lambda node: node.role is Role.PRIMARY
    )
    for node in leaving:
        node.session.run("STOP GROUP_REPLICATION")
    try:
        yield
    finally:
        rejoin(nodes, [node.name for node in leaving])
