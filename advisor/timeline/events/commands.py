"""When did somebody run DDL, a backup's locks or commands of replication? When their counters grew.

What runs all the time is usual and no event: a counter that grew in many stretches of the time is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.history.rates import growth
from advisor.model.monitoring.history import History, MemberHistory, Series
from advisor.model.monitoring.timeline import Event, EventKind
from advisor.model.record import record
from advisor.timeline.signals import CommandGroup, load_commands

_TOGETHER_SECONDS: Final = 30.0
_MOST_TIMES: Final = 4


@record
class _Burst:
    """A stretch of time in which a command was run, again and again perhaps."""

    earliest_seconds: float
    latest_seconds: float
    end_seconds: float
    count: float


def find(member: MemberHistory, history: History) -> Iterator[Event]:
    """One event for the commands of a group that were run at one time."""
    for group in load_commands():
        yield from _joined(member.name, group, sorted(_bursts(member, group), key=lambda pair: pair[0].latest_seconds))


def _bursts(member: MemberHistory, group: CommandGroup) -> Iterator[tuple[_Burst, str]]:
    for counter, statement in group.counters.items():
        for series in member.series.get(f"status.{counter}", ()):
            found = _stretches(series)
            if len(found) <= _MOST_TIMES:
                yield from ((burst, statement) for burst in found)


def _stretches(series: Series) -> list[_Burst]:
    grown = growth([series])
    found: list[_Burst] = []
    for begin, end, amount in zip(grown.begins, grown.ends, grown.grown, strict=True):
        if not amount:
            continue
        if found and begin - found[-1].end_seconds <= _TOGETHER_SECONDS:
            last = found[-1]
            found[-1] = _Burst(last.earliest_seconds, last.latest_seconds, end, last.count + amount)
        else:
            found.append(_Burst(begin, end, end, amount))
    return found


def _joined(member: str, group: CommandGroup, bursts: list[tuple[_Burst, str]]) -> Iterator[Event]:
    """Commands of one group that were run together are one event."""
    together: list[tuple[_Burst, str]] = []
    for burst, statement in bursts:
        if together and burst.earliest_seconds - together[0][0].latest_seconds > _TOGETHER_SECONDS:
            yield _event(member, group, together)
            together = []
        together.append((burst, statement))
    if together:
        yield _event(member, group, together)


def _event(member: str, group: CommandGroup, together: list[tuple[_Burst, str]]) -> Event:
    named = ", ".join(
        f"{statement} ({burst.count:.0f} times)" if burst.count > 1 else statement for burst, statement in together
    )
    first = together[0][0]
    end = max(burst.end_seconds for burst, _ in together)
    return Event(
        kind=EventKind.COMMAND,
        member=member,
        at_seconds=(first.earliest_seconds + first.latest_seconds) / 2,
        earliest_seconds=first.earliest_seconds,
        latest_seconds=first.latest_seconds,
        subject=group.id,
        words=group.words.format(commands=named, member=member),
        rank=group.rank,
        end_seconds=end if end > first.latest_seconds else None,
    )
