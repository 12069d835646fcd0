"""What does a Query event say: in which database, since when, which statement, and of what kind is it?"""

from __future__ import annotations

import re
import struct
import zlib
from typing import NamedTuple

from advisor.annotations import Final

_FIXED: Final = struct.Struct("<IIBHH")  # thread, seconds it took, length of the database, error, length of variables
_SHOWN: Final = 400  # bytes of a statement that are looked at
_COMMENT: Final = re.compile(rb"\s*(?:/\*(?!!).*?\*/\s*)*(?:/\*!\d*\s*)?", re.DOTALL)
_CHANGES: Final = frozenset(b"INSERT UPDATE DELETE REPLACE LOAD WITH CALL SELECT DO MERGE VALUES TABLE".split())
_DDL: Final = frozenset(b"CREATE ALTER DROP TRUNCATE RENAME OPTIMIZE ANALYZE REPAIR".split())
_NOT_OF_TABLES: Final = frozenset(b"USER ROLE RESOURCE SERVER".split())


class Query(NamedTuple):
    """`word` is the first word in capitals ("BEGIN", "ALTER"); `text` the beginning of the statement, in bytes."""

    database: str
    took_seconds: int
    word: bytes
    text: bytes

    @property
    def is_change(self) -> bool:
        """Whether it changes rows."""
        return self.word in _CHANGES

    @property
    def is_ddl(self) -> bool:
        """Whether it changes a table, view, routine or database."""
        second = self.text.split(None, 2)[1:2]
        return self.word in _DDL and not (second and second[0].upper() in _NOT_OF_TABLES)


def read_query(data: bytes, begin: int, end: int, compressed: bool = False) -> Query:
    """A Query event; `begin` is behind its header, `end` before its checksum."""
    _, took_seconds, database_length, _, variables_length = _FIXED.unpack_from(data, begin)
    at = begin + _FIXED.size + variables_length
    database = data[at : at + database_length]
    at += database_length + 1
    if compressed:
        at += 1 + (data[at] & 7)
        text = zlib.decompressobj().decompress(data[at:end], _SHOWN)
    else:
        text = data[at : min(end, at + _SHOWN)]
    leading = _COMMENT.match(text)
    text = text[leading.end() if leading else 0 :]
    word = text[:12].replace(b"(", b" ").replace(b";", b" ").split(None, 1)
    return Query(database.decode("utf-8", "replace"), took_seconds, word[0].upper() if word else b"", text)
