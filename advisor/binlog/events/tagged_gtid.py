"""What does a Gtid_tagged event say? MySQL 8.3 and later write one for GTIDs with a tag, in a format of its own.

The format is that of MySQL's serialization library (libs/mysql/serialization): fields with numbers, integers of
variable length. Source: the readme of that library, and the events of MySQL 9.7.
"""

from __future__ import annotations

from advisor.annotations import Final

_SOURCE, _NUMBER, _TAG, _LAST_COMMITTED, _SEQUENCE_NUMBER, _IMMEDIATE, _ORIGINAL, _LENGTH = range(1, 9)
_KNOWN: Final = range(_LENGTH + 1)


def read_fields(data: bytes, offset: int) -> dict[int, int | bytes]:
    """Fields by number: 0 flags, 1 source's UUID, 2 number, 3 tag, 4 and 5 dependencies, 6 and 7 commit times in
    microseconds, 8 length of the transaction in bytes. Reading stops at the first field that is not among them.
    """
    fields: dict[int, int | bytes] = {}
    for _ in range(3):  # version of the format, length of the message, last field that must be understood
        _, offset = _unsigned(data, offset)
    while True:
        number, offset = _unsigned(data, offset)
        if number not in _KNOWN or number in fields:
            return fields
        if number == _SOURCE:
            octets = []
            for _ in range(16):
                octet, offset = _unsigned(data, offset)
                octets.append(octet)
            fields[number] = bytes(octets)
        elif number == _TAG:
            length, offset = _unsigned(data, offset)
            fields[number] = data[offset : offset + length]
            offset += length
        elif number in (_NUMBER, _LAST_COMMITTED, _SEQUENCE_NUMBER):
            value, offset = _unsigned(data, offset)
            fields[number] = (value >> 1) ^ -(value & 1)  # signed ones are folded: 0, -1, 1, -2, …
        else:
            fields[number], offset = _unsigned(data, offset)
        if number == _LENGTH:
            return fields


def _unsigned(data: bytes, offset: int) -> tuple[int, int]:
    """An integer, and where it ends: as many low bits as are set in the first byte say how many bytes follow it."""
    first = data[offset]
    following = 0
    while following < 8 and first >> following & 1:
        following += 1
    value = int.from_bytes(data[offset : offset + following + 1], "little")
    return (value >> (following + 1) if following < 8 else value >> 8), offset + following + 1
