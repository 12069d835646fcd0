"""Does the new release replicate from the old one? A replica of the new release, and transactions on the old one."""

from __future__ import annotations

import re
import time
from typing import Final

from advisor.errors import ServerError
from advisor.model.move.rehearsal import ReplicationTrial
from advisor.model.record import replace
from advisor.nodes import Node, replication_problems

TRANSACTIONS: Final = 200
_PATIENCE_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.2
_WANTS_TLS: Final = "SSL is required"
_SCHEMA: Final = "advisor_rehearsal"
_TABLE: Final = f"{_SCHEMA}.orders"
_CREATE: Final = (
    f"CREATE DATABASE {_SCHEMA}",
    f"CREATE TABLE {_TABLE} (id INT PRIMARY KEY, customer INT, price DECIMAL(10,2), note VARCHAR(60), KEY (customer))",
)


def replicate(old: Node, new: Node) -> ReplicationTrial:
    """Let the new server follow the old one from here on, write on the old one, and compare the rows.

    Where the new server insists on TLS and the old one has none, it is tried again without, and the report says so.
    """
    try:
        file, position = _position(old)
        if not file:
            return ReplicationTrial(False, why="the old server writes no binary log")
        _follow(new, old, file, position)
        _write(old)
        trial = _compared(old, new)
        if trial.alike or _WANTS_TLS not in trial.why:
            return trial
        for statement in ("STOP SLAVE", "CHANGE MASTER TO MASTER_SSL=0", "START SLAVE"):
            new.session.run(statement)
        again = _compared(old, new)
        return replace(again, why=f"only with MASTER_SSL=0; otherwise: {trial.why}" if again.alike else again.why)
    except ServerError as error:
        return ReplicationTrial(True, why=error.message)


def _position(old: Node) -> tuple[str, int]:
    """Where the old server's binary log ends; ("", 0) where it has none."""
    for statement in ("SHOW BINARY LOG STATUS", "SHOW MASTER STATUS"):
        try:
            rows = old.session.rows(statement)
        except ServerError:
            continue
        return (str(rows[0]["File"]), int(str(rows[0]["Position"]))) if rows else ("", 0)
    return "", 0


def _follow(new: Node, old: Node, file: str, position: int) -> None:
    """By file and position: that works with and without GTIDs, and across the families where anything does."""
    by_position = re.sub(
        r"(\w+)_AUTO_POSITION=1", r"\1_AUTO_POSITION=0, \1_LOG_FILE=%s, \1_LOG_POS=%s", new.dialect.follow
    )
    by_position = re.sub(r"(\w+)_USE_GTID=\w+", r"\1_USE_GTID=no, \1_LOG_FILE=%s, \1_LOG_POS=%s", by_position)
    at = old.replication
    new.session.rows(by_position, at.host, at.port, at.user, at.password, file, position)
    new.session.run(new.dialect.start_replica)


def _write(old: Node) -> None:
    """Transactions of several statements on a table of their own."""
    for statement in _CREATE:
        old.session.run(statement)
    for number in range(TRANSACTIONS):
        rows = range(number * 3, number * 3 + 3)
        values = ", ".join(f"({row}, {row % 17}, {row}.25, 'order {row}')" for row in rows)
        old.session.run("START TRANSACTION")
        old.session.run(f"INSERT INTO {_TABLE} VALUES {values}")
        old.session.run(f"UPDATE {_TABLE} SET price = price + 1 WHERE customer = {number % 17}")
        if number % 5 == 0:
            old.session.run(f"DELETE FROM {_TABLE} WHERE id = {number}")
        old.session.run("COMMIT")


def _compared(old: Node, new: Node) -> ReplicationTrial:
    """Wait until the new server has the same rows, or says what is wrong for a while."""
    began, wanted = time.monotonic(), _sum(old)
    problems: list[str] = []
    while (waited := time.monotonic() - began) < _PATIENCE_SECONDS:
        problems = replication_problems(new)
        if problems and waited > _PATIENCE_SECONDS / 3:
            break
        try:
            if _sum(new) == wanted:
                return ReplicationTrial(True, TRANSACTIONS, True, round(waited, 1))
        except ServerError:
            pass  # the table has not arrived yet
        time.sleep(_POLL_SECONDS)
    told = problems[0] if problems else f"not everything had been applied after {_PATIENCE_SECONDS:.0f} s"
    return ReplicationTrial(True, TRANSACTIONS, False, why=told)


def _sum(node: Node) -> tuple[str, ...]:
    """A sum over all rows that means the same on every release."""
    columns = (
        "COUNT(*) AS n, SUM(id) AS ids, SUM(price) AS prices, SUM(CRC32(CONCAT_WS('#', id, customer, price, note)))"
    )
    return tuple(str(value) for value in node.session.rows(f"SELECT {columns} AS crc FROM {_TABLE}")[0].values())
