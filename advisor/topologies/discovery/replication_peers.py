"""Which members does a source or replica know? A replica its sources, a source its replicas."""

from __future__ import annotations

from typing import Final

from advisor.errors import ServerError
from advisor.model.discovery import Membership, Neighbour
from advisor.model.evidence import Scalar
from advisor.model.server import Family, Role
from advisor.nodes import Node

Rows = list[dict[str, Scalar]]
_REFUSED: Final = (1044, 1142, 1227)  # access denied to a database, to a table, by a missing privilege
_OF_A_GROUP: Final = ("group_replication_applier", "group_replication_recovery")


def recognises(node: Node) -> Membership | None:
    """The member's role and peers; None when it neither replicates from a server nor is replicated from."""
    unknowns: list[str] = []
    sources = [
        row
        for row in _rows_if_allowed(node, node.dialect.show_channels, "REPLICATION CLIENT", unknowns)
        if row.get("Channel_Name") not in _OF_A_GROUP
    ]
    replicas = _rows_if_allowed(node, node.dialect.show_replicas, "REPLICATION SLAVE", unknowns)
    dumps = _dumps(node)
    neighbours = [*(_source(node, row) for row in sources), *_replicas(node, replicas, dumps)]
    if not neighbours and not unknowns:
        return None
    return Membership(Role.REPLICA if sources else Role.SOURCE, tuple(neighbours), tuple(unknowns))


def _rows_if_allowed(node: Node, statement: str, privilege: str, unknowns: list[str]) -> Rows:
    """The rows of a statement; one that is refused becomes an unknown."""
    if node.dialect.family is Family.MARIADB:
        privilege = {"REPLICATION CLIENT": "REPLICA MONITOR", "REPLICATION SLAVE": "REPLICATION MASTER ADMIN"}[
            privilege
        ]
    try:
        return node.session.rows(statement)
    except ServerError as error:
        if error.number not in _REFUSED:
            raise
        unknowns.append(f"{node.name} refuses {statement}; GRANT {privilege} ON *.* allows it")
        return []


def _dumps(node: Node) -> list[str]:
    """The hosts that fetch the binary log now; without PROCESS a server shows only our own threads, silently."""
    rows = [{name.lower(): str(value) for name, value in row.items()} for row in node.session.rows("SHOW PROCESSLIST")]
    return [row["host"].rpartition(":")[0] or row["host"] for row in rows if row["command"].startswith("Binlog Dump")]


def _source(node: Node, row: dict[str, Scalar]) -> Neighbour:
    words = node.dialect
    host, port = str(row[words.source_host]), int(str(row[words.source_port]))
    identity = {"server_id": str(row[words.source_server_id])} if row.get(words.source_server_id) else {}
    return Neighbour((host,), port, f"the source of {node.name}, {host}:{port}", identity)


def _replicas(node: Node, rows: Rows, dumps: list[str]) -> list[Neighbour]:
    """Registered replicas, at the host they report or else at any host that fetches; the others stay nameless."""
    neighbours = []
    for row in rows:
        given = {name.lower(): value for name, value in row.items()}
        host, port, server_id = str(given["host"] or ""), int(str(given["port"] or 0)), str(given["server_id"])
        hosts = (host,) if host else tuple(dict.fromkeys(dumps))
        what = f"a replica of {node.name} with server_id {server_id}" + (f", {host}:{port}" if host else "")
        hint = "" if host else " (it reports no host; set report_host on it)"
        neighbours.append(Neighbour(hosts, port, what + hint, {"server_id": server_id}))
    nameless = len(dumps) - len(rows)
    neighbours += [Neighbour((), 0, f"a replica of {node.name} that does not report its address")] * max(0, nameless)
    return neighbours
