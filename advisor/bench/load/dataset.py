"""Does every member have the data set? It is created once per cluster, size and mix; tables that grow are emptied.

The schema advisor_bench holds it: t1 … tN with the requested rows, inserted_t1 … inserted_tN for inserts, and
`data_sets`, which records what was created. The rows are the same whenever and wherever they are created.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Final

from advisor.bench.load.workloads import DATABASE, Workload, check_load
from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.errors import LabError, ServerError
from advisor.model.lab import Address, ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record

_ROWS: Final = "rows"  # the entry of data_sets for t1 … tN
_TOKEN: Final = "token"  # the entry that identifies the last preparation
_MANY_ROWS: Final = 100_000  # in a table; filling it takes seconds
_ROWS_PER_STATEMENT: Final = 1000
_ANSWER_SECONDS: Final = 600.0  # a commit may wait for a slow replica
_TABLES_AT_ONCE: Final = 4
_POLL_SECONDS: Final = 0.05
_NO_SUCH_TABLE: Final = 1146
_UNKNOWN_DATABASE: Final = 1049
_COLUMNS: Final = (
    "id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, k INT UNSIGNED NOT NULL, "
    "body CHAR(120) CHARACTER SET latin1 NOT NULL, pad CHAR(60) CHARACTER SET latin1 NOT NULL, KEY k (k)"
)


@record
class Dataset:
    """The data a load runs on. `made_seconds` 0.0: it existed already."""

    database: str
    tables: int
    rows_per_table: int
    made_seconds: float = 0.0


def prepare(
    cluster: ClusterFile, load: Load, tell: Callable[[str], None], patience_seconds: float = _ANSWER_SECONDS
) -> Dataset:
    """Create the data set through the first writer if missing; empty what grew; wait until every member has it.

    UsageError when the load is not valid, LabError when a member does not have it in time, ServerError from servers.
    """
    workload = check_load(load, tuple(member.name for member in cluster.members))
    wanted = _wanted(workload, load)
    tables = range(1, load.tables + 1) if _ROWS in wanted else range(0)
    known = addresses(cluster)
    began = time.monotonic()
    with connect(known[load.writers[0]], answer_seconds=patience_seconds) as writer:
        existing = _existing(writer)
        if existing.get(_ROWS) == wanted.get(_ROWS) and not _complete(writer, tables, load.rows_per_table):
            existing = {}  # rows are missing
        made = not existing or any(existing.get(name) != state for name, state in wanted.items())
        if made:
            if wanted:
                tell(f"creating the data set: {wanted.get(_ROWS, 'the tables of the mix')}")
            _make(writer, known[load.writers[0]], workload, load, existing, wanted, tell)
        _empty_what_grew(writer, tables)
        _run_in(writer, workload.database, workload.mix.reset if workload.mix else ())
        # A member that has this token has all of the above.
        token = str(time.time_ns())
        _note(writer, _TOKEN, token)
    for member in cluster.members:
        _wait_for(member.name, known[member.name], tables, load.rows_per_table, token, patience_seconds)
    seconds = round(time.monotonic() - began, 3) if made else 0.0
    return Dataset(workload.database, load.tables, load.rows_per_table, seconds)


def remove(cluster: ClusterFile, writer: str) -> None:
    """Drop the schema; LabError when it was not created by advisor. A user's own database is kept."""
    with connect(addresses(cluster)[writer], answer_seconds=_ANSWER_SECONDS) as session:
        _existing(session)
        session.run(f"DROP DATABASE IF EXISTS {DATABASE}")


def _wanted(workload: Workload, load: Load) -> dict[str, str]:
    """What must have been created: name → state. A mix with its own database needs no tables of ours."""
    wanted = {}
    if workload.database == DATABASE:
        wanted[_ROWS] = f"{load.tables} tables of {load.rows_per_table} rows"
    if workload.mix and workload.mix.prepare:
        digest = sha256("\n".join([workload.database, *workload.mix.prepare]).encode()).hexdigest()
        wanted[f"mix {digest[:20]}"] = "prepared"
    return wanted


def _existing(session: Session) -> dict[str, str]:
    """What was created: name → state; {} without our schema. LabError when the schema is not ours."""
    try:
        return session.pairs(f"SELECT name, state FROM {DATABASE}.data_sets")
    except ServerError as error:
        if error.number not in (_NO_SUCH_TABLE, _UNKNOWN_DATABASE):
            raise
    if session.value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = %s", DATABASE):
        raise LabError(
            f"the schema {DATABASE} was not created by advisor", hint="rename or drop it: bench would overwrite it"
        )
    return {}


