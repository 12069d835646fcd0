"""Whom does a source or replica know? Upwards the source a replica names, downwards who fetches from a source."""

from __future__ import annotations

from typing import Final

from advisor.errors import ServerError
from advisor.model.discovery import Membership, Neighbour
from advisor.model.evidence import Scalar
from advisor.model.server import Family, Role
from advisor.nodes import Node

Rows = list[dict[str, Scalar]]
_REFUSED: Final = (1044, 1142, 1227)  # access denied to a database, to a table, for want of a privilege
_OF_A_GROUP: Final = ("group_replication_applier", "group_replication_recovery")


def recognises(node: Node) -> Membership | None:
    """What a member says; None when it neither replicates from anybody nor anybody from it."""
    unknowns: list[str] = []
    above = [
        row
        for row in _asked(node, node.dialect.show_channels, "REPLICATION CLIENT", unknowns)
        if row.get("Channel_Name") not in _OF_A_GROUP
    ]
    replicas = _asked(node, node.dialect.show_replicas, "REPLICATION SLAVE", unknowns)
    dumps = _dumps(node)
    neighbours = [*(_source(node, row) for row in above), *_replicas(node, replicas, dumps)]
    if not neighbours and not unknowns:
        return None
    return Membership(Role.REPLICA if above else Role.SOURCE, tuple(neighbours), tuple(unknowns))


def _asked(node: Node, statement: str, privilege: str, unknowns: list[str]) -> Rows:
    """The rows of a statement; one that is refused is an unknown."""
    if node.dialect.family is Family.MARIADB:
        privilege = {"REPLICATION CLIENT": "REPLICA MONITOR", "REPLICATION SLAVE": "REPLICATION MASTER ADMIN"}[
            privilege
        ]
    try:
        return node.session.rows(statement)
    except ServerError as error:
        if error.number not in _REFUSED:
            raise
        unknowns.append(f"{node.name} refuses {statement}: GRANT {privilege} ON *.* would help")
        return []


def _dumps(node: Node) -> list[str]:
    """The hosts that fetch the binary log now; without PROCESS a server shows one's own threads, and says nothing."""
    rows = [{name.lower(): str(value) for name, value in row.items()} for row in node.session.rows("SHOW PROCESSLIST")]
    return [row["host"].rpartition(":")[0] or row["host"] for row in rows if row["command"].startswith("Binlog Dump")]


def _source(node: Node, row: dict[str, Scalar]) -> Neighbour:
    words = node.dialect
    host, port = str(row[words.source_host]), int(str(row[words.source_port]))
    identity = {"server_id": str(row[words.source_server_id])} if row.get(words.source_server_id) else {}
    return Neighbour((host,), port, f"the source of {node.name}, {host}:{port}", identity)


def _replicas(node: Node, rows: Rows, dumps: list[str]) -> list[Neighbour]:
    """Those registered, at the host they report or else at any that fetches; those that only fetch are nameless."""
    found = []
    for row in rows:
        given = {name.lower(): value for name, value in row.items()}
        host, port, server_id = str(given["host"] or ""), int(str(given["port"] or 0)), str(given["server_id"])
        hosts = (host,) if host else tuple(dict.fromkeys(dumps))
        what = f"a replica of {node.name} with server_id {server_id}" + (f", {host}:{port}" if host else "")
        hint = "" if host else " (it reports no host: set report_host there)"
        found.append(Neighbour(hosts, port, what + hint, {"server_id": server_id}))
    nameless = len(dumps) - len(rows)
    found += [Neighbour((), 0, f"a replica of {node.name} that does not say where it is")] * max(0, nameless)
    return found
