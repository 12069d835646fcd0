"""Which files does a ring have, when was each begun, and how much room do they take?

Segments are numbered, so their order does not depend on the clock: `000042-20261123T121832Z.ring`. Bundles that were
kept at an incident are in `bundles/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from advisor.model.record import record

BUNDLES: Final = "bundles"
_NAME: Final = re.compile(r"(\d{6,})-(\d{8}T\d{6}Z)\.ring")
_TIME: Final = "%Y%m%dT%H%M%SZ"
_DISK_BLOCK_BYTES: Final = 4096


@record
class Segment:
    """A file of the ring; `begin_seconds` is the epoch time in its name."""

    path: Path
    number: int
    begin_seconds: float


def is_ring(place: str | Path) -> bool:
    """Whether a path is a folder with segments in it."""
    path = Path(place)
    return path.is_dir() and any(_NAME.fullmatch(found.name) for found in path.iterdir())


def segments(folder: Path) -> list[Segment]:
    """The segments of a ring, the oldest first."""
    found = ((path, _NAME.fullmatch(path.name)) for path in folder.iterdir())
    every = [Segment(path, int(match[1]), _begin(match[2])) for path, match in found if match]
    return sorted(every, key=lambda segment: segment.number)


def in_time(every: Sequence[Segment], begin_seconds: float, end_seconds: float) -> list[Segment]:
    """The segments that can hold something of a time; 0 stands for no limit.

    Names have whole seconds, and a segment ends when the next one begins.
    """
    ends = [following.begin_seconds + 1 for following in every[1:]] + [float("inf")]
    return [
        segment
        for segment, end in zip(every, ends, strict=True)
        if (not end_seconds or segment.begin_seconds <= end_seconds) and end >= begin_seconds
    ]


def name_of(number: int, begin_seconds: float) -> str:
    """The name of a segment's file."""
    return f"{number:06d}-{datetime.fromtimestamp(begin_seconds, UTC):{_TIME}}.ring"


def room(size: int) -> int:
    """The bytes that a file of this size takes on a disk."""
    return -(-size // _DISK_BLOCK_BYTES) * _DISK_BLOCK_BYTES


def _begin(text: str) -> float:
    return datetime.strptime(text, _TIME).replace(tzinfo=UTC).timestamp()
