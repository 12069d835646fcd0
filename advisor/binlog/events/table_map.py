"""Which table do rows events belong to, which types have its columns, and which of them are its key?"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.binlog.events.packed_integer import read_packed
from advisor.model.record import record

_SIMPLE_PRIMARY_KEY, _PRIMARY_KEY_WITH_PREFIX = 8, 9  # fields of the optional metadata, in both families
# How many bytes of metadata the types have, by their codes: two little-endian (VARCHAR, BIT, MariaDB's compressed
# VARCHAR), two big-endian (DECIMAL, ENUM, SET, VAR_STRING, CHAR), or one (FLOAT, DOUBLE, times, VECTOR, JSON, BLOB,
# GEOMETRY, MariaDB's compressed BLOB). Source: Table_map_event in libs/mysql/binlog/event/rows_event.h.
_TWO_BYTES: Final = frozenset({15, 16, 141})
_TWO_BYTES_BIG_ENDIAN: Final = frozenset({246, 247, 248, 253, 254})
_ONE_BYTE: Final = frozenset({4, 5, 17, 18, 19, 140, 242, 245, 249, 250, 251, 252, 255})
_COLUMN_NAME: Final = 4  # a field of the optional metadata that only binlog_row_metadata=FULL brings


@record
class TableMap:
    """A table as its rows events need it: "database.table", a type and its metadata for each column.

    `key_columns` are the positions of the primary key's columns, () where the log does not tell them
    (`binlog_row_metadata` is not FULL, or the table has no primary key). `full_metadata`: whether the log tells names
    and keys, so that no key columns mean no primary key.
    """

    table: str
    types: tuple[int, ...]
    metadata: tuple[int, ...]
    key_columns: tuple[int, ...] = ()
    full_metadata: bool = False


def read_table_map(data: bytes, begin: int, end: int) -> TableMap:
    """A Table_map event; `begin` is behind the header and table id, `end` before the checksum.

    IndexError where it is cut.
    """
    database_length = data[begin]
    database = data[begin + 1 : begin + 1 + database_length]
    at = begin + 2 + database_length
    name = data[at + 1 : at + 1 + data[at]]
    at += 2 + data[at]
    count, at = read_packed(data, at)
    types = tuple(data[at : at + count])
    length, at = read_packed(data, at + count)
    metadata = _column_metadata(data, at, types)
    at += length + (count + 7) // 8  # which columns can be NULL
    full, keys = _optional_metadata(data, at, end)
    table = f"{database.decode('utf-8', 'replace')}.{name.decode('utf-8', 'replace')}"
    return TableMap(table, types, metadata, keys, full)


def _column_metadata(data: bytes, at: int, types: tuple[int, ...]) -> tuple[int, ...]:
    """One number for each column."""
    found = []
    for kind in types:
        if kind in _ONE_BYTE:
            found.append(data[at])
            at += 1
        elif kind in _TWO_BYTES or kind in _TWO_BYTES_BIG_ENDIAN:
            found.append(int.from_bytes(data[at : at + 2], "little" if kind in _TWO_BYTES else "big"))
            at += 2
        else:
            found.append(0)
    return tuple(found)


def _optional_metadata(data: bytes, at: int, end: int) -> tuple[bool, tuple[int, ...]]:
    """Whether the log tells keys, and the columns of the primary key."""
    keys: list[int] = []
    names = False
    while at < end:
        field = data[at]
        length, at = read_packed(data, at + 1)
        stop = at + length
        names = names or field == _COLUMN_NAME
        if field in (_SIMPLE_PRIMARY_KEY, _PRIMARY_KEY_WITH_PREFIX):
            while at < stop:
                column, at = read_packed(data, at)
                keys.append(column)
                if field == _PRIMARY_KEY_WITH_PREFIX:
                    _, at = read_packed(data, at)
        at = stop
    return names or bool(keys), tuple(keys)
