"""How is it said what happened? One sentence for an episode: when, the reason if one is known, and the effects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from advisor.model.monitoring.timeline import Episode, Event, EventKind, Part, Shift

_AFTER_SECONDS: Final = 5.0  # a reason shows at most this much later than its effect
_MOST_EFFECTS: Final = 2


def sentence(episode: Episode) -> str:
    """ "At 14:03:12, sync_binlog was changed from 0 to 1 on m1; throughput of m1 fell …"."""
    reason = reason_of(episode)
    effects = [shift.words for shift in _effects(episode)[:_MOST_EFFECTS]]
    clauses = [reason.words] if reason else []
    clauses += [each for each in effects if each not in clauses]
    if reason and not effects and isinstance(reason, Event):
        clauses.append("nothing else changed at the same time")
    if not reason:
        clauses.append("the monitoring does not show why")
    return f"At {moment(episode)}, {'; '.join(clauses)}."


def moment(episode: Episode) -> str:
    """The time of day, with the half-width of its interval where that is more than a second or two."""
    spread = max(episode.latest_seconds - episode.begin_seconds, episode.begin_seconds - episode.earliest_seconds)
    return time_of_day(episode.begin_seconds) + (f" (± {spread:.0f} s)" if spread >= 2 else "")


def time_of_day(at_seconds: float) -> str:
    """In the zone of this machine."""
    return datetime.fromtimestamp(at_seconds).astimezone().strftime("%H:%M:%S")


def day_and_time(at_seconds: float) -> str:
    """With the day and the zone."""
    return datetime.fromtimestamp(at_seconds).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


def reason_of(episode: Episode) -> Shift | Event | None:
    """What lies behind the effects: what happened to a member first, then what a signal tells; None for nothing."""
    begin = min((shift.latest_seconds for shift in _effects(episode)), default=episode.latest_seconds)
    begin = max(begin, episode.latest_seconds)
    candidates: list[Shift | Event] = [event for event in episode.events if event.kind is not EventKind.NOT_SCRAPED]
    candidates += [
        shift
        for shift in episode.shifts
        if shift.part is Part.REASON and shift.earliest_seconds <= begin + _AFTER_SECONDS and _explains(shift, episode)
    ]
    return min(candidates, key=lambda each: (each.rank, each.at_seconds), default=None)


def _explains(reason: Shift, episode: Episode) -> bool:
    """More load explains higher throughput, and anything worse with it; everything else explains what is worse."""
    effects = [shift for shift in episode.shifts if shift.part is Part.EFFECT]
    throughput = min((shift for shift in effects if shift.rank == 1), key=lambda shift: shift.on_replica, default=None)
    return throughput is None or reason.load == (not throughput.worse)


def answer(episodes: Sequence[Episode], gravest: Episode | None, begin: float, end: float, seen: Sequence[str]) -> str:
    """What happened between two times, in one or two sentences. `seen`: titles of the effects that were looked at."""
    if gravest is None:
        what = ", ".join(title[:1].lower() + title[1:] for title in seen)
        between = f"between {time_of_day(begin)} and {time_of_day(end)}"
        return f"Nothing changed {between}. Unchanged: {what}." if what else f"Nothing is known {between}."
    others = len(episodes) - 1
    more = f" {others} other change{'s' * (others > 1)} {'are' if others > 1 else 'is'} listed below." if others else ""
    return gravest.sentence + more


def _effects(episode: Episode) -> list[Shift]:
    """Those with words, the weightiest first, the writers' before the replicas'; each signal once.

    What got better is left out where something got worse: a server that does nothing answers quickly.
    """
    effects = [shift for shift in episode.shifts if shift.part is Part.EFFECT and shift.words]
    worse = [shift for shift in effects if shift.worse]
    firsts: dict[str, Shift] = {}
    for shift in sorted(worse or effects, key=lambda shift: (shift.rank, shift.on_replica, shift.at_seconds)):
        firsts.setdefault(shift.signal, shift)
    return list(firsts.values())
