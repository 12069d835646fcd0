"""Which server wrote this file, and does each event end with a checksum? The first event of a file says it."""

from __future__ import annotations

import re
import struct

from advisor.annotations import Final
from advisor.model.record import record
from advisor.model.server import Family

_FIXED: Final = struct.Struct("<H50sIB")
_BINLOG_VERSION: Final = 4  # of MySQL 5.0 and later
_CRC32: Final = 1
_CHECKSUM_LENGTH: Final = 4
_WITH_CHECKSUM_BYTE: Final = {Family.MYSQL: (5, 6, 1), Family.MARIADB: (5, 3, 0)}  # the releases that brought checksums


@record
class FormatDescription:
    """The server's version as it prints it, its family, and how many bytes at the end of each event are a checksum."""

    server_version: str
    family: Family
    checksum_bytes: int


def read_format_description(data: bytes, offset: int, size: int) -> FormatDescription | None:
    """The event whose header begins at `offset`; None for a format older than that of MySQL 5.0."""
    if size < 19 + _FIXED.size:
        return None
    version, name, _, header_length = _FIXED.unpack_from(data, offset + 19)
    if version != _BINLOG_VERSION or header_length != 19:
        return None
    text = name.rstrip(b"\0").decode("ascii", "replace")
    family = Family.MARIADB if "mariadb" in text.lower() else Family.MYSQL
    number = tuple(int(part) for part in re.findall(r"\d+", text)[:3])
    if number < _WITH_CHECKSUM_BYTE[family]:
        return FormatDescription(text, family, 0)
    algorithm = data[offset + size - 5]  # before the checksum, which this event always has
    return FormatDescription(text, family, _CHECKSUM_LENGTH if algorithm == _CRC32 else 0)
