"""What does the JSON report of `advisor workload show` contain? The file in schemas/ is made from these dataclasses."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.workload.log import LogFile, LogNote
from advisor.model.workload.shape import Spread, Workload
from advisor.model.workload.transaction import Transaction

SCHEMA: Final = "advisor/workload/1"


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file, and the server that wrote it."""

    name: str
    family: str
    server_version: str
    server_id: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class NotRead:
    """What could not be read or does not fit. `position` 0: the file as a whole."""

    file: str
    position: int
    text: str
    times: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """A quantity over `count` transactions; within 2 %, but `most` and `mean` are exact."""

    count: int
    median: float
    mean: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class Period:
    """What was committed from a time on, in seconds since 1970."""

    begin_seconds: int
    transactions: int
    rows: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TableChanged:
    """A table. Rows null: not counted. `has_key` null: the log does not tell."""

    table: str
    transactions: int
    inserted: int | None
    updated: int | None
    deleted: int | None
    size_bytes: int
    has_key: bool | None


@dataclass(frozen=True, slots=True)
class HotRowFound:
    """A row that is changed again and again, at least so many times; `share` of the changes of its table."""

    table: str
    changes: int
    share: float


@dataclass(frozen=True, slots=True)
class OneTransaction:
    """One transaction by its place. `gtid` "" without one. `rows` null: not known.

    `committed_seconds` and `began_seconds` since 1970. `statement` is the beginning of DDL, `took_seconds` its time.
    """

    file: str
    position: int
    gtid: str
    committed_seconds: float
    began_seconds: int
    size_bytes: int
    rows: int | None
    tables: list[str]
    statement: str
    took_seconds: int | None


@dataclass(frozen=True, slots=True)
class WorkloadDocument:
    """The report. Null is what the log does not tell; `groups_unknown` says why `committed_together` is null.

    `rows` is of transactions whose rows are known, `unknown_rows` counts the others. `hot_rows` null: not asked for.
    """

    schema: str
    family: str
    files: list[FileRead]
    not_read: list[NotRead]
    transactions: int
    first_seconds: float
    last_seconds: float
    interval_seconds: int
    intervals: list[Period]
    rows: Sizes
    unknown_rows: int
    size_bytes: Sizes
    statements: Sizes
    packed_bytes: int | None
    tiny: int
    huge: int
    huge_bytes: int
    inserted: int
    updated: int
    deleted: int
    by_kind: dict[str, int]
    tables: list[TableChanged]
    largest: list[OneTransaction]
    ddl: list[OneTransaction]
    ddl_count: int
    committed_together: Sizes | None
    groups_unknown: str
    commit_delay_ms: Sizes | None
    hot_rows: list[HotRowFound] | None
    domains: list[int]
    clock_jumps: int


def document(load: Workload) -> WorkloadDocument:
    """The load as the JSON report has it."""
    return WorkloadDocument(
        schema=SCHEMA,
        family=str(load.family),
        files=files_read(load.files),
        not_read=not_read(load.notes),
        transactions=load.transactions,
        first_seconds=load.first_seconds,
        last_seconds=load.last_seconds,
        interval_seconds=load.interval_seconds,
        intervals=[Period(i.begin_seconds, i.transactions, i.rows, i.size_bytes) for i in load.intervals],
        rows=_sizes(load.rows),
        unknown_rows=load.unknown_rows,
        size_bytes=_sizes(load.size_bytes),
        statements=_sizes(load.statements),
        packed_bytes=load.packed_bytes,
        tiny=load.tiny,
        huge=load.huge,
        huge_bytes=load.huge_bytes,
        inserted=load.inserted,
        updated=load.updated,
        deleted=load.deleted,
        by_kind=dict(load.by_kind),
        tables=[
            TableChanged(t.table, t.transactions, t.inserted, t.updated, t.deleted, t.size_bytes, t.has_key)
            for t in load.tables
        ],
        largest=[one_transaction(each) for each in load.largest],
        ddl=[one_transaction(each) for each in load.ddl],
        ddl_count=load.ddl_count,
        committed_together=_sizes(load.groups.sizes) if load.groups.sizes else None,
        groups_unknown=load.groups.unknown,
        commit_delay_ms=_sizes(load.commit_delay_ms) if load.commit_delay_ms else None,
        hot_rows=None
        if load.hot_rows is None
        else [HotRowFound(row.table, row.changes, row.share) for row in load.hot_rows],
        domains=list(load.domains),
        clock_jumps=load.clock_jumps,
    )


def render(load: Workload) -> str:
    """The document as UTF-8 text, indented by two."""
    return json.dumps(asdict(document(load)), indent=2, ensure_ascii=False) + "\n"


def files_read(files: tuple[LogFile, ...]) -> list[FileRead]:
    """The files of a log."""
    return [FileRead(f.name, str(f.family), f.server_version, f.server_id, f.size_bytes) for f in files]


def not_read(notes: tuple[LogNote, ...]) -> list[NotRead]:
    """What could not be read."""
    return [NotRead(note.file, note.position, note.text, note.times) for note in notes]


def one_transaction(each: Transaction) -> OneTransaction:
    """A transaction by its place."""
    return OneTransaction(
        file=each.file,
        position=each.position,
        gtid=str(each.gtid) if each.gtid else "",
        committed_seconds=each.at_seconds,
        began_seconds=each.began_seconds,
        size_bytes=each.size_bytes,
        rows=each.rows,
        tables=[change.table for change in each.changes],
        statement=each.statement,
        took_seconds=each.took_seconds,
    )


def _sizes(spread: Spread) -> Sizes:
    return Sizes(spread.count, spread.median, round(spread.mean, 3), spread.p99, spread.most)
