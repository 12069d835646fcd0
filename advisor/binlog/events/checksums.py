"""Are the checksums of the events right? A stage between the walk and its readers, for those who ask for it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from advisor.annotations import Final
from advisor.binlog.events.format_description import read_format_description
from advisor.binlog.events.types import EventType
from advisor.binlog.events.walk import Event

_BYTES: Final = 4
_FLAGS: Final = 17  # where they are in a header
_IN_USE: Final = 1  # a flag of a file's first event while the server writes the file; its checksum is without it


def checked(events: Iterator[Event], on_wrong: Callable[[int, str], None]) -> Iterator[Event]:
    """The same events; `on_wrong` gets the position of each whose checksum is not that of its bytes."""
    with_checksums = True
    for event in events:
        code, _, _, position, size, data, offset = event
        if code == EventType.FORMAT_DESCRIPTION:
            description = read_format_description(data, offset, size)
            with_checksums = bool(description and description.checksum_bytes)
        if with_checksums and offset + size <= len(data) and not _is_right(data, offset, size):
            on_wrong(position, "the checksum of an event is wrong")
        yield event


def _is_right(data: bytes, offset: int, size: int) -> bool:
    stored = int.from_bytes(data[offset + size - _BYTES : offset + size], "little")
    event = data[offset : offset + size - _BYTES]
    if event[4] == EventType.FORMAT_DESCRIPTION:
        event = event[:_FLAGS] + bytes([event[_FLAGS] & ~_IN_USE]) + event[_FLAGS + 1 :]
    return zlib.crc32(event) == stored
