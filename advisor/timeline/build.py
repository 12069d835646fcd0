"""What happened? A history → a timeline: curves, what moved, what happened to members, and what belongs together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from advisor.model.monitoring.history import History
from advisor.model.monitoring.timeline import EventKind, Part, Shift, SignalCurve, Timeline
from advisor.model.record import replace
from advisor.timeline.curves import curves, quantities_of
from advisor.timeline.episodes import episodes, gravity
from advisor.timeline.events import every_event
from advisor.timeline.sentences import answer, time_of_day
from advisor.timeline.shifts import shifts
from advisor.timeline.signals import Signal, load_commands, load_signals

_REPLICATES = "replica.Replica_SQL_Running"
_ALWAYS = (
    "status.Uptime", "exporter.reaches_server", "group.member", "replica.Replica_SQL_Running",
    "replica.Replica_IO_Running",
)  # fmt: skip


def wanted_quantities() -> list[str]:
    """Everything that a timeline looks at, besides the variables that changed."""
    counters = [f"status.{counter}" for group in load_commands() for counter in group.counters]
    return [*quantities_of(load_signals()), *counters, *_ALWAYS]


def timeline(history: History) -> Timeline:
    """The timeline of a history, with everything it was made of."""
    signals = load_signals()
    by_id = {signal.id: signal for signal in signals}
    drawn = [curve for member in history.members for curve in curves(member, signals)]
    drawn.sort(key=lambda curve: [signal.id for signal in signals].index(curve.signal))
    replicas = {member.name for member in history.members if _REPLICATES in member.series}
    moved = [
        replace(shift, on_replica=curve.member in replicas)
        for curve in drawn
        for shift in shifts(curve, by_id[curve.signal])
    ]
    moved = _once(moved, by_id)
    events = every_event(history)
    found = episodes(moved, events, signals, _scrape_seconds(drawn))
    gravest = max(found, key=gravity, default=None)
    effects = _titles([curve for curve in drawn if by_id[curve.signal].part is Part.EFFECT])
    silent = [
        f"{event.words}, from {time_of_day(event.at_seconds)}"
        for event in events
        if event.kind is EventKind.NOT_SCRAPED
    ]
    return Timeline(
        source=history.source,
        begin_seconds=history.begin_seconds,
        end_seconds=history.end_seconds,
        members=tuple(member.name for member in history.members),
        answer=answer(found, gravest, history.begin_seconds, history.end_seconds, effects),
        episodes=tuple(found),
        curves=tuple(drawn),
        absent=history.absent,
        problems=(*history.problems, *silent),
    )


def _scrape_seconds(drawn: Sequence[SignalCurve]) -> float:
    """The usual time between two readings of any curve."""
    steps = [later - earlier for curve in drawn for earlier, later in pairwise(curve.at_seconds)]
    return median(steps) if steps else 0.0


def _once(moved: Sequence[Shift], signals: Mapping[str, Signal]) -> list[Shift]:
    """A machine's signals once, although several members are on it."""
    seen: set[tuple[str, float, float]] = set()
    kept = []
    for shift in moved:
        key = (shift.signal, round(shift.at_seconds, 1), shift.after)
        if not signals[shift.signal].machine or key not in seen:
            kept.append(shift)
        seen.add(key)
    return kept


def _titles(effects: Sequence[SignalCurve]) -> list[str]:
    return list(dict.fromkeys(curve.title for curve in effects))
