"""What does a ring say of a time, as evidence? The same as a bundle: rounds become one recording of each member."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.read_back import read_back
from advisor.collect.bundle.stated_roles import complete
from advisor.collect.gather import Gathered
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.member.recording import Clock, Lack, Recording
from advisor.collect.targets import ClusterTarget
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.ring.reading import RingReading, kept_time
from advisor.ring.seconds import MemberSecond, Setup

MOST_SAMPLES: Final = 181  # of counters, and of each table; more say nothing new
MOST_PROCESS_LISTS: Final = 900
_OFTEN: Final = ("processlist", "background_threads", "open_transactions", "lock_waits")


def cluster_of_ring(folder: Path, begin_seconds: float, end_seconds: float) -> Cluster:
    """The evidence of a time, from one epoch time to another; 0 stands for no limit. InputError for an empty time.

    Settings are those at the end. Long times are thinned: process lists less than the rest.
    """
    held = kept_time(folder)
    begin, end = max(begin_seconds, held.begin_seconds), min(end_seconds or held.end_seconds, held.end_seconds)
    reading = RingReading(folder, begin, end)
    members: dict[str, _Member] = {}
    for second in reading:
        members.setdefault(second.member, _Member(begin, max(1.0, end - begin))).add(second)
    recordings = tuple(member.recording() for member in members.values())
    gathered = Gathered(datetime.fromtimestamp(begin, UTC), ReadingSchedule(1.0), recordings)
    target = _target(str(folder), members.values())
    cluster = read_back(complete(pack(gathered, target, redacted=False), target), str(folder))
    return replace(cluster, problems=(*cluster.problems, *reading.problems))


class _Member:
    """One member's recording while it is put together."""

    def __init__(self, begin_seconds: float, seconds: float) -> None:
        self._begin = begin_seconds
        self._steps = {MOST_SAMPLES: seconds / MOST_SAMPLES, MOST_PROCESS_LISTS: seconds / MOST_PROCESS_LISTS}
        self._taken: dict[tuple[str, int], int] = {}
        self.setup = Setup({})
        self._recording = Recording("")

    def add(self, second: MemberSecond) -> None:
        """Add what a second has, if it is due."""
        recording = self._recording
        recording.name, recording.failure = second.member, second.failure
        self.setup = second.setup or self.setup
        recording.samples += [
            (at - self._begin, dict(values)) for at, values in second.samples if self._due("", at, MOST_SAMPLES)
        ]
        for at, tables in second.tables:
            found = {
                name: list(rows)
                for name, rows in tables.items()
                if self._due(name, at, MOST_PROCESS_LISTS if name in _OFTEN else MOST_SAMPLES)
            }
            if found:
                recording.tables.append((at - self._begin, found))
        recording.innodb_status = second.innodb_status or recording.innodb_status
        recording.host.update(second.host)
        recording.clock = Clock(*second.clock) if second.clock else recording.clock
        recording.lacks += [lack for each in second.lacks if (lack := Lack(*each)) not in recording.lacks]

    def recording(self) -> Recording:
        """The recording, with the settings at the end."""
        done = self._recording
        done.account, done.variables = self.setup.account, dict(self.setup.variables)
        done.once = {table: list(rows) for table, rows in self.setup.once.items()}
        done.option_files = self.setup.option_files
        return done

    def _due(self, what: str, at_seconds: float, most: int) -> bool:
        """Whether this is the first of its kind in its step."""
        step = int((at_seconds - self._begin) / self._steps[most])
        if self._taken.get((what, most)) == step:
            return False
        self._taken[what, most] = step
        return True


def _target(path: str, members: Iterable[_Member]) -> ClusterTarget:
    setups = {member.recording().name: member.setup for member in members}
    topology = next((setup.topology for setup in setups.values() if setup.topology), "")
    roles = {name: Role(setup.role) for name, setup in setups.items() if setup.role}
    return ClusterTarget(path, Path(path).name, (), Topology(topology) if topology else None, roles)
