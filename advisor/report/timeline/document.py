"""What does the JSON report of `advisor timeline` contain? The file in schemas/ is made from these dataclasses."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Final

from advisor.model.monitoring.timeline import Episode, Event, Shift, SignalCurve, Timeline

SCHEMA: Final = "advisor/timeline/1"
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class When:
    """A moment (ISO 8601, UTC) with its 95 % interval for shifts, and the readings around it for events."""

    at: str
    earliest: str
    latest: str


@dataclass(frozen=True, slots=True)
class ShiftSeen:
    """A signal that moved to another level. `part`: effect or reason. `words` is "" where it says nothing alone."""

    signal: str
    member: str
    part: str
    when: When
    before: float
    after: float
    words: str


@dataclass(frozen=True, slots=True)
class EventSeen:
    """What happened to a member. `kind`: restart, unreachable, not_scraped, role, replication, setting, command.

    `ended`: null where it has no length. `before` and `after`: of a setting.
    """

    kind: str
    member: str
    when: When
    subject: str
    before: str
    after: str
    words: str
    ended: str | None


@dataclass(frozen=True, slots=True)
class EpisodeSeen:
    """What belongs together. `ended`: when its effects were gone; null: they stayed, or are not known."""

    when: When
    ended: str | None
    sentence: str
    reason: str
    shifts: list[ShiftSeen]
    events: list[EventSeen]


@dataclass(frozen=True, slots=True)
class CurveDrawn:
    """A signal of one member. `at_seconds` count from the beginning; null values are not known."""

    signal: str
    title: str
    unit: str
    member: str
    made_of: str
    at_seconds: list[float]
    values: list[float | None]


@dataclass(frozen=True, slots=True)
class NotCollected:
    """What the monitoring does not hold, and the exporter's flag that would bring it ("" for none)."""

    what: str
    members: list[str]
    flag: str


@dataclass(frozen=True, slots=True)
class TimelineDocument:
    """The whole report. `answer` says what happened; `episodes` are in order of time."""

    schema: str
    source: str
    begin: str
    end: str
    members: list[str]
    answer: str
    episodes: list[EpisodeSeen]
    curves: list[CurveDrawn]
    not_collected: list[NotCollected]
    problems: list[str]


def render(timeline: Timeline) -> str:
    """The report as JSON."""
    return json.dumps(asdict(document(timeline)), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def document(timeline: Timeline) -> TimelineDocument:
    """The report as dataclasses."""
    return TimelineDocument(
        schema=SCHEMA,
        source=timeline.source,
        begin=_stamp(timeline.begin_seconds),
        end=_stamp(timeline.end_seconds),
        members=list(timeline.members),
        answer=timeline.answer,
        episodes=[_episode(episode) for episode in timeline.episodes],
        curves=[_curve(curve, timeline.begin_seconds) for curve in timeline.curves],
        not_collected=[NotCollected(each.what, list(each.members), each.flag) for each in timeline.absent],
        problems=list(timeline.problems),
    )


def _episode(episode: Episode) -> EpisodeSeen:
    return EpisodeSeen(
        when=When(_stamp(episode.begin_seconds), _stamp(episode.earliest_seconds), _stamp(episode.latest_seconds)),
        ended=None if episode.end_seconds is None else _stamp(episode.end_seconds),
        sentence=episode.sentence,
        reason=episode.reason,
        shifts=[_shift(shift) for shift in episode.shifts],
        events=[_event(event) for event in episode.events],
    )


def _shift(shift: Shift) -> ShiftSeen:
    levels = (_short(shift.before), _short(shift.after))
    return ShiftSeen(shift.signal, shift.member, str(shift.part), _when(shift), *levels, shift.words)


def _event(event: Event) -> EventSeen:
    ended = None if event.end_seconds is None else _stamp(event.end_seconds)
    texts = (event.subject, event.before, event.after, event.words)
    return EventSeen(str(event.kind), event.member, _when(event), *texts, ended)


def _curve(curve: SignalCurve, begin: float) -> CurveDrawn:
    values = [None if value is None else _short(value) for value in curve.values]
    moments = [round(at - begin, 3) for at in curve.at_seconds]
    return CurveDrawn(curve.signal, curve.title, curve.unit, curve.member, curve.how, moments, values)


def _when(each: Shift | Event) -> When:
    return When(_stamp(each.at_seconds), _stamp(each.earliest_seconds), _stamp(each.latest_seconds))


def _stamp(at_seconds: float) -> str:
    return datetime.fromtimestamp(at_seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _short(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
