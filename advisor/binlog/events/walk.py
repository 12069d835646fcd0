"""Which events follow each other in a stream of bytes? Reads bit by bit: memory does not grow with the log."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from advisor.annotations import Final
from advisor.binlog.events.payload import Readable

HEADER: Final = struct.Struct("<IBIIIH")  # time, type, server, size, position of the next event, flags
_FRONT: Final = struct.Struct("<IBII")  # of the header, as much as everybody needs
_READ_BYTES: Final = 1 << 20
LARGEST: Final = 64 << 20
"""Bytes of the largest event that is held whole; of a larger one only the beginning is given."""
_HEAD_OF_LARGE: Final = 64 << 10

Event = tuple[int, int, int, int, int, bytes, int]
"""Type, time in seconds since 1970, server's id, position, size in bytes; then a buffer and where the event's header
begins in it. The buffer holds the event to its end, unless the event is larger than `LARGEST`."""


def walk(stream: Readable, position: int, on_cut: Callable[[int, str], None]) -> Iterator[Event]:
    """The events of a stream whose first one has that position.

    `on_cut` gets the position and the reason where the stream ends within an event, or holds something else. A tuple
    for each event, not a record: this loop runs a million times a second.
    """
    front, front_size = _FRONT.unpack_from, HEADER.size
    data = stream.read(_READ_BYTES)
    offset, held = 0, len(data)
    base = position
    while True:
        if offset + front_size > held:
            data = data[offset:] + stream.read(_READ_BYTES)
            base, offset, held = base + offset, 0, len(data)
            if held < front_size:
                if held:
                    on_cut(base, "the file ends within the header of an event")
                return
        at_seconds, code, server_id, size = front(data, offset)
        if size < front_size:
            on_cut(base + offset, "there is no event here")
            return
        if offset + size > held:
            data = data[offset:]
            base, offset = base + held - len(data), 0
            data += _read_exactly(stream, min(size, LARGEST if size <= LARGEST else _HEAD_OF_LARGE) - len(data))
            held = len(data)
            whole = held >= size if size <= LARGEST else _skip(stream, size - held)
            if not whole:
                on_cut(base, f"the last event is truncated: its {size:,} bytes extend beyond the end of the file")
                return
            yield code, at_seconds, server_id, base, size, data, 0
            if size > held:
                base, data, held, offset = base + size, b"", 0, 0
                continue
        else:
            yield code, at_seconds, server_id, base + offset, size, data, offset
        offset += size


def _read_exactly(stream: Readable, size: int) -> bytes:
    """So many bytes, or fewer at the end of the stream."""
    parts = []
    while size > 0 and (part := stream.read(min(size, _READ_BYTES))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _skip(stream: Readable, size: int) -> bool:
    """Read over so many bytes; False at the end of the stream."""
    while size > 0:
        part = stream.read(min(size, _READ_BYTES))
        if not part:
            return False
        size -= len(part)
    return True
