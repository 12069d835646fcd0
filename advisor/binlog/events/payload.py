"""What is in a compressed transaction or rows event? MySQL packs with zstd, MariaDB with zlib."""

from __future__ import annotations

import io
import sys
import zlib
from typing import Protocol

from advisor.annotations import Final
from advisor.binlog.events.packed_integer import read_packed
from advisor.model.record import record

_END, _SIZE, _COMPRESSION, _UNPACKED_SIZE = range(4)  # fields of a Transaction_payload event
_ZSTD, _NO_COMPRESSION = 0, 255
NEEDS: Final = "Python 3.14, or `pip install advisor[binlog]`"


class Readable(Protocol):
    """Something that gives at most so many bytes at a time, b"" at its end."""

    def read(self, size: int = -1, /) -> bytes: ...


@record
class Payload:
    """The events of a transaction, without checksums. `events` is None where they cannot be unpacked here.

    `packed_bytes` and `unpacked_bytes` are their sizes.
    """

    events: Readable | None
    packed_bytes: int
    unpacked_bytes: int


def open_payload(data: bytes, begin: int, end: int) -> Payload:
    """A Transaction_payload event; `begin` is behind its header, `end` before its checksum. It is unpacked bit by bit.

    IndexError where it is cut.
    """
    fields = {_COMPRESSION: _NO_COMPRESSION, _SIZE: end - begin, _UNPACKED_SIZE: 0}
    at = begin
    while True:
        number, at = read_packed(data, at)
        if number == _END:
            break
        length, at = read_packed(data, at)
        fields[number] = read_packed(data, at)[0]
        at += length
    packed = io.BytesIO(data[at : at + fields[_SIZE]])
    unpacked_bytes = fields[_UNPACKED_SIZE] or fields[_SIZE]
    if fields[_COMPRESSION] == _ZSTD:
        return Payload(_zstd_reader(packed), fields[_SIZE], unpacked_bytes)
    return Payload(packed if fields[_COMPRESSION] == _NO_COMPRESSION else None, fields[_SIZE], unpacked_bytes)


def unpack_rows(data: bytes, at: int, end: int) -> bytes | None:
    """The row images of a compressed rows event of MariaDB; None where they are packed in a way unknown here.

    A byte says the way and how many bytes the unpacked length has; these follow, then the packed images
    (binlog_buf_compress in sql/log_event.cc).
    """
    way, length_bytes = data[at] >> 4 & 7, data[at] & 7
    if way:  # only 0, zlib, has ever been written
        return None
    try:
        return zlib.decompress(data[at + 1 + length_bytes : end])
    except zlib.error:
        return None


def _zstd_reader(packed: io.BytesIO) -> Readable | None:
    """A reader of what is packed with zstd; None where Python has no zstd."""
    try:
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdFile
        else:
            from backports.zstd import ZstdFile
    except ImportError:
        return None
    return _Unpacked(ZstdFile(packed))


class _Unpacked:
    """What a reader unpacks; what is damaged is a ValueError, as elsewhere in an event."""

    def __init__(self, reader: Readable) -> None:
        self._reader = reader

    def read(self, size: int = -1, /) -> bytes:
        """At most so many bytes."""
        try:
            return self._reader.read(size)
        except (EOFError, OSError, ValueError):
            raise
        except Exception as error:  # ZstdError, which is only there where its module is
            raise ValueError(str(error)) from None
