"""Which rows of which tables do rows events change? Keeps the table maps that they refer to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.binlog.events.packed_integer import read_packed
from advisor.binlog.events.payload import unpack_rows
from advisor.binlog.events.row_images import RowImages
from advisor.binlog.events.table_map import TableMap, read_table_map
from advisor.binlog.events.types import COMPRESSED_ROWS, ROW_CHANGES, WITH_EXTRA_DATA, EventType
from advisor.binlog.events.walk import HEADER
from advisor.binlog.open_transaction import TableTally
from advisor.model.record import field, record
from advisor.model.workload.transaction import RowChange, Step

ALL_TABLES: Final = "*"
_ID_BYTES: Final = 6
_POST_HEADER: Final = 8  # of table maps and rows events: the table's id and flags
_MOST_TABLE_MAPS: Final = 10_000
_MOST_KEYS: Final = 1_000_000  # of one transaction in one table


@record
class Wanted:
    """What to read beyond headers, GTIDs and table names.

    `rows`: count them. `keys`: take the keys of rows too. `steps`: what each statement does, for which keys are needed.
    `key_columns`: "database.table", or "*" for every table whose
    key the log does not tell → positions of the key's columns, from 0.
    """

    rows: bool = True
    keys: bool = False
    steps: bool = False
    key_columns: Mapping[str, Sequence[int]] = field(default_factory=dict)


class ChangedRows:
    """Counts rows by table, and takes their keys where they are wanted.

    `has_key`: whether each table has a primary key; None where the log does not tell. `tables` are their table maps.
    """

    def __init__(self, wanted: Wanted, tables: dict[str, TableMap]) -> None:
        self._wanted, self.tables = wanted, tables
        self._by_id: dict[bytes, tuple[str, RowImages]] = {}
        self._by_map: dict[bytes, tuple[str, RowImages]] = {}
        self.has_key: dict[str, bool | None] = {}

    def forget_ids(self) -> None:
        """A server that starts gives its tables other ids."""
        self._by_id.clear()

    def table_map(self, data: bytes, begin: int, end: int) -> None:
        """Take a Table_map event; `begin` is behind its header. IndexError where it is cut."""
        written = data[begin + _POST_HEADER : end]
        table = self._by_map.get(written)
        if table is None:
            if len(self._by_map) >= _MOST_TABLE_MAPS:
                self._by_map.clear()
            table = self._by_map[written] = self._read(written)
        self._by_id[data[begin : begin + _ID_BYTES]] = table

    def tally(self, tables: dict[str, TableTally], data: bytes, offset: int) -> TableTally | None:
        """Where to add what the rows event at `offset` changes; None for a table without a map."""
        begin = offset + HEADER.size
        table = self._by_id.get(data[begin : begin + _ID_BYTES])
        if table is None:
            return None
        found = tables.get(table[0])
        if found is None:
            found = tables[table[0]] = TableTally()
        return found

    def count(self, data: bytes, offset: int, end: int, tally: TableTally) -> Step | None:
        """Add the rows of an event to what its table has. Any of the errors of a cut event may come of it.

        The part of a step that the event shows, where steps are wanted.
        """
        if not self._wanted.rows:
            tally.unknown = True
            return None
        begin = offset + HEADER.size
        name, images = self._by_id[data[begin : begin + _ID_BYTES]]
        code = data[offset + 4]
        change = ROW_CHANGES[code]
        at = begin + _POST_HEADER
        if code in WITH_EXTRA_DATA:
            at += int.from_bytes(data[at : at + 2], "little")
        if code in COMPRESSED_ROWS:
            unpacked = _unpacked(data, at, end, change)
            if unpacked is None:
                tally.unknown = True
                return None
            data, at, end = unpacked, 0, len(unpacked)
        keys: list[bytes] | None = [] if self._wanted.keys and images.key_columns else None
        partial = code == EventType.PARTIAL_UPDATE_ROWS
        rows = images.count(data, at, end, change, partial, keys)
        if rows is None:
            tally.unknown = True
        else:
            tally.rows[change] += rows
        if self._wanted.keys:
            _add_keys(tally, name, keys)
        if not self._wanted.steps:
            return None
        columns, lengths = ((), ()) if partial else images.first_row(data, at, change)
        old_keys = (keys or [])[:: 2 if change is RowChange.UPDATE else 1]
        return Step(name, change, rows, columns, lengths, tuple(hash((name, key)) for key in old_keys))

    def _read(self, written: bytes) -> tuple[str, RowImages]:
        found = read_table_map(written, 0, len(written))
        columns = self._wanted.key_columns.get(found.table)
        if columns is None and not found.full_metadata:
            columns = self._wanted.key_columns.get(ALL_TABLES)
        images = RowImages(found, columns)
        self.tables[found.table] = found
        self.has_key[found.table] = bool(images.key_columns) if images.key_columns or found.full_metadata else None
        return found.table, images


def _unpacked(data: bytes, at: int, end: int, change: RowChange) -> bytes | None:
    """A rows event of MariaDB from its number of columns on, with its images unpacked."""
    columns, images = read_packed(data, at)
    images += (columns + 7) // 8 * (2 if change is RowChange.UPDATE else 1)
    unpacked = unpack_rows(data, images, end)
    return None if unpacked is None else data[at:images] + unpacked


def _add_keys(tally: TableTally, table: str, keys: list[bytes] | None) -> None:
    """Keep the hashes of keys; None from then on where a row's key is not known, or there are too many."""
    if not keys or tally.keys is None or len(tally.keys) + len(keys) > _MOST_KEYS:
        tally.keys = None
    else:
        tally.keys.update(hash((table, key)) for key in keys)
