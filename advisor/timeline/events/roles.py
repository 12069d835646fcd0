"""When did a member begin or cease to be a replica, and when did its replication stop?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from advisor.history.rates import gap_seconds
from advisor.model.monitoring.history import History, MemberHistory
from advisor.model.monitoring.timeline import Event, EventKind

_UPTIME: Final = "status.Uptime"
_THREADS: Final = {"replica.Replica_SQL_Running": "applying", "replica.Replica_IO_Running": "receiving"}
_ROLE_RANK: Final = 3
_STOP_RANK: Final = 4


def find(member: MemberHistory, history: History) -> Iterator[Event]:
    """Replication that appears or disappears while the member is read, and threads that stop or start."""
    read = [at for series in member.series.get(_UPTIME, ())[:1] for at in series.at_seconds]
    for quantity, doing in _THREADS.items():
        for series in member.series.get(quantity, ()):
            for (before_at, before), (after_at, after) in pairwise(zip(series.at_seconds, series.values, strict=True)):
                if before != after and before in (0, 1) and after in (0, 1):
                    words = f"{member.name} {'starts' if after else 'stops'} {doing}"
                    yield _event(member.name, EventKind.REPLICATION, quantity, (before_at, after_at), words, _STOP_RANK)
    for series in member.series.get("replica.Replica_SQL_Running", ()):
        yield from _appears_and_disappears(member.name, series.at_seconds, read)


def _appears_and_disappears(member: str, at_seconds: Sequence[float], read: Sequence[float]) -> Iterator[Event]:
    """The member was read long before, or long after, without a row of SHOW REPLICA STATUS."""
    gap = 2 * gap_seconds(read)
    earlier = [at for at in read if at < at_seconds[0] - gap]
    later = [at for at in read if at > at_seconds[-1] + gap]
    if len(earlier) > 2:
        words = f"{member} became a replica"
        yield _event(member, EventKind.ROLE, "replica", (earlier[-1], at_seconds[0]), words, _ROLE_RANK)
    if len(later) > 2:
        words = f"{member} is no longer a replica"
        first_after = next(at for at in read if at > at_seconds[-1])
        yield _event(member, EventKind.ROLE, "replica", (at_seconds[-1], first_after), words, _ROLE_RANK)


def _event(member: str, kind: EventKind, subject: str, between: tuple[float, float], words: str, rank: int) -> Event:
    before_at, after_at = between
    return Event(kind, member, (before_at + after_at) / 2, before_at, after_at, subject.rpartition(".")[2], words, rank)
