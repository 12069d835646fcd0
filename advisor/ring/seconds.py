"""What is kept of a member at one time? What was read of it since the last time, and the figures made of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.model.evidence import Row
from advisor.model.record import field, record

Counters = Mapping[str, str]
Tables = Mapping[str, Sequence[Row]]


@record
class Setup:
    """What a member was when reading it began: its settings, tables that are read once, its machine, option files.

    `role` and `topology` are "" where they are not stated.
    """

    variables: Counters
    once: Tables = field(default_factory=dict)
    option_files: Mapping[str, str] = field(default_factory=dict)
    account: str = ""
    role: str = ""
    topology: str = ""


@record
class MemberSecond:
    """One member at an epoch time. `samples` and `tables` have their own epoch times.

    `setup` is there when reading began again, `host` and `innodb_status` when they were read. `clock`: how far its
    clock is ahead, and how exact that is, in seconds; () where it was not measured. `lacks` are triples of
    what could not be read, why, and what would help. `failure`: why the member cannot be read; `figures`: what was
    computed of this second, by name; a figure that is unknown is left out.
    """

    member: str
    at_seconds: float
    samples: Sequence[tuple[float, Counters]] = ()
    tables: Sequence[tuple[float, Tables]] = ()
    setup: Setup | None = None
    clock: tuple[float, ...] = ()
    host: Mapping[str, object] = field(default_factory=dict)
    innodb_status: str = ""
    lacks: Sequence[tuple[str, str, str]] = ()
    failure: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
