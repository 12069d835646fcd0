"""How far is a MariaDB member? The last sequence number of every replication domain, written, received and applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.gtid.positions import ahead, of_server, sequences
from advisor.model.progress import Position
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies.positions.rates import Step
from advisor.topologies.positions.read_member import Values, if_allowed

RETRIES: Final = "Retried_transactions"
_WRITTEN: Final = (
    "SELECT @@GLOBAL.gtid_binlog_state AS gtid_binlog_state, @@GLOBAL.gtid_slave_pos AS gtid_slave_pos,"
    " @@GLOBAL.log_bin AS log_bin, @@GLOBAL.server_id AS server_id"
)
_KEPT: Final = ("Using_Gtid", "Gtid_IO_Pos", "Replicate_Do_Domain_Ids", "Replicate_Ignore_Domain_Ids")
_STATES: Final = {"Yes": "ON", "No": "OFF", "Connecting": "CONNECTING", "Preparing": "CONNECTING"}  # MySQL's words


def read(node: Node) -> Values:
    """The values of a position: one statement, and for what replicates or did so `SHOW ALL SLAVES STATUS` (0.9 ms)."""
    values: Values = dict(node.session.rows(_WRITTEN)[0])
    if node.role is Role.REPLICA or values.get("gtid_slave_pos"):  # a source that never replicated is not asked
        rows = if_allowed(node, node.dialect.show_channels)
        if rows is None:
            return values
        values["channels"] = len(rows)
        for name in _KEPT:
            values[name] = ",".join(str(row[name]) for row in rows if row.get(name))
        for threads, column in (("receivers", "Slave_IO_Running"), ("appliers", "Slave_SQL_Running")):
            values[threads] = ",".join(_STATES.get(str(row.get(column)), "") for row in rows)
        values["Retried_transactions"] = sum(int(str(row.get("Retried_transactions") or 0)) for row in rows)
    return values


def is_from(position: Position) -> bool:
    """Whether a position was read from MariaDB."""
    return "gtid_binlog_state" in position.values


def written(position: Position) -> dict[int, int] | None:
    """Domain → sequence number of what a member has in its binary log; None without one."""
    return sequences(str(position.values["gtid_binlog_state"])) if position.values.get("log_bin") else None


def own_commits(step: Step) -> float | None:
    """How many transactions of its own clients a member committed between two positions.

    Its sequence numbers have no gaps as long as no other server writes to its domain; otherwise only "none" is certain.
    """
    if step.before is None or not step.now.values.get("log_bin") or not step.before.values.get("log_bin"):
        return None
    server = int(str(step.now.values["server_id"]))
    first, last = (str(at.values["gtid_binlog_state"]) for at in (step.before, step.now))
    began, ended = of_server(first, server), of_server(last, server)
    grown = {domain for domain, sequence in ended.items() if sequence != began.get(domain, 0)}
    if any(sequences(first).get(domain, 0) != began.get(domain, 0) for domain in grown):
        return None
    rise = sum(ended[domain] - began.get(domain, 0) for domain in grown)
    return rise if rise >= 0 else None


def behind(position: Position, wanted: Mapping[int, int] | None) -> tuple[int | None, int | None]:
    """The backlog in the domains the member replicates, and the part of it not received yet."""
    if wanted is None:
        return None, None
    values = position.values
    only = _domains(values.get("Replicate_Do_Domain_Ids"))
    not_these = _domains(values.get("Replicate_Ignore_Domain_Ids"))
    wanted = {domain: at for domain, at in wanted.items() if (not only or domain in only) and domain not in not_these}
    backlog = ahead(wanted, sequences(str(values["gtid_slave_pos"] or "")))
    if values.get("Using_Gtid") in (None, "", "No"):
        return backlog, None
    return backlog, min(backlog, ahead(wanted, sequences(str(values["Gtid_IO_Pos"] or ""))))


def applied(position: Position) -> int:
    """How many transactions of others a member has applied, counted from the first of every domain."""
    return sum(sequences(str(position.values["gtid_slave_pos"] or "")).values())


def _domains(text: object) -> set[int]:
    return {int(word) for word in str(text or "").replace(" ", "").split(",") if word.isdecimal()}
