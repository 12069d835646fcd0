"""What can be done to a cluster to make it slow, or look odd? One record for each kind of entry of `make`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from advisor.model.record import record
from benchmarks.diagnosis.gym.entry import Entry

PROCESS_KINDS: Final = ("cpu", "fsync", "write")
_LEAST_NICE: Final = -20
_MOST_NICE: Final = 19


@record
class SetGlobals:
    """Global variables: member → name → value. `appliers_stopped`: the member applies nothing meanwhile."""

    values: Mapping[str, Mapping[str, str]]
    appliers_stopped: bool

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches."""
        return tuple(self.values)


@record
class RunSql:
    """Statements that are run once, and those that take them back."""

    member: str
    run: tuple[str, ...]
    undo: tuple[str, ...]

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches."""
        return (self.member,)


@record
class SideSessions:
    """Connections beside the load that repeat statements; with `once` they run them once and stay open."""

    member: str
    count: int
    run: tuple[str, ...]
    once: bool

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches."""
        return (self.member,)


@record
class SideProcesses:
    """Programs beside the servers: `kind` is one of PROCESS_KINDS."""

    kind: str
    count: int

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches by name: nobody."""
        return ()


@record
class Pause:
    """A member's server stands still for a while, again and again; `running_ms` 0: for good."""

    member: str
    stopped_ms: int
    running_ms: int

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches."""
        return (self.member,)


@record
class Nice:
    """The priority of all threads of a member's server, 19 the lowest."""

    member: str
    level: int

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches."""
        return (self.member,)


@record
class Traffic:
    """What happens to the packets of a member, in words of netem: "delay 20ms", "rate 2mbit"."""

    member: str
    netem: str

    @property
    def members(self) -> tuple[str, ...]:
        """Whom it touches."""
        return (self.member,)


Action = SetGlobals | RunSql | SideSessions | SideProcesses | Pause | Nice | Traffic


def read_action(entry: Entry) -> Action:
    """One entry of `make`; InputError with file, line and key when it is wrong."""
    kinds = tuple(_READERS)
    if not isinstance(entry.data, dict) or len(entry.data) != 1:
        entry.refuse("must be one key with its values", f"one of {', '.join(kinds)}")
    kind = next(iter(entry.keyed(kinds).data))
    return _READERS[kind](entry.at(kind))


def _settings(entry: Entry) -> Action:
    return SetGlobals(_by_member(entry), appliers_stopped=False)


def _applier_settings(entry: Entry) -> Action:
    return SetGlobals(_by_member(entry), appliers_stopped=True)


def _by_member(entry: Entry) -> dict[str, Mapping[str, str]]:
    if not isinstance(entry.data, dict) or not entry.data:
        entry.refuse("must be members with settings, as {m1: {sync_binlog: 1}}")
    return {member: entry.at(member).values() for member in entry.data}


def _sql(entry: Entry) -> Action:
    entry.keyed(("on", "run", "undo"), ("on", "run"))
    return RunSql(entry.at("on").text(), entry.at("run").texts(), entry.at("undo").texts())


def _sessions(entry: Entry) -> Action:
    entry.keyed(("on", "count", "run", "once"), ("on", "run"))
    run = entry.at("run").texts()
    if not run:
        entry.at("run").refuse("no statement")
    return SideSessions(entry.at("on").text(), entry.at("count").whole(1, least=1), run, entry.at("once").yes())


def _processes(entry: Entry) -> Action:
    entry.keyed(("kind", "count"), ("kind",))
    return SideProcesses(entry.at("kind").word(PROCESS_KINDS), entry.at("count").whole(1, least=1))


def _pause(entry: Entry) -> Action:
    entry.keyed(("on", "stopped_ms", "running_ms"), ("on", "stopped_ms", "running_ms"))
    return Pause(entry.at("on").text(), entry.at("stopped_ms").whole(least=1), entry.at("running_ms").whole())


def _nice(entry: Entry) -> Action:
    entry.keyed(("on", "level"), ("on", "level"))
    level = entry.at("level").whole(least=_LEAST_NICE)
    if level > _MOST_NICE:
        entry.at("level").refuse(f"at most {_MOST_NICE}")
    return Nice(entry.at("on").text(), level)


def _traffic(entry: Entry) -> Action:
    entry.keyed(("on", "netem"), ("on", "netem"))
    return Traffic(entry.at("on").text(), entry.at("netem").text())


_READERS: Final[Mapping[str, Callable[[Entry], Action]]] = {
    "settings": _settings,
    "applier_settings": _applier_settings,
    "sql": _sql,
    "sessions": _sessions,
    "processes": _processes,
    "pause": _pause,
    "nice": _nice,
    "traffic": _traffic,
}
