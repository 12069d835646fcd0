"""Which shifts and events belong together? Effects go to what happened to a member just before them.

Events and shifts of signals that mean one thing only (`specific`) are anchors: effects that begin with them or up to
half a minute later are theirs. What is left groups by time, with generic reasons such as a slow disk next to it. A
signal that leaves its level and is back within three minutes is one excursion, unless something happened to a member
when it came back. Reasons alone make no episode, except signals marked `alone`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.monitoring.timeline import Episode, Event, EventKind, Part, Shift
from advisor.model.record import record, replace
from advisor.timeline.sentences import reason_of, sentence
from advisor.timeline.signals import Signal

_TOGETHER_SECONDS: Final = 6.0  # at least; two scrapes where they are rare
_TOGETHER_SCRAPES: Final = 2.0
_LATE_SECONDS: Final = 30.0
_EXCURSION_SECONDS: Final = 180.0
_TELLING: Final = frozenset({EventKind.SETTING, EventKind.RESTART, EventKind.ROLE, EventKind.REPLICATION})
_GRAVE: Final = frozenset({EventKind.RESTART, EventKind.ROLE, EventKind.UNREACHABLE})
_MOST_LOG: Final = 3.0
_FIRST_RANKS: Final = 2  # throughput and latency; lag and queues follow from these


@record
class _Excursion:
    """A shift of an effect, and when the signal was back; None where it stayed."""

    shift: Shift
    end_seconds: float
    back_seconds: float | None


@record
class _Anchor:
    """What happened at one time: events, and shifts that mean one thing only."""

    begin_seconds: float
    end_seconds: float
    events: tuple[Event, ...]
    shifts: tuple[Shift, ...]

    def explains(self, at_seconds: float, together: float) -> bool:
        """Whether an effect that began then may be its own."""
        return self.begin_seconds - together <= at_seconds <= self.end_seconds + _LATE_SECONDS


def episodes(
    shifts: Sequence[Shift], events: Sequence[Event], signals: Sequence[Signal], scrape_seconds: float
) -> list[Episode]:
    """What happened, in order of time. `scrape_seconds`: how long it is from one reading to the next."""
    together = max(_TOGETHER_SECONDS, _TOGETHER_SCRAPES * scrape_seconds)
    by_id = {signal.id: signal for signal in signals}
    effects = [shift for shift in shifts if shift.part is Part.EFFECT]
    reasons = [shift for shift in shifts if shift.part is Part.REASON and shift.words]
    specific = [shift for shift in reasons if by_id[shift.signal].specific]
    generic = [shift for shift in reasons if shift not in specific]
    silent = [event for event in events if event.kind is EventKind.NOT_SCRAPED]
    told = [event for event in events if event.kind is not EventKind.NOT_SCRAPED]
    anchors = _anchors(told, specific, together)
    left = _excursions(effects, told, by_id)
    found = []
    for anchor in reversed(anchors):  # the latest that can explain an effect does
        own = [each for each in left if anchor.explains(each.shift.at_seconds, together)]
        left = [each for each in left if each not in own]
        if own or anchor.events or any(by_id[shift.signal].alone for shift in anchor.shifts):
            found.append(_episode(own, anchor, generic, silent, together))
    found += [_episode(group, None, generic, silent, together) for group in _grouped(left, together)]
    return sorted(found, key=lambda episode: episode.begin_seconds)


def gravity(episode: Episode) -> float:
    """How much an episode matters next to others: by its effects, and by what is known of their reason."""
    effects = [shift for shift in episode.shifts if shift.part is Part.EFFECT]
    largest = max(map(_weight, effects), default=0.0)
    if any(event.kind in _GRAVE for event in episode.events):
        return largest + 3.0
    if episode.specific or any(event.kind is not EventKind.NOT_SCRAPED for event in episode.events):
        return largest + (1.0 if effects else 0.5)
    return largest + (0.3 if episode.reason else 0.0)


def _weight(effect: Shift) -> float:
    """By its size, its signal, whether it is for the worse, and on a member that clients write to."""
    size = min(_MOST_LOG, abs(math.log((effect.after + 1) / (effect.before + 1)))) / effect.rank
    return size * (1.0 if effect.worse else 0.7) * (0.7 if effect.on_replica and effect.rank <= _FIRST_RANKS else 1.0)


def _anchors(events: Sequence[Event], specific: Sequence[Shift], together: float) -> list[_Anchor]:
    """Those that begin within a few seconds of each other are one."""
    pieces = [_Anchor(event.at_seconds, _end(event), (event,), ()) for event in events]
    pieces += [_Anchor(shift.at_seconds, shift.at_seconds, (), (shift,)) for shift in specific]
    anchors: list[_Anchor] = []
    for piece in sorted(pieces, key=lambda each: each.begin_seconds):
        last = anchors[-1] if anchors else None
        if last and piece.begin_seconds - last.begin_seconds <= together:
            end = max(last.end_seconds, piece.end_seconds)
            whole = (last.events + piece.events, last.shifts + piece.shifts)
            anchors[-1] = _Anchor(last.begin_seconds, end, *whole)
        else:
            anchors.append(piece)
    return anchors


def _end(event: Event) -> float:
    return event.latest_seconds if event.end_seconds is None else max(event.end_seconds, event.latest_seconds)


def _excursions(shifts: Sequence[Shift], events: Sequence[Event], signals: Mapping[str, Signal]) -> list[_Excursion]:
    curves: dict[tuple[str, str], list[Shift]] = {}
    for shift in shifts:
        curves.setdefault((shift.signal, shift.member), []).append(shift)
    found = [each for (signal, _), run in curves.items() for each in _of_curve(run, events, signals[signal])]
    return sorted(found, key=lambda each: each.shift.at_seconds)


def _of_curve(run: Sequence[Shift], events: Sequence[Event], signal: Signal) -> list[_Excursion]:
    """Each shift with those that bring its signal back to where it was, if they follow soon."""
    found = []
    place = 0
    while place < len(run):
        back = _back(run, place, events, signal)
        last = place if back is None else back
        at_seconds = None if back is None else run[back].at_seconds
        found.append(_Excursion(run[place], run[last].at_seconds, at_seconds))
        place = last + 1
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


def _grouped(excursions: Sequence[_Excursion], together: float) -> list[list[_Excursion]]:
    """By their beginnings; what follows from others (lag, queues) joins them as long as they last."""
    groups: list[list[_Excursion]] = []
    begun = until = -math.inf
    for each in excursions:
        at_seconds = each.shift.at_seconds
        reach = until if each.shift.rank > _FIRST_RANKS else begun
        if groups and at_seconds <= reach + together:
            groups[-1].append(each)
            until = max(until, each.end_seconds)
        else:
            groups.append([each])
            until = each.end_seconds
        begun = at_seconds
    return groups


def _episode(
    own: Sequence[_Excursion],
    anchor: _Anchor | None,
    generic: Sequence[Shift],
    silent: Sequence[Event],
    together: float,
) -> Episode:
    effects = [each.shift for each in own]
    events = list(anchor.events) if anchor else []
    specific = list(anchor.shifts) if anchor else []
    dated: list[Shift | Event] = [*events, *specific, *([] if anchor else effects)]
    weightiest = min(each.rank for each in effects) if effects else 0
    dated = dated if anchor else [shift for shift in effects if shift.rank == weightiest]
    first = min(dated, key=lambda each: each.at_seconds)
    until = max((each.end_seconds for each in own), default=first.at_seconds) + together
    begin = min((first.at_seconds, *(shift.at_seconds for shift in effects)))
    near = [shift for shift in generic if begin - _LATE_SECONDS <= shift.at_seconds <= until]
    events += [event for event in silent if begin - together <= event.at_seconds <= until]
    backs = [each.back_seconds for each in own if each.back_seconds is not None]
    shifts = sorted((*effects, *specific, *near), key=lambda shift: (shift.part is not Part.EFFECT, shift.at_seconds))
    whole = Episode(
        begin_seconds=first.at_seconds,
        earliest_seconds=first.earliest_seconds,
        latest_seconds=first.latest_seconds,
        end_seconds=max(backs) if backs and len(backs) == len(own) else None,
        shifts=tuple(shifts),
        events=tuple(sorted(events, key=lambda event: (event.at_seconds, event.rank))),
        sentence="",
        reason="",
        specific=bool(specific),
    )
    return replace(whole, sentence=sentence(whole), reason=_named(reason_of(whole)))


def _named(reason: Shift | Event | None) -> str:
    if reason is None:
        return ""
    return reason.signal if isinstance(reason, Shift) else f"{reason.kind}: {reason.subject}"