def _make(
    writer: Session, address: Address, workload: Workload, load: Load, existing: Mapping[str, str],
    wanted: Mapping[str, str], tell: Callable[[str], None],
) -> None:  # fmt: skip
    if _ROWS in wanted and existing.get(_ROWS) != wanted[_ROWS]:
        _make_tables(writer, address, load, tell)
    _make_schema(writer)
    _run_in(writer, workload.database, workload.mix.prepare if workload.mix else ())
    for name, state in wanted.items():
        _note(writer, name, state)


def _make_tables(writer: Session, address: Address, load: Load, tell: Callable[[str], None]) -> None:
    writer.run(f"DROP DATABASE IF EXISTS {DATABASE}")
    _make_schema(writer)
    names = [f"t{number}" for number in range(1, load.tables + 1)]
    for name in names:
        writer.run(*(f"CREATE TABLE {DATABASE}.{kind}{name} ({_COLUMNS}) ENGINE=InnoDB" for kind in ("", "inserted_")))
    given_up = threading.Event()
    with ThreadPoolExecutor(max_workers=_TABLES_AT_ONCE) as pool:
        try:
            filled = pool.map(lambda name: _fill(address, f"{DATABASE}.{name}", load.rows_per_table, given_up), names)
            for name, _ in zip(names, filled, strict=True):
                if load.rows_per_table >= _MANY_ROWS:
                    tell(f"filled {name} of {len(names)} tables")
        except BaseException:  # Ctrl-C as well: do not wait for the others
            given_up.set()
            raise


def _make_schema(writer: Session) -> None:
    """`data_sets` is created first, so that what an interrupted run leaves is recognised as ours."""
    writer.run(
        f"CREATE DATABASE IF NOT EXISTS {DATABASE}",
        f"CREATE TABLE IF NOT EXISTS {DATABASE}.data_sets ("
        "name VARCHAR(64) NOT NULL PRIMARY KEY, state VARCHAR(64) NOT NULL) ENGINE=InnoDB",
    )


def _fill(address: Address, table: str, rows: int, given_up: threading.Event) -> None:
    """Statements of 1000 rows, each a transaction: below any size limit, yet fast."""
    draw = random.Random(f"{table} {rows}")
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        for first in range(1, rows + 1, _ROWS_PER_STATEMENT):
            if given_up.is_set():
                return
            last = min(first + _ROWS_PER_STATEMENT - 1, rows)
            lines = (f"({at},{draw.randint(1, rows)},'{_digits(draw, 120)}','{_digits(draw, 60)}')"
                     for at in range(first, last + 1))  # fmt: skip
            session.run(f"INSERT INTO {table} (id, k, body, pad) VALUES {','.join(lines)}")


def _digits(draw: random.Random, length: int) -> str:
    return f"{draw.randrange(10**length):0{length}d}"


def _note(session: Session, name: str, state: str) -> None:
    session.rows(f"REPLACE INTO {DATABASE}.data_sets (name, state) VALUES (%s, %s)", name, state)


def _run_in(session: Session, database: str, statements: Sequence[str]) -> None:
    if statements:
        session.run(f"USE `{database}`", *statements)


def _empty_what_grew(writer: Session, tables: range) -> None:
    for number in tables:
        table = f"{DATABASE}.inserted_t{number}"
        if writer.value(f"SELECT 1 FROM {table} LIMIT 1"):
            writer.run(f"TRUNCATE TABLE {table}")


def _wait_for(name: str, address: Address, tables: range, rows: int, token: str, patience_seconds: float) -> None:
    until = time.monotonic() + patience_seconds
    with connect(address, answer_seconds=patience_seconds) as session:
        while _token(session) != token or not _complete(session, tables, rows):
            if time.monotonic() > until:
                raise LabError(f"{name} has not received the data set after {patience_seconds:.0f} s")
            time.sleep(_POLL_SECONDS)


def _token(session: Session) -> str:
    try:
        return str(session.value(f"SELECT state FROM {DATABASE}.data_sets WHERE name = %s", _TOKEN))
    except ServerError as error:
        if error.number in (_NO_SUCH_TABLE, _UNKNOWN_DATABASE):
            return ""
        raise


def _complete(session: Session, tables: range, rows: int) -> bool:
    """Appliers that do not preserve commit order may show the token before the rows: so count the rows."""
    return all(session.value(f"SELECT COUNT(*) FROM {DATABASE}.t{number}") == rows for number in tables)
