"""How are times and evidence of a timeline worded, in every format?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from advisor.model.monitoring.history import Absent
from advisor.model.monitoring.timeline import Episode, Event, Part, Shift, Timeline

HEADINGS = {"effect": "what users notice", "event": "what happened", "reason": "what may be behind it"}


def day_and_time(at_seconds: float) -> str:
    """With the day and the zone of this machine."""
    return datetime.fromtimestamp(at_seconds).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


def time_of_day(at_seconds: float) -> str:
    """In the zone of this machine."""
    return datetime.fromtimestamp(at_seconds).astimezone().strftime("%H:%M:%S")


def heading(timeline: Timeline) -> str:
    """Which members, and from when to when."""
    span = f"{day_and_time(timeline.begin_seconds)} to {day_and_time(timeline.end_seconds)}"
    return f"{', '.join(timeline.members)}, {span}"


def between(each: Shift | Event) -> str:
    """The moment, or the interval that has it where that is wider than two seconds."""
    if each.latest_seconds - each.earliest_seconds <= 2:
        return time_of_day(each.at_seconds)
    earliest, latest = time_of_day(each.earliest_seconds), time_of_day(each.latest_seconds)
    return f"{time_of_day(each.at_seconds)} (between {earliest} and {latest})"


def rows(episode: Episode) -> Iterator[tuple[str, str, str]]:
    """(kind, moment, words) of everything in an episode that says something: events, effects, reasons."""
    for event in episode.events:
        yield "event", between(event), event.words
    for shift in episode.shifts:
        if shift.words:
            yield ("effect" if shift.part is Part.EFFECT else "reason"), between(shift), shift.words


def duration(episode: Episode) -> str:
    """When the effects were over; "" where that is not known or they stayed."""
    return "" if episode.end_seconds is None else f"over at {time_of_day(episode.end_seconds)}"


def not_collected(absent: Absent) -> str:
    """What is unknown for want of a collector, and the flag that would bring it."""
    needed = f": mysqld_exporter {absent.flag}" if absent.flag else ": node_exporter, with the same node_name or host"
    return f"{absent.what} of {', '.join(absent.members)}{needed}"
