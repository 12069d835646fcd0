"""Which settings were changed, from what to what? Variables whose value differs between two readings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from advisor.history.variable_text import variable_text
from advisor.model.monitoring.history import History, MemberHistory
from advisor.model.monitoring.timeline import Event, EventKind

_PREFIX: Final = "variable."
_RANK: Final = 8
_ROLE_RANK: Final = 3
# What decides who may write; changed by a failover rather than by somebody who tunes.
_OF_ROLES: Final = ("read_only", "super_read_only", "transaction_read_only")
# Change by themselves (Group Replication, resizing, statistics).
_BY_ITSELF: Final = ("group_replication_primary_member", "gtid_slave_pos", "rand_seed1", "rand_seed2", "timestamp")


def find(member: MemberHistory, history: History) -> Iterator[Event]:
    """Every change of a variable that the exporter can show, which is numbers and switches."""
    for quantity, all_series in member.series.items():
        name = quantity.removeprefix(_PREFIX)
        if quantity == name or name in _BY_ITSELF:
            continue
        for series in all_series:
            readings = zip(series.at_seconds, series.values, strict=True)
            for (before_at, before), (after_at, after) in pairwise(readings):
                if before != after:
                    texts = tuple(variable_text(name, value, member.texts) for value in (before, after))
                    yield _event(member.name, name, (before_at, after_at), (texts[0], texts[1]))


def _event(member: str, name: str, between: tuple[float, float], values: tuple[str, str]) -> Event:
    before_at, after_at = between
    before, after = values
    role = name in _OF_ROLES
    return Event(
        kind=EventKind.ROLE if role else EventKind.SETTING,
        member=member,
        at_seconds=(before_at + after_at) / 2,
        earliest_seconds=before_at,
        latest_seconds=after_at,
        subject=name,
        words=f"{name} was changed from {before} to {after} on {member}",
        rank=_ROLE_RANK if role else _RANK,
        before=before,
        after=after,
    )
