"""How long is it? Integers of variable length as the protocol of MySQL and both families' events have them."""

from __future__ import annotations

from advisor.annotations import Final

_FOLLOWING: Final = {252: 2, 253: 3, 254: 8}


def read_packed(data: bytes, offset: int) -> tuple[int, int]:
    """The integer at `offset`, and where it ends."""
    first = data[offset]
    if first < 251:
        return first, offset + 1
    end = offset + 1 + _FOLLOWING.get(first, 0)
    return int.from_bytes(data[offset + 1 : end], "little"), end
