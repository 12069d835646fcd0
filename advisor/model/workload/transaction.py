"""What does a binary log say of one transaction? Tuples, because a log has millions of them."""

from __future__ import annotations

from enum import IntEnum, IntFlag, StrEnum
from typing import NamedTuple
from uuid import UUID


class MysqlGtid(NamedTuple):
    """A transaction's id in MySQL: the source's UUID in 16 bytes, a number, and a tag, mostly empty."""

    source: bytes
    number: int
    tag: str = ""

    def __str__(self) -> str:
        return ":".join(filter(None, (str(UUID(bytes=self.source)), self.tag, str(self.number))))


class MariadbGtid(NamedTuple):
    """A transaction's id in MariaDB: domain, server, and a number in the domain."""

    domain: int
    server: int
    number: int

    def __str__(self) -> str:
        return f"{self.domain}-{self.server}-{self.number}"


class MariadbFlag(IntFlag):
    """What MariaDB says of a transaction in its GTID event (sql/log_event.h, Gtid_log_event)."""

    STANDALONE = 1  # one statement without COMMIT: DDL and the like
    GROUP_COMMIT = 2  # committed in a group with others
    TRANSACTIONAL = 4  # can be rolled back
    ALLOW_PARALLEL = 8
    WAITED = 16  # waited for a row lock on the source
    DDL = 32
    PREPARED_XA = 64
    COMPLETED_XA = 128


class RowChange(IntEnum):
    """What a statement does to rows."""

    INSERT = 0
    UPDATE = 1
    DELETE = 2


class Kind(StrEnum):
    """What a transaction consists of."""

    ROWS = "rows"  # row events
    STATEMENTS = "statements"  # changes logged as SQL
    MIXED = "mixed"  # both
    DDL = "ddl"
    OTHER = "other"  # GRANT, FLUSH, XA COMMIT, an empty transaction


class TableChange(NamedTuple):
    """What a transaction changes in one table; rows are None where they were not counted or could not be read.

    `key_hashes` are those of the rows' keys, () unless they were asked for, None where the table's key is not known.
    """

    table: str
    inserted: int | None
    updated: int | None
    deleted: int | None
    size_bytes: int
    key_hashes: tuple[int, ...] | None = ()

    @property
    def rows(self) -> int | None:
        """Rows changed."""
        if self.inserted is None or self.updated is None or self.deleted is None:
            return None
        return self.inserted + self.updated + self.deleted


class Step(NamedTuple):
    """What one statement does to one table, as its rows events show it.

    `rows` is None where they could not be counted. `columns` are the positions of the columns whose values an UPDATE
    changed in its first row. `lengths` are those of the values of its first row in bytes, -1 of NULL, -2 of a column
    that is not in the log. `key_hashes` are those of the rows' keys in their order, () where the key is not known.
    """

    table: str
    change: RowChange
    rows: int | None
    columns: tuple[int, ...]
    lengths: tuple[int, ...]
    key_hashes: tuple[int, ...]


class Transaction(NamedTuple):
    """One transaction. None is what this log does not tell.

    `file` and `position` are where its first event begins, `end` where its last one ends. `at_seconds` is when it
    committed by the source's clock (MySQL: exactly; MariaDB: when its last statement began, in whole seconds), and
    `began_seconds` when its first statement began, in whole seconds. `original_us` and `immediate_us` are MySQL's
    commit times on the source and on the server that wrote this log, in microseconds since 1970. `size_bytes` is that
    of its events, unpacked; `packed_bytes` the size in the file if it is compressed. `statements` counts SQL
    statements; `statement` is the beginning of DDL, and `took_seconds` how long that took. `unread` says that a part
    was too large or could not be unpacked. `steps` are its statements in their order, () unless they were asked for.
    """

    file: str
    position: int
    end: int
    server_id: int
    gtid: MysqlGtid | MariadbGtid | None
    at_seconds: float
    began_seconds: int
    original_us: int | None
    immediate_us: int | None
    last_committed: int | None
    sequence_number: int | None
    commit_id: int | None
    mariadb_flags: int | None
    kind: Kind
    size_bytes: int
    packed_bytes: int | None
    events: int
    statements: int
    changes: tuple[TableChange, ...]
    statement: str = ""
    took_seconds: int | None = None
    unread: bool = False
    steps: tuple[Step, ...] = ()

    @property
    def rows(self) -> int | None:
        """Rows changed; None where they are not known, also of statements."""
        if self.kind in (Kind.STATEMENTS, Kind.MIXED) or self.unread:
            return None
        counts = [change.rows for change in self.changes]
        return None if None in counts else sum(count for count in counts if count is not None)
