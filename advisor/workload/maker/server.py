"""What does a running server tell of its load, besides the binary log? Digests, counters, keys, tables and sizes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from advisor.annotations import Final
from advisor.binlog.source.server_log import Place, end_of_log
from advisor.client import Session
from advisor.errors import ServerError
from advisor.model.record import record
from advisor.workload.maker.definitions import TableDefinition, stated_definitions
from advisor.workload.maker.digests import Digest, digest_of_row

_DIGESTS: Final = "SELECT * FROM performance_schema.events_statements_summary_by_digest"
_TRANSACTIONS: Final = "SELECT SUM(COUNT_STAR) FROM performance_schema.events_transactions_summary_global_by_event_name"
_KEYS: Final = (
    "SELECT c.TABLE_SCHEMA AS db, c.TABLE_NAME AS name, c.ORDINAL_POSITION AS place FROM information_schema.COLUMNS c"
    " JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME"
    " AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'"
    " WHERE c.TABLE_SCHEMA NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')"
    " ORDER BY k.TABLE_SCHEMA, k.TABLE_NAME, k.ORDINAL_POSITION"
)
_SIZE: Final = "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s"


@record
class ServerLook:
    """Where a server's log ends at one time, and what it has counted until then.

    `digests` and `transactions` are None where it does not count them.
    """

    at_seconds: float
    place: Place
    status: Mapping[str, str]
    digests: tuple[Digest, ...] | None
    transactions: int | None


def look(session: Session) -> ServerLook:
    """Read the counters; what the user may not read is None."""
    place, at_seconds = end_of_log(session), time.monotonic()
    status = session.pairs("SHOW GLOBAL STATUS")
    digests, transactions = None, None
    try:
        if str(session.value("SELECT @@GLOBAL.performance_schema")) in ("1", "ON"):
            rows = ({name.lower(): value for name, value in row.items()} for row in session.rows(_DIGESTS))
            digests = tuple(found for row in rows if (found := digest_of_row(row)))
            transactions = int(float(str(session.value(_TRANSACTIONS) or 0))) or None
    except ServerError:  # without the privilege to read performance_schema
        pass
    return ServerLook(at_seconds, place, status, digests, transactions)


def key_columns(session: Session) -> dict[str, tuple[int, ...]]:
    """The positions of the columns of every primary key, from 0, by "database.table"."""
    found: dict[str, tuple[int, ...]] = {}
    for row in session.rows(_KEYS):
        name = f"{row['db']}.{row['name']}"
        found[name] = (*found.get(name, ()), int(str(row["place"])) - 1)
    return found


def definitions(session: Session, tables: Iterable[str]) -> dict[str, TableDefinition]:
    """How tables are made, by "database.table"; those that are gone, or that the user may not see, are left out."""
    found = {}
    for name in tables:
        database, _, table = name.partition(".")
        try:
            row = session.rows(f"SHOW CREATE TABLE {_quoted(database)}.{_quoted(table)}")[0]
        except ServerError:
            continue
        for definition in stated_definitions(str(row.get("Create Table"))).values():
            found[name] = definition
    return found


def sizes(session: Session, tables: Iterable[str]) -> dict[str, int]:
    """About how many rows tables have, by "database.table"."""
    found = {}
    for name in tables:
        database, _, table = name.partition(".")
        rows = session.value(_SIZE, database, table)
        if rows is not None:
            found[name] = int(str(rows))
    return found


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
