"""What has been read of a transaction that has not ended yet?"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.binlog.events.gtid import Opening
from advisor.binlog.events.query import Query
from advisor.model.server import Family
from advisor.model.workload.transaction import Kind, MariadbFlag, Step, TableChange, Transaction

_STATEMENT_SHOWN: Final = 120  # characters of a DDL statement that are kept
_MOST_STEPS: Final = 10_000
_MOST_KEYS_OF_STEP: Final = 10_000
_ENDS_OF_XA: Final = (b"XA COMMIT", b"XA ROLLBACK", b"XA PREPARE", b"XA END")


class TableTally:
    """Rows and bytes of one table in one transaction. `unknown`: some rows could not be counted."""

    __slots__ = ("keys", "rows", "size_bytes", "unknown")

    def __init__(self) -> None:
        self.rows = [0, 0, 0]  # by RowChange
        self.size_bytes = 0
        self.unknown = False
        self.keys: set[int] | None = set()

    def change(self, table: str) -> TableChange:
        """What the transaction does to that table."""
        keys = None if self.keys is None else tuple(self.keys)
        if self.unknown:
            return TableChange(table, None, None, None, self.size_bytes, keys)
        inserted, updated, deleted = self.rows
        return TableChange(table, inserted, updated, deleted, self.size_bytes, keys)


class OpenTransaction:
    """A transaction from the event that opens it on."""

    __slots__ = (
        "_ddl",
        "_explicit",
        "_file",
        "_opening",
        "_server_id",
        "_step_open",
        "_steps",
        "_took_seconds",
        "began_seconds",
        "events",
        "packed_bytes",
        "payload_end",
        "position",
        "row_statements",
        "sql_statements",
        "statement",
        "tables",
        "unpacked_bytes",
        "unread",
    )  # fmt: skip

    def __init__(self, file: str, position: int, server_id: int, opening: Opening, explicit: bool) -> None:
        self._file, self.position, self._server_id, self._opening = file, position, server_id, opening
        self._explicit = explicit  # what follows goes on to COMMIT: BEGIN was read, or MariaDB says so
        self._ddl = False
        self._took_seconds: int | None = None
        self.began_seconds = 0
        self.events = 1
        self.row_statements = self.sql_statements = 0
        self.packed_bytes: int | None = None
        self.unpacked_bytes = self.payload_end = 0
        self.statement = ""
        self.tables: dict[str, TableTally] = {}
        self.unread = False
        self._steps: list[Step] = []
        self._step_open = False

    def add_step(self, part: Step, ends: bool) -> None:
        """A part of what a statement does to a table; `ends` says that its last rows are in it."""
        last = self._steps[-1] if self._steps else None
        if self._step_open and last and (last.table, last.change) == (part.table, part.change):
            rows = None if last.rows is None or part.rows is None else last.rows + part.rows
            keys = last.key_hashes + part.key_hashes if len(last.key_hashes) < _MOST_KEYS_OF_STEP else last.key_hashes
            self._steps[-1] = last._replace(rows=rows, key_hashes=keys)
        elif len(self._steps) < _MOST_STEPS:
            self._steps.append(part)
        self._step_open = not ends

    def query(self, query: Query) -> bool:
        """Take a statement; whether the transaction ends with it."""
        word = query.word
        if word in (b"BEGIN", b"XA") and not self._explicit and not query.text.upper().startswith(_ENDS_OF_XA):
            self._explicit = True
            return False
        if word in (b"COMMIT", b"ROLLBACK") and b" TO " not in query.text[:20].upper():
            return True
        if query.is_ddl:
            self._ddl, self._took_seconds = True, query.took_seconds
            self.statement = " ".join(query.text[: 2 * _STATEMENT_SHOWN].decode("utf-8", "replace").split())
            self.statement = self.statement[:_STATEMENT_SHOWN]
        elif query.is_change:
            self.sql_statements += 1
        return not self._explicit

    def ended(self, end: int, at_seconds: int) -> Transaction:
        """The transaction, whose last event ends at `end` and has that time."""
        opening = self._opening
        changes = tuple([tally.change(table) for table, tally in self.tables.items()])
        end = self.payload_end or end
        size_bytes = end - self.position
        if self.packed_bytes is not None:
            size_bytes += self.unpacked_bytes - self.packed_bytes
        return Transaction(
            self._file,
            self.position,
            end,
            self._server_id,
            opening.gtid,
            opening.original_us / 1e6 if opening.original_us else at_seconds,
            self.began_seconds or at_seconds,
            opening.original_us,
            opening.immediate_us,
            opening.last_committed,
            opening.sequence_number,
            opening.commit_id,
            opening.mariadb_flags,
            self._kind(),
            size_bytes,
            self.packed_bytes,
            self.events,
            self.row_statements + self.sql_statements,
            changes,
            self.statement,
            self._took_seconds,
            self.unread,
            tuple(self._steps),
        )

    def _kind(self) -> Kind:
        if self._ddl and not self.tables:
            return Kind.DDL
        if self.tables or self.unread:
            return Kind.MIXED if self.sql_statements else Kind.ROWS
        return Kind.STATEMENTS if self.sql_statements else Kind.OTHER


def opened(family: Family, file: str, position: int, server_id: int, opening: Opening) -> OpenTransaction:
    """A transaction whose GTID was read. MariaDB's goes on to COMMIT unless its flags say that it is one statement."""
    flags = opening.mariadb_flags or 0
    explicit = family is Family.MARIADB and not flags & MariadbFlag.STANDALONE
    return OpenTransaction(file, position, server_id, opening, explicit)
