"""How is a bottleneck made, and taken away without a trace? Each action is made in order, and undone the last first."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from advisor.bench.load.workloads import DATABASE
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.errors import AdvisorError, LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.members import find_member
from advisor.model.lab import ClusterFile
from benchmarks.diagnosis.gym import global_settings
from benchmarks.diagnosis.gym.actions import (
    Action,
    Nice,
    Pause,
    RunSql,
    SetGlobals,
    SideProcesses,
    SideSessions,
    Traffic,
)
from benchmarks.diagnosis.gym.link import shape
from benchmarks.diagnosis.gym.side_programs.start import SideProgram, start_hogs, start_sessions

Undo = Callable[[], None]
_STATEMENT_SECONDS: Final = 300.0


class NotUndoneError(LabError):
    """Something could not be taken away: the lab is of no further use."""


class Bottleneck:
    """What was made on a cluster, by its position, and how each of it is undone."""

    def __init__(self, cluster: ClusterFile) -> None:
        self._cluster = cluster
        self._undo: dict[int, list[Undo]] = {}
        self._programs: list[SideProgram] = []
        self.stale_clients = False

    def make(self, actions: Sequence[Action]) -> None:
        """Make everything in its order. What was made before an error stays to be taken away."""
        for position, action in enumerate(actions):
            undo = self._undo.setdefault(position, [])
            self._one(action, undo)

    def check(self) -> None:
        """LabError when a program beside the servers has ended by itself."""
        for program in self._programs:
            program.check()

    def take_away(self, positions: Sequence[int] | None = None) -> None:
        """Undo what stands at these positions, or everything that is left; NotUndoneError after all was tried."""
        errors = []
        for position in sorted(self._undo if positions is None else positions, reverse=True):
            steps = self._undo.get(position, [])
            while steps:
                try:
                    steps.pop()()
                except AdvisorError as error:
                    errors.append(error.message)
        if errors:
            raise NotUndoneError("; ".join(errors))

    def _one(self, action: Action, undo: list[Undo]) -> None:
        if isinstance(action, SetGlobals):
            self._set(action, undo)
        elif isinstance(action, RunSql):
            undo.append(lambda: self._run(action.member, action.undo))
            self._run(action.member, action.run)
        elif isinstance(action, SideSessions):
            self._start([start_sessions(action, self._target(action.member))], undo)
        elif isinstance(action, SideProcesses):
            self._start(start_hogs(action, Path(self._cluster.path).parent), undo)
        elif isinstance(action, Pause):
            undo.append(_pulses(self._target(action.member).pid, action))
        elif isinstance(action, Nice):
            undo.append(_renice(self._target(action.member).pid, action))
        elif isinstance(action, Traffic):
            undo.append(shape(self._target(action.member), action.netem))

    def _start(self, programs: list[SideProgram], undo: list[Undo]) -> None:
        self._programs += programs
        for program in programs:
            undo.append(partial(self._end, program))

    def _end(self, program: SideProgram) -> None:
        self._programs.remove(program)
        program.end()

    def _set(self, action: SetGlobals, undo: list[Undo]) -> None:
        for member, values in action.values.items():
            target, stopped = self._target(member), action.appliers_stopped
            before = global_settings.set_globals(target, values, without_appliers=stopped)
            undo.append(partial(global_settings.restore, target, before, without_appliers=stopped))
            if not stopped and any(global_settings.is_of_session(target, name) for name in values):
                undo.append(self._note_stale_clients)

    def _note_stale_clients(self) -> None:
        self.stale_clients = True

    def _run(self, member: str, statements: Sequence[str]) -> None:
        if statements:
            with connect(addresses(self._cluster)[member], answer_seconds=_STATEMENT_SECONDS) as session:
                session.run(f"USE {DATABASE}", *statements)

    def _target(self, member: str) -> FaultTarget:
        found = find_member(self._cluster, member)
        return FaultTarget(self._cluster, found, self._cluster.members.index(found) + 1)


def _pulses(pid: int, wanted: Pause) -> Undo:
    """Stop and continue a server in a thread, until it is undone."""
    ended = threading.Event()

    def work() -> None:
        with suppress(ProcessLookupError):
            while not ended.is_set():
                os.kill(pid, signal.SIGSTOP)
                ended.wait(wanted.stopped_ms / 1000 if wanted.running_ms else None)
                os.kill(pid, signal.SIGCONT)
                ended.wait(wanted.running_ms / 1000)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()

    def undo() -> None:
        ended.set()
        thread.join()

    return undo


def _renice(pid: int, wanted: Nice) -> Undo:
    """All threads: those that a server starts later have the priority of the one that started them."""
    before = {thread: os.getpriority(os.PRIO_PROCESS, thread) for thread in _threads(pid)}
    for thread in before:
        _prioritise(thread, wanted.level)

    def undo() -> None:
        for thread in _threads(pid):
            _prioritise(thread, before.get(thread, before[pid]))

    return undo


def _threads(pid: int) -> list[int]:
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except FileNotFoundError:
        return []


def _prioritise(thread: int, level: int) -> None:
    with suppress(ProcessLookupError):
        try:
            os.setpriority(os.PRIO_PROCESS, thread, level)
        except PermissionError:
            raise LabError("a higher priority needs root") from None
