"""How many rows does a rows event change, and what are their keys? Walks over row images without decoding them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from advisor.annotations import Final
from advisor.binlog.events.packed_integer import read_packed
from advisor.binlog.events.table_map import TableMap
from advisor.model.workload.transaction import RowChange

# Bytes of types of a fixed length, by code: TINY, SHORT, INT24, LONG, LONGLONG, FLOAT, DOUBLE, YEAR, DATE, NEWDATE,
# TIME, TIMESTAMP, DATETIME as MySQL 5.5 and MariaDB without mysql56_temporal_format write them, NULL.
_FIXED: Final = {1: 1, 2: 2, 9: 3, 3: 4, 8: 8, 4: 4, 5: 8, 13: 1, 10: 3, 14: 3, 11: 3, 7: 4, 12: 8, 6: 0}
_FRACTIONAL: Final = {17: 4, 18: 5, 19: 3}  # TIMESTAMP2, DATETIME2, TIME2, and a byte for two digits of a second
_LENGTH_IN_METADATA: Final = frozenset({140, 242, 245, 249, 250, 251, 252, 255})  # BLOB, JSON, GEOMETRY, VECTOR, …
_VARCHAR: Final = frozenset({15, 141})
_BIT, _JSON, _DECIMAL, _ENUM, _SET, _VAR_STRING, _STRING = 16, 245, 246, 247, 248, 253, 254
_DIGIT_BYTES: Final = (0, 1, 1, 2, 2, 3, 3, 4, 4, 4)  # of DECIMAL, for digits that do not fill a group of nine
_PARTIAL_JSON: Final = 1  # an option in front of an after-image


class Width(NamedTuple):
    """A column in an image: `fixed` bytes, or a value behind `length_bytes` that say how long it is."""

    fixed: int
    length_bytes: int


class _Way(NamedTuple):
    """The way over the images that lack the same columns: bytes to pass, then bytes of a length.

    `to_key` are the columns up to the last of the key, and whether each belongs to it; None where the key has NULLs or
    is not in the image.
    """

    steps: tuple[Width, ...]
    to_key: tuple[tuple[Width, bool], ...] | None


class RowImages:
    """The rows of one table. `key_columns` overrides what the log tells of the key."""

    def __init__(self, table: TableMap, key_columns: Sequence[int] | None = None) -> None:
        widths = [_width(kind, metadata) for kind, metadata in zip(table.types, table.metadata, strict=True)]
        self._widths = [width for width in widths if width is not None]
        self._readable = len(self._widths) == len(widths)
        self._json_octets = (table.types.count(_JSON) + 7) // 8
        self.key_columns = tuple(table.key_columns if key_columns is None else key_columns)
        self._present: dict[bytes, tuple[int, ...]] = {}
        self._ways: dict[tuple[bytes, bytes], _Way] = {}

    def count(
        self, data: bytes, begin: int, end: int, change: RowChange, partial: bool, keys: list[bytes] | None = None
    ) -> int | None:
        """The number of rows; None where the table has a type of column that is not known here.

        `begin` is at the event's number of columns, `end` behind its last row; `partial`: an event with parts of JSON
        documents. The key of each image goes to `keys`, if it has one. IndexError where the event is cut.
        """
        if not self._readable:
            return None
        columns, at = read_packed(data, begin)
        octets = (columns + 7) // 8
        before = after = data[at : at + octets]
        at += octets
        if change is RowChange.UPDATE:
            after = data[at : at + octets]
            at += octets
        rows = 0
        while at < end:
            begin = at
            at = self._behind(data, at, before, keys)
            if change is RowChange.UPDATE:
                at = self._behind(data, self._behind_options(data, at) if partial else at, after, keys)
            if at == begin:  # a damaged event without columns would never end
                return None
            rows += 1
        return rows

    def first_row(self, data: bytes, begin: int, change: RowChange) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Which columns an UPDATE changed in the first row of an event; and how long the row's values are, in bytes.

        Positions and lengths as in `Step`; `begin` is at the event's number of columns.
        """
        if not self._readable:
            return (), ()
        columns, at = read_packed(data, begin)
        octets = (columns + 7) // 8
        present = [_set_bits(data[at : at + octets], len(self._widths))]
        at += octets
        if change is RowChange.UPDATE:
            present.append(_set_bits(data[at : at + octets], len(self._widths)))
            at += octets
        images = []
        for there in present:
            image, at = self._values(data, at, there)
            images.append(image)
        before, after = images[0], images[-1]
        changed = tuple(column for column in after if column not in before or before[column] != after[column])
        held = {**before, **after}
        lengths = (_length(held, column) for column in range(len(self._widths)))
        return changed if change is RowChange.UPDATE else (), tuple(lengths)

    def _values(self, data: bytes, at: int, columns: tuple[int, ...]) -> tuple[dict[int, bytes | None], int]:
        """The values of an image by column, None for NULL; and where it ends."""
        octets = (len(columns) + 7) // 8
        nulls = data[at : at + octets]
        at += octets
        values: dict[int, bytes | None] = {}
        for bit, column in enumerate(columns):
            fixed, length_bytes = self._widths[column]
            if nulls[bit // 8] >> bit % 8 & 1:
                values[column] = None
                continue
            size = fixed if not length_bytes else int.from_bytes(data[at : at + length_bytes], "little")
            at += length_bytes
            values[column] = data[at : at + size]
            at += size
        return values, at

    def _behind(self, data: bytes, at: int, present: bytes, keys: list[bytes] | None) -> int:
        """Where the image at `at` ends."""
        columns = self._present.get(present)
        if columns is None:
            columns = self._present[present] = _set_bits(present, len(self._widths))
        octets = (len(columns) + 7) // 8
        nulls = data[at : at + octets]
        at += octets
        way = self._ways.get((present, nulls))
        if way is None:
            way = self._ways[present, nulls] = self._way(columns, nulls)
        if keys is not None and way.to_key:
            keys.append(_key(data, at, way.to_key))
        for fixed, length_bytes in way.steps:
            at += fixed
            if length_bytes == 1:
                at += 1 + data[at]
            elif length_bytes:
                at += length_bytes + int.from_bytes(data[at : at + length_bytes], "little")
        return at

    def _way(self, columns: tuple[int, ...], nulls: bytes) -> _Way:
        """The way over an image with these columns, of which some are NULL."""
        there = [column for bit, column in enumerate(columns) if not nulls[bit // 8] >> bit % 8 & 1]
        steps: list[Width] = []
        fixed = 0
        for column in there:
            width = self._widths[column]
            if width.length_bytes:
                steps.append(Width(fixed, width.length_bytes))
                fixed = 0
            else:
                fixed += width.fixed
        steps.append(Width(fixed, 0))
        return _Way(tuple(steps), self._to_key(there))

    def _to_key(self, there: list[int]) -> tuple[tuple[Width, bool], ...] | None:
        if not self.key_columns or not set(self.key_columns) <= set(there):
            return None
        last = max(map(there.index, self.key_columns))
        return tuple((self._widths[column], column in self.key_columns) for column in there[: last + 1])

    def _behind_options(self, data: bytes, at: int) -> int:
        """Where the options end that stand in front of an after-image with parts of JSON documents."""
        options, at = read_packed(data, at)
        return at + self._json_octets if options & _PARTIAL_JSON else at


def _key(data: bytes, at: int, to_key: tuple[tuple[Width, bool], ...]) -> bytes:
    """The bytes of the key's columns, each as the image has it, with its length."""
    parts = []
    for (fixed, length_bytes), in_key in to_key:
        begin = at
        at += fixed if not length_bytes else length_bytes + int.from_bytes(data[at : at + length_bytes], "little")
        if in_key:
            parts.append(data[begin:at])
    return b"".join(parts)


def _length(values: dict[int, bytes | None], column: int) -> int:
    if column not in values:
        return -2
    value = values[column]
    return -1 if value is None else len(value)


def _set_bits(bitmap: bytes, most: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(most) if bitmap[bit // 8] >> bit % 8 & 1)


def _width(kind: int, metadata: int) -> Width | None:
    """The width of a column; None for a type that is not known here."""
    if kind in _FIXED:
        return Width(_FIXED[kind], 0)
    if kind in _FRACTIONAL:
        return Width(_FRACTIONAL[kind] + (metadata + 1) // 2, 0)
    if kind in _LENGTH_IN_METADATA:
        return Width(0, metadata)
    if kind in _VARCHAR:
        return Width(0, 1 if metadata < 256 else 2)
    if kind == _BIT:
        return Width((metadata >> 8) + (metadata & 255 > 0), 0)
    if kind == _DECIMAL:
        digits, fraction = metadata >> 8, metadata & 255
        return Width(_decimal_bytes(digits - fraction) + _decimal_bytes(fraction), 0)
    return _text_width(metadata) if kind in (_ENUM, _SET, _VAR_STRING, _STRING) else None


def _decimal_bytes(digits: int) -> int:
    return digits // 9 * 4 + _DIGIT_BYTES[digits % 9]


def _text_width(metadata: int) -> Width:
    """CHAR, ENUM and SET: the metadata holds the real type, and the length, two bits of it inverted in the type."""
    real, length = metadata >> 8, metadata & 255
    if real in (_ENUM, _SET):
        return Width(length, 0)
    longest = length | (real & 0x30 ^ 0x30) << 4
    return Width(0, 1 if longest < 256 else 2)
