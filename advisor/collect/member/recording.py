"""What has been read of one member so far? Filled by its reader; usable at any time, also when reading ended early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from advisor.catalog import detect_release
from advisor.model.evidence import Row
from advisor.model.record import record
from advisor.model.server import Release


@record
class Lack:
    """Something that could not be read: `what`, in the bundle's names, `why`, and the `command` that would help."""

    what: str
    why: str
    command: str = ""


@record
class Clock:
    """How far the member's clock is ahead of ours, in seconds, and how exact that is (half a round trip)."""

    ahead_seconds: float
    within_seconds: float


@dataclass(slots=True)
class Recording:
    """One member. Times are seconds since the collection began, on the collector's clock.

    `tables` pairs a time with the tables read then; `once` holds those that were read once. `option_files` maps the
    server's paths to texts; the first one is the file the server was started with. `failure` is "" or why the member
    could not be read, or not to the end.
    """

    name: str
    account: str = ""
    variables: dict[str, str] = field(default_factory=dict)
    samples: list[tuple[float, dict[str, str]]] = field(default_factory=list)
    once: dict[str, list[Row]] = field(default_factory=dict)
    tables: list[tuple[float, dict[str, list[Row]]]] = field(default_factory=list)
    innodb_status: str = ""
    host: dict[str, object] = field(default_factory=dict)
    option_files: Mapping[str, str] = field(default_factory=dict)
    clock: Clock | None = None
    lacks: list[Lack] = field(default_factory=list)
    failure: str = ""

    @property
    def reached(self) -> bool:
        """Whether anything was read."""
        return bool(self.variables or self.samples)


def release_of(variables: Mapping[str, str]) -> Release | None:
    """The release of a running server, from its version variables; None when they do not tell."""
    return detect_release(variables.get("version", ""), variables.get("version_comment", ""))
