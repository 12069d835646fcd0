"""How many transactions are in a set of MySQL's global transaction ids, and in the difference of two?

The server reports sets, not numbers; counting them here costs the server nothing. The notation is
"uuid:1-5:7" and, from 8.3, "uuid:1-5:tag:1-3"
(https://dev.mysql.com/doc/refman/9.7/en/replication-gtids-concepts.html).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

# Origin ("uuid" or "uuid:tag") → intervals, both ends in it, sorted, apart from each other.
GtidSet = Mapping[str, tuple[tuple[int, int], ...]]


@lru_cache(maxsize=64)
def parse_gtid_set(text: str) -> GtidSet:
    """The set that a text describes; ValueError when it is malformed. Cached: an idle server repeats the same text."""
    intervals_by_origin: dict[str, list[tuple[int, int]]] = {}
    for part in text.replace("\n", "").split(","):
        if not part.strip():
            continue
        server, *words = (word.strip() for word in part.lower().split(":"))
        origin = server
        for word in words:
            if word[:1].isdigit():
                first, _, last = word.partition("-")
                intervals_by_origin.setdefault(origin, []).append((int(first), int(last or first)))
            elif word:
                origin = f"{server}:{word}"
            else:
                raise ValueError(f"{part!r} is not a GTID set")
    return {origin: _joined(intervals) for origin, intervals in intervals_by_origin.items()}


def transactions(gtids: GtidSet) -> int:
    """How many transactions are in a set."""
    return sum(last - first + 1 for intervals in gtids.values() for first, last in intervals)


def union(sets: Iterable[GtidSet]) -> GtidSet:
    """The transactions that are in any of the sets."""
    intervals_by_origin: dict[str, list[tuple[int, int]]] = {}
    for gtids in sets:
        for origin, intervals in gtids.items():
            intervals_by_origin.setdefault(origin, []).extend(intervals)
    return {origin: _joined(intervals) for origin, intervals in intervals_by_origin.items()}


def missing(wanted: GtidSet, present: GtidSet) -> int:
    """How many transactions of `wanted` are not in `present`."""
    return sum(
        last - first + 1 - _common(first, last, present.get(origin, ()))
        for origin, intervals in wanted.items()
        for first, last in intervals
    )


def from_server(gtids: GtidSet, server_uuid: str) -> GtidSet:
    """The part that one server committed first, under any tag."""
    own = server_uuid.lower()
    return {origin: intervals for origin, intervals in gtids.items() if origin.partition(":")[0] == own}


def _common(first: int, last: int, intervals: tuple[tuple[int, int], ...]) -> int:
    return sum(max(0, min(last, end) - max(first, begin) + 1) for begin, end in intervals)


def _joined(intervals: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(intervals):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)
