"""Which transactions are in a stream of events? Gathers the events from each GTID to the end of its transaction."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator

from advisor.annotations import Final
from advisor.binlog.changed_rows import ChangedRows, Wanted
from advisor.binlog.events.format_description import FormatDescription, read_format_description
from advisor.binlog.events.gtid import Opening, read_mariadb_gtid, read_mysql_gtid, read_tagged_gtid
from advisor.binlog.events.payload import NEEDS, open_payload
from advisor.binlog.events.query import read_query
from advisor.binlog.events.table_map import TableMap
from advisor.binlog.events.types import ROW_CHANGES, EventType
from advisor.binlog.events.walk import HEADER, Event, walk
from advisor.binlog.open_transaction import OpenTransaction, opened
from advisor.model.server import Family
from advisor.model.workload.transaction import Transaction

_STATEMENT_ENDS: Final = 1  # a flag of rows events
_ROTATE_POSITION_BYTES: Final = 8  # in front of the name in a Rotate event
CORRUPT: Final = (IndexError, struct.error, zlib.error, ValueError, EOFError, OSError)


class TransactionReader:
    """Makes transactions of the events of one file, or of one server's stream.

    `tables` gets the table maps, by table; `note` gets the position and one line for what cannot be read;
    reading goes on with what is left.
    """

    def __init__(
        self, file: str, wanted: Wanted, tables: dict[str, TableMap], note: Callable[[int, str], None]
    ) -> None:
        self._file, self._note = file, note
        self._rows = ChangedRows(wanted, tables)
        self._open: OpenTransaction | None = None
        self._checksum = 4
        self._family = Family.MYSQL
        self.description: FormatDescription | None = None
        self.server_id = 0
        self.next_file = ""  # as the last event of a rotated file names it
        self.encrypted = False  # what follows the format description cannot be read
        self._handlers: dict[int, Callable[[bytes, int, int, int, int, int], Transaction | None]] = {
            EventType.FORMAT_DESCRIPTION: self._format_description,
            EventType.ROTATE: self._rotate,
            EventType.START_ENCRYPTION: self._start_encryption,
            EventType.GTID: self._gtid,
            EventType.ANONYMOUS_GTID: self._gtid,
            EventType.GTID_TAGGED: self._gtid,
            EventType.MARIADB_GTID: self._gtid,
            EventType.QUERY: self._query,
            EventType.QUERY_COMPRESSED: self._query,
            EventType.EXECUTE_LOAD_QUERY: self._loaded_file,
            EventType.TABLE_MAP: self._table_map,
            EventType.XID: self._end,
            EventType.XA_PREPARE: self._end,
            EventType.TRANSACTION_PAYLOAD: self._payload,
            **dict.fromkeys(ROW_CHANGES, self._changed),
        }

    @property
    def has_key(self) -> dict[str, bool | None]:
        """Whether each table has a primary key; None where the log does not tell."""
        return self._rows.has_key

    def transactions(self, events: Iterator[Event]) -> Iterator[Transaction]:
        """Each transaction when its last event was read."""
        handlers = self._handlers
        for code, at_seconds, server_id, position, size, data, offset in events:
            current = self._open
            if current is not None:
                current.events += 1
                if not current.began_seconds:
                    current.began_seconds = at_seconds
            handler = handlers.get(code)
            if handler is not None:
                try:
                    transaction = handler(data, offset, size, position, at_seconds, server_id)
                except CORRUPT:
                    self._note(position, "an event cannot be read; its transaction is left out")
                    self._open = transaction = None
                if transaction is not None:
                    yield transaction
                elif self.encrypted:
                    return
        if self._open is not None:
            self._note(self._open.position, "the last transaction is incomplete; it is left out")

    def _format_description(
        self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int
    ) -> None:
        found = read_format_description(data, offset, size)
        if found:
            self.description, self._family, self._checksum = found, found.family, found.checksum_bytes
            self.server_id = server_id
            self._rows.forget_ids()

    def _rotate(self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int) -> None:
        name = data[offset + HEADER.size + _ROTATE_POSITION_BYTES : offset + size - self._checksum]
        self.next_file = name.decode("utf-8", "replace")

    def _start_encryption(
        self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int
    ) -> None:
        self.encrypted = True

    def _gtid(self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int) -> None:
        if self._open is not None:
            self._note(self._open.position, "a transaction is incomplete; it is left out")
        code, begin, end = data[offset + 4], offset + HEADER.size, offset + size - self._checksum
        if code == EventType.MARIADB_GTID:
            opening = read_mariadb_gtid(data, begin, end, server_id)
        elif code == EventType.GTID_TAGGED:
            opening = read_tagged_gtid(data, begin, end)
        else:
            opening = read_mysql_gtid(data, begin, end, code == EventType.ANONYMOUS_GTID)
        self._open = opened(self._family, self._file, position, server_id, opening)

    def _query(
        self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int
    ) -> Transaction | None:
        compressed = data[offset + 4] == EventType.QUERY_COMPRESSED
        try:
            query = read_query(data, offset + HEADER.size, offset + size - self._checksum, compressed)
        except CORRUPT:
            self._note(position, "a statement cannot be read")
            return None
        if self._open is None:  # servers before GTID events: MySQL 5.6, MariaDB 5.5
            self._open = OpenTransaction(self._file, position, server_id, Opening(), explicit=False)
            self._open.began_seconds = at_seconds
        if self._open.query(query):
            return self._end(data, offset, size, position, at_seconds, server_id)
        return None

    def _loaded_file(self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int) -> None:
        if self._open is not None:
            self._open.sql_statements += 1

    def _table_map(self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int) -> None:
        try:
            self._rows.table_map(data, offset + HEADER.size, offset + size - self._checksum)
        except IndexError:
            self._note(position, "a table map cannot be read")

    def _changed(self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int) -> None:
        current = self._open
        tally = self._rows.tally(current.tables, data, offset) if current is not None else None
        if current is None or tally is None:
            return
        tally.size_bytes += size
        ends = bool(data[offset + HEADER.size + 6] & _STATEMENT_ENDS)
        current.row_statements += ends
        if offset + size > len(data):
            tally.unknown = current.unread = True
            self._note(position, f"an event of {size:,} bytes is too large to count its rows")
            return
        try:
            step = self._rows.count(data, offset, offset + size - self._checksum, tally)
            if step is not None:
                current.add_step(step, ends)
        except CORRUPT:
            tally.unknown = True
            self._note(position, "a rows event cannot be read")

    def _payload(
        self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int
    ) -> Transaction | None:
        current = self._open
        if current is None:
            return None
        if offset + size > len(data):
            current.unread = True
            self._note(position, f"a compressed transaction of {size:,} bytes is too large to unpack")
            return self._end(data, offset, size, position, at_seconds, server_id)
        payload = open_payload(data, offset + HEADER.size, offset + size - self._checksum)
        current.packed_bytes, current.unpacked_bytes = size, payload.unpacked_bytes
        current.payload_end = position + size
        if payload.events is None:
            current.unread = True
            self._note(position, f"a compressed transaction cannot be unpacked without {NEEDS}")
            return self._end(data, offset, size, position, at_seconds, server_id)
        checksum, self._checksum = self._checksum, 0
        try:
            inner = walk(
                payload.events, 0, lambda at, reason: self._note(position, f"in a compressed transaction: {reason}")
            )
            ended = next(self.transactions(inner), None)
        except CORRUPT:
            self._note(position, "a compressed transaction cannot be unpacked")
            self._open, ended = None, None
        finally:
            self._checksum = checksum
        return ended

    def _end(
        self, data: bytes, offset: int, size: int, position: int, at_seconds: int, server_id: int
    ) -> Transaction | None:
        current, self._open = self._open, None
        return None if current is None else current.ended(position + size, at_seconds)
