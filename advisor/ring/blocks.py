"""How is one entry of a segment framed? With its length and a checksum, so that a torn end is recognised.

A segment is a file: eight bytes that name the format, then blocks. The first block is compressed alone. The others are
compressed with the end of the first one as dictionary, because they have the same names in them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from advisor.errors import InputError
from advisor.model.record import record

FORMAT: Final = b"ADVRING1"
_HEADER: Final = struct.Struct(">II")  # length of the compressed entry, CRC-32 of it
_MOST_BYTES: Final = 1 << 28  # a longer entry is a damaged length
_DICTIONARY_BYTES: Final = 1 << 15  # as far back as zlib looks
_LEVEL: Final = 6


@record
class Torn:
    """Where a segment cannot be read further: at this byte."""

    at_byte: int


def block(entry: bytes, first: bytes) -> bytes:
    """The entry as a block; `first` is the first entry of the segment, b"" where this is the first."""
    packer = zlib.compressobj(_LEVEL, zdict=first[-_DICTIONARY_BYTES:]) if first else zlib.compressobj(_LEVEL)
    packed = packer.compress(entry) + packer.flush()
    return _HEADER.pack(len(packed), zlib.crc32(packed)) + packed


def entries(path: Path) -> Iterator[bytes | Torn]:
    """Every entry of a segment; last a `Torn` where it ends early. InputError when it is not a segment."""
    try:
        with path.open("rb") as stream:
            head = stream.read(len(FORMAT))
            if head != FORMAT and not FORMAT.startswith(head):
                raise InputError("not a segment of a ring", file=str(path))
            yield from _entries(stream) if head == FORMAT else (Torn(0),)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None


def _entries(stream: IO[bytes]) -> Iterator[bytes | Torn]:
    first = b""
    whole = len(FORMAT)
    while header := stream.read(_HEADER.size):
        length, checksum = _HEADER.unpack(header) if len(header) == _HEADER.size else (_MOST_BYTES + 1, 0)
        entry = _unpacked(stream, stream.tell(), length, checksum, first=first) if length <= _MOST_BYTES else None
        if entry is None:
            yield Torn(whole)
            return
        first = first or entry
        whole += _HEADER.size + length
        yield entry


def last_entry(path: Path) -> bytes | None:
    """The last whole entry of a segment, found without reading those between; None where there is none."""
    try:
        with path.open("rb") as stream:
            size = path.stat().st_size
            if stream.read(len(FORMAT)) != FORMAT:
                return None
            blocks = []
            while len(header := stream.read(_HEADER.size)) == _HEADER.size:
                length, checksum = _HEADER.unpack(header)
                if stream.tell() + length > size:
                    break
                blocks.append((stream.tell(), length, checksum))
                stream.seek(length, 1)
            first = _unpacked(stream, *blocks[0], first=b"") if blocks else None
            if first is None:
                return None
            later = (_unpacked(stream, *each, first=first) for each in reversed(blocks[1:]))
            return next((entry for entry in later if entry is not None), first)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None


def _unpacked(stream: IO[bytes], place: int, length: int, checksum: int, *, first: bytes) -> bytes | None:
    stream.seek(place)
    packed = stream.read(length)
    if len(packed) != length or zlib.crc32(packed) != checksum:
        return None
    reader = zlib.decompressobj(zdict=first[-_DICTIONARY_BYTES:]) if first else zlib.decompressobj()
    return reader.decompress(packed)


def whole_bytes(path: Path) -> int:
    """The length of a segment without a torn end; 0 where not even its first block is whole."""
    torn = None
    read = 0
    for entry in entries(path):
        read += isinstance(entry, bytes)
        torn = entry if isinstance(entry, Torn) else None
    if not read:
        return 0
    return torn.at_byte if torn else path.stat().st_size
