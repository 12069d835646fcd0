"""Which shifts and events belong together? Those at one time, with what lay behind them just before.

A signal that leaves its level and is back within three minutes is one excursion, unless something happened to a member
when it came back: then that is worth telling, too. Reasons alone make no episode, except signals marked `alone`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from advisor.model.record import record, replace
from advisor.model.timeline import Episode, Event, EventKind, Part, Shift
from advisor.timeline.sentences import reason_of, sentence
from advisor.timeline.signals import Signal

_TOGETHER_SECONDS: Final = 12.0
_BEFORE_SECONDS: Final = 30.0
_EXCURSION_SECONDS: Final = 180.0
_TELLING: Final = frozenset({EventKind.SETTING, EventKind.RESTART, EventKind.ROLE, EventKind.REPLICATION})
_MOST_LOG: Final = 3.0


@record
class _Happening:
    """A shift or an event, from its begin to its end."""

    begin_seconds: float
    end_seconds: float
    back_seconds: float | None
    shifts: tuple[Shift, ...] = ()
    event: Event | None = None


def episodes(shifts: Sequence[Shift], events: Sequence[Event], signals: Sequence[Signal]) -> list[Episode]:
    """What happened, in order of time."""
    by_id = {signal.id: signal for signal in signals}
    main = [shift for shift in shifts if shift.part is Part.EFFECT or (by_id[shift.signal].alone and shift.words)]
    reasons = [shift for shift in shifts if shift not in main and shift.words]
    silent = [event for event in events if event.kind is EventKind.NOT_SCRAPED]
    told = [event for event in events if event.kind is not EventKind.NOT_SCRAPED]
    happenings = [*_excursions(main, told, by_id), *(_of_event(event) for event in told)]
    groups = _grouped(sorted(happenings, key=lambda each: each.begin_seconds))
    return [_episode(group, reasons, silent) for group in groups]


def gravity(episode: Episode) -> float:
    """How much an episode matters beside others: by its effects, and by what happened to members."""
    effects = [shift for shift in episode.shifts if shift.part is Part.EFFECT]
    sizes = (min(_MOST_LOG, abs(math.log((shift.after + 1) / (shift.before + 1)))) / shift.rank for shift in effects)
    grave = any(event.kind in (EventKind.RESTART, EventKind.ROLE, EventKind.UNREACHABLE) for event in episode.events)
    return max(sizes, default=0.0) + (2.0 if grave else 0.5 if episode.events else 0.0)


def _of_event(event: Event) -> _Happening:
    end = event.end_seconds if event.end_seconds is not None else event.latest_seconds
    return _Happening(event.at_seconds, max(event.latest_seconds, end), None, event=event)


def _excursions(shifts: Sequence[Shift], events: Sequence[Event], signals: Mapping[str, Signal]) -> list[_Happening]:
    curves: dict[tuple[str, str], list[Shift]] = {}
    for shift in shifts:
        curves.setdefault((shift.signal, shift.member), []).append(shift)
    return [each for (signal, _), run in curves.items() for each in _of_curve(run, events, signals[signal])]


def _of_curve(run: Sequence[Shift], events: Sequence[Event], signal: Signal) -> list[_Happening]:
    """Each shift with those that bring its signal back to where it was, if they follow soon."""
    found = []
    place = 0
    while place < len(run):
        back = _back(run, place, events, signal)
        used = run[place : back + 1] if back is not None else run[place : place + 1]
        at_seconds = used[-1].at_seconds if back is not None else None
        found.append(_Happening(used[0].at_seconds, used[-1].at_seconds, at_seconds, tuple(used)))
        place += len(used)
    return found


def _back(run: Sequence[Shift], place: int, events: Sequence[Event], signal: Signal) -> int | None:
    for later in range(place + 1, len(run)):
        if run[later].at_seconds - run[place].at_seconds > _EXCURSION_SECONDS:
            return None
        if _something_happened_at(run[later], events):
            return None
        if not signal.size.matters(run[place].before, run[later].after):
            return later
    return None


def _something_happened_at(shift: Shift, events: Sequence[Event]) -> bool:
    begin, end = shift.earliest_seconds - 2.0, shift.latest_seconds + 2.0
    return any(event.kind in _TELLING and begin <= event.at_seconds <= end for event in events)


def _grouped(happenings: Sequence[_Happening]) -> list[list[_Happening]]:
    groups: list[list[_Happening]] = []
    until = -math.inf
    for each in happenings:
        if groups and each.begin_seconds <= until + _TOGETHER_SECONDS:
            groups[-1].append(each)
            until = max(until, each.end_seconds)
        else:
            groups.append([each])
            until = each.end_seconds
    return groups


def _episode(group: Sequence[_Happening], reasons: Sequence[Shift], silent: Sequence[Event]) -> Episode:
    begin = min(each.begin_seconds for each in group)
    until = max(each.end_seconds for each in group) + _TOGETHER_SECONDS
    near: Callable[[float], bool] = lambda at: begin - _BEFORE_SECONDS <= at <= until  # noqa: E731
    effects = [each.shifts[0] for each in group if each.shifts]
    behind = [shift for shift in reasons if near(shift.at_seconds)]
    events = [each.event for each in group if each.event]
    events += [event for event in silent if near(event.at_seconds)]
    backs = [each.back_seconds for each in group if each.shifts]
    known = [at for at in backs if at is not None]
    shifts = tuple(sorted((*effects, *behind), key=lambda shift: (shift.part is not Part.EFFECT, shift.at_seconds)))
    first = _first(shifts, events)
    whole = Episode(
        begin_seconds=first.at_seconds,
        earliest_seconds=first.earliest_seconds,
        latest_seconds=first.latest_seconds,
        end_seconds=max(known) if known and len(known) == len(backs) else None,
        shifts=shifts,
        events=tuple(sorted(events, key=lambda event: (event.at_seconds, event.rank))),
        sentence="",
        reason="",
    )
    return replace(whole, sentence=sentence(whole), reason=_named(reason_of(whole)))


def _named(reason: Shift | Event | None) -> str:
    if reason is None:
        return ""
    return reason.signal if isinstance(reason, Shift) else f"{reason.kind}: {reason.subject}"


def _first(shifts: Sequence[Shift], events: Sequence[Event]) -> Shift | Event:
    """What dates the episode: the earliest effect or event; reasons are too noisy for that."""
    dated: list[Shift | Event] = [shift for shift in shifts if shift.part is Part.EFFECT]
    dated += [event for event in events if event.kind is not EventKind.NOT_SCRAPED]
    return min(dated or shifts or events, key=lambda each: each.at_seconds)
