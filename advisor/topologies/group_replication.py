"""Group Replication: members certify all transactions in one agreed order; one member writes, or all do."""

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

# Before 8.0.27 the group has a separate listener on all interfaces, which is too open for a laptop.
_FIRST: Final = (8, 0, 27)
_ONLINE_SECONDS: Final = 60.0
_EXPELLED_SECONDS: Final = 25.0
_NAMESPACE: Final = uuid.UUID("5f1b9f3e-6f0e-4b7c-9f0a-0d6b1c2a7e11")

_LOST: Final = (0, 2006, 2013)  # the connection failed, not the statement

# Their counters appear in performance_schema only if they are installed before the member joins.
_COMPONENTS: Final = ("component_group_replication_flow_control_stats", "component_replication_applier_metrics")


def topology(family: Family) -> Topology:
    """The model's word for it."""
    return Topology.GROUP_REPLICATION


def why_not(binary: ServerBinary) -> str:
    """Needs MySQL with its plugin, from the release on whose members communicate through the server's port."""
    if binary.family is not Family.MYSQL:
        return "MariaDB has no Group Replication"
    if binary.version < _FIRST:
        return "before MySQL 8.0.27 a group listens on all interfaces"
    plugin = os.path.join(binary.plugin_dir, "group_replication.so")
    where = binary.plugin_dir or "a plugin folder next to it"
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
    """Let members join one after the other: 2.3 s each; two at the same time took 11 to 40 s (9.7, measured)."""
    for node in nodes:
        _start(node)


def _start(node: Node) -> None:
    """Join, and try again if that fails: a member that joins while another does may miss the group.

    It then gives up after 60 s with an error.
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
        with suppress(ServerError):  # Ctrl-C in mid-statement ends the connection; that error must not hide it
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
    """After all were down: servers start alone, and `rejoin` bootstraps the group."""
    return "", ()


def rejoin(nodes: Sequence[Node], returned: Sequence[str]) -> None:
    """Let members join the running group, or bootstrap it on the most advanced one; restore the planned primary."""
    back = [node for node in nodes if node.name in returned]
    if not any(_online(node) for node in nodes if node.name not in returned):
        back.sort(key=_by_missing_transactions(nodes))
        _bootstrap(back.pop(0))
    _start_one_by_one(back)
    planned = [node for node in nodes if node.role is Role.PRIMARY]
    if len(planned) == 1 and planned[0].session.value("SELECT @@super_read_only"):
        _make_primary(planned[0])


def wait_for_expulsions(nodes: Sequence[Node]) -> None:
    """Wait until dead members are expelled: a member that leaves before that waits a minute for each of them.

    Detection takes 5 s plus group_replication_member_expel_timeout. Without a majority no member can be expelled.
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
    """Whether a member reports itself ONLINE in a group."""
    own = "SELECT MEMBER_STATE FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid"
    return node.session.value(own) == "ONLINE"


def _by_missing_transactions(nodes: Sequence[Node]) -> Callable[[Node], int]:
    """A sort key that puts the most advanced member first: how many of all transactions it lacks."""
    sets = {node.name: parse_gtid_set(str(node.session.value("SELECT @@global.gtid_executed"))) for node in nodes}
    everything = union(sets.values())
    return lambda node: missing(everything, sets[node.name])


def _make_primary(node: Node) -> None:
    """Make a member the primary once it is ONLINE; it may still be recovering."""
    until = time.monotonic() + _ONLINE_SECONDS
    while not _online(node):
        if time.monotonic() > until:
            return  # `problems` will report it
        time.sleep(0.1)
    node.session.value("SELECT group_replication_set_as_primary(@@server_uuid)")


def problems(nodes: Sequence[Node]) -> list[str]:
    """Members that another member sees not ONLINE, or in another role than planned.

    Every member is queried: an expelled one has its own view.
    """
    known = {str(node.session.value("SELECT @@server_uuid")): node for node in nodes}
    problems_seen = []
    for node in nodes:
        rows = node.session.rows(
            "SELECT MEMBER_ID, MEMBER_STATE, MEMBER_ROLE FROM performance_schema.replication_group_members"
        )
        seen = {str(row["MEMBER_ID"]): row for row in rows}
        for member, other in known.items():
            row = seen.get(member)
            if row is None:
                problems_seen.append(f"{node.name} does not see {other.name} in the group")
            elif row["MEMBER_STATE"] != "ONLINE":
                problems_seen.append(f"{node.name} sees {other.name} {row['MEMBER_STATE']}")
            elif (role := str(row["MEMBER_ROLE"]).lower()) != other.role:
                problems_seen.append(f"{node.name} sees {other.name} as {role} instead of {other.role}")
    return problems_seen


def recognises(node: Node) -> Membership | None:
    """A member of a group; it knows the others by the host that each reports."""
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
    """Take one member or all out of the group, and let them rejoin; other channels are paused as in any topology.

    Afterwards the planned primary is primary again.
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
