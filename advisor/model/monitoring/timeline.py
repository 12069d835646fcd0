"""A timeline: what changed in a cluster over time, when, and what changed then."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from advisor.model.monitoring.history import Absent
from advisor.model.record import record


class Part(StrEnum):
    """What a signal says of an incident: what users notice, or what may be behind it."""

    EFFECT = "effect"
    REASON = "reason"


class EventKind(StrEnum):
    """What happened to a member at one time."""

    RESTART = "restart"
    UNREACHABLE = "unreachable"
    NOT_SCRAPED = "not_scraped"
    ROLE = "role"
    REPLICATION = "replication"
    SETTING = "setting"
    COMMAND = "command"


@record
class SignalCurve:
    """A signal of one member over time; `values` holds None where it is not known. `how` says what it is made of."""

    signal: str
    title: str
    unit: str
    member: str
    at_seconds: Sequence[float]
    values: Sequence[float | None]
    how: str


@record
class Shift:
    """A signal of a member moves from one level to another; a ramp from its first level to its last.

    It begins at `at_seconds`, with a 95 % interval from `earliest_seconds` to `latest_seconds`. `words` say it;
    `load`: more of it is more load.
    """

    signal: str
    member: str
    part: Part
    rank: int
    at_seconds: float
    earliest_seconds: float
    latest_seconds: float
    before: float
    after: float
    words: str
    load: bool = False
    on_replica: bool = False

    @property
    def worse(self) -> bool:
        """Whether users are worse off: less throughput, or more of everything else."""
        return (self.after < self.before) == (self.rank == 1)


@record
class Event:
    """Something that happened to a member between two readings, `earliest_seconds` and `latest_seconds`.

    `subject` is the setting or command; `before` and `after` are texts, "" where they make no sense.
    """

    kind: EventKind
    member: str
    at_seconds: float
    earliest_seconds: float
    latest_seconds: float
    subject: str
    words: str
    rank: int
    before: str = ""
    after: str = ""
    end_seconds: float | None = None


@record
class Episode:
    """Shifts and events that belong together. `end_seconds`: when the effects were gone; None when they stayed.

    `sentence` says what happened; `reason` is the kind of event or the signal that it names, "" for none; `specific`:
    a signal that means one thing only is among the shifts.
    """

    begin_seconds: float
    earliest_seconds: float
    latest_seconds: float
    end_seconds: float | None
    shifts: tuple[Shift, ...]
    events: tuple[Event, ...]
    sentence: str
    reason: str
    specific: bool = False


@record
class Timeline:
    """Everything that changed from one time to another. `answer` says what happened, in one or two sentences."""

    source: str
    begin_seconds: float
    end_seconds: float
    members: tuple[str, ...]
    answer: str
    episodes: tuple[Episode, ...]
    curves: tuple[SignalCurve, ...]
    absent: tuple[Absent, ...] = ()
    problems: tuple[str, ...] = ()
