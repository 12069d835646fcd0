"""What is in bundle.json, the file that makes a folder a bundle? schemas/bundle.json is generated from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class StatedMember:
    """A member. `role` and `server` are "" where the evidence itself shows it.

    `clock_ahead_seconds` is how far its clock is ahead of the collector's, `clock_within_seconds` its uncertainty.
    `round_trip_ms` is how long the shortest of five trivial statements took, from the collector and back. Null when
    not measured.
    """

    name: str
    role: str = ""
    server: str = ""
    clock_ahead_seconds: float | None = None
    clock_within_seconds: float | None = None
    round_trip_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Lacking:
    """Something that could not be read of some members: what, why, and the command that would help ("" for none)."""

    members: list[str]
    what: str
    why: str
    command: str


@dataclass(frozen=True, slots=True)
class Unread:
    """Members that could not be read, or not to the end, and why."""

    members: list[str]
    why: str


@dataclass(frozen=True, slots=True)
class Statement:
    """The whole file. `created` is UTC and the 0 of every `at_seconds`; `topology` "" where the evidence shows it.

    `interval_seconds` is the time between two samples, null for a single moment. `redacted`: names of hosts, users,
    schemas and tables are pseudonyms, the same throughout this bundle.
    """

    format: int
    created: str
    collector: str
    cluster: str
    topology: str
    members: list[StatedMember]
    interval_seconds: float | None
    redacted: bool
    interrupted: bool = False
    lacks: list[Lacking] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
