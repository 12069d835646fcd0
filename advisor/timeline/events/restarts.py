"""When was a member restarted? When its uptime fell; uptime itself says when it came back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from advisor.model.monitoring.history import History, MemberHistory
from advisor.model.monitoring.timeline import Event, EventKind

_UPTIME = "status.Uptime"
_RANK = 2


def find(member: MemberHistory, history: History) -> Iterator[Event]:
    """A restart: away after the last reading before it, back when its uptime says."""
    for series in member.series.get(_UPTIME, ()):
        readings = zip(series.at_seconds, series.values, strict=True)
        for (before_at, before), (after_at, after) in pairwise(readings):
            if after < before:
                started = max(before_at, after_at - after)
                yield Event(
                    kind=EventKind.RESTART,
                    member=member.name,
                    at_seconds=before_at,
                    earliest_seconds=before_at,
                    latest_seconds=started,
                    subject="restart",
                    words=f"{member.name} was restarted",
                    rank=_RANK,
                    end_seconds=started,
                )
