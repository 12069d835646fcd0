"""What is the load, as a binary log shows it? Rates over time, sizes of transactions, tables, groups, DDL."""

from __future__ import annotations

from advisor.model.record import record
from advisor.model.server import Family
from advisor.model.workload.log import LogFile, LogNote
from advisor.model.workload.transaction import Transaction


@record
class Spread:
    """How large something is: of so many transactions the half is at most `median`, 99 % are at most `p99`.

    All but `most` and `total` are within 2 %. `count` 0: nothing is known of it.
    """

    count: int
    median: float
    p99: float
    most: float
    total: float

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.count if self.count else 0.0


@record
class Interval:
    """What was committed from `begin_seconds` (since 1970) on, for as long as the load's `interval_seconds`.

    `rows` are those counted.
    """

    begin_seconds: int
    transactions: int
    rows: int
    size_bytes: int


@record
class TableLoad:
    """What is changed in one table. Rows are None where some could not be counted.

    `has_key`: whether it has a primary key, None where the log does not tell.
    """

    table: str
    transactions: int
    inserted: int | None
    updated: int | None
    deleted: int | None
    size_bytes: int
    has_key: bool | None


@record
class HotRow:
    """A row that is changed again and again: at least `changes` times, a share of the changes of its table."""

    table: str
    changes: int
    share: float


@record
class CommitGroups:
    """How many transactions committed together on the source. `sizes` is None where the log does not tell: `unknown`
    says why."""

    sizes: Spread | None
    alone_share: float | None
    unknown: str = ""


@record
class ClockJump:
    """Where the commit time of a transaction is before that of an earlier one, by so many seconds."""

    file: str
    position: int
    seconds: float


@record
class Workload:
    """The load of a log. Spreads are over transactions; None is what this log does not tell.

    `rows` is of transactions of which all rows are known, `unknown_rows` counts the others. `commit_delay_ms` is from
    commit on the source to commit on the server that wrote the log. `tiny` are transactions of one row at most, `huge`
    those of 1 MiB or 1,000 rows and more. `inserted`, `updated`, `deleted` are rows. `hot_rows` is None unless keys
    were read.
    """

    family: Family
    files: tuple[LogFile, ...]
    notes: tuple[LogNote, ...]
    transactions: int
    first_seconds: float
    last_seconds: float
    interval_seconds: int
    intervals: tuple[Interval, ...]
    rows: Spread
    unknown_rows: int
    size_bytes: Spread
    statements: Spread
    packed_bytes: int | None
    tiny: int
    huge: int
    huge_bytes: int
    inserted: int
    updated: int
    deleted: int
    by_kind: dict[str, int]
    tables: tuple[TableLoad, ...]
    largest: tuple[Transaction, ...]
    ddl: tuple[Transaction, ...]
    ddl_count: int
    groups: CommitGroups
    commit_delay_ms: Spread | None
    hot_rows: tuple[HotRow, ...] | None
    domains: tuple[int, ...]
    clock_jumps: int
    first_clock_jump: ClockJump | None

    @property
    def seconds(self) -> float:
        """From the first commit to the last."""
        return self.last_seconds - self.first_seconds
