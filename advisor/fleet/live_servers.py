"""How are many running servers read side by side? So many connections at once, so long for each, and none waits for
a dead one.

Every server has a thread of its own that nobody waits for beyond its time: a server that accepts a connection and
never answers costs its own result only.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Sequence

from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.dsn import parse_dsn
from advisor.collect.gather import gather
from advisor.collect.login import Login
from advisor.collect.member.reader import MemberTarget, ReadingSchedule
from advisor.collect.member.recording import Recording
from advisor.collect.targets import ClusterTarget
from advisor.errors import AdvisorError
from advisor.fleet.inventory.entries import Entry
from advisor.model.evidence import Cluster
from advisor.model.record import record

_SAME_MOMENT_SECONDS = 0.05  # how often it is looked whether a thread's time is over


@record
class LiveLimits:
    """How many connections at once, and how long one server may take, in seconds."""

    connections: int = 32
    server_seconds: float = 20.0


@record
class LiveCluster:
    """What was read of the running members of a cluster; `failures` has those that were not, by name."""

    name: str
    evidence: Cluster | None
    entries: tuple[Entry, ...]
    failures: dict[str, str]


def read_side_by_side(entries: Sequence[Entry], login: Login, limits: LiveLimits) -> Iterator[LiveCluster]:
    """Clusters in the order in which all of their members have been read or given up."""
    clusters: dict[str, list[Entry]] = {}
    for entry in entries:
        clusters.setdefault(entry.cluster, []).append(entry)
    done: queue.Queue[tuple[Entry, Recording | str]] = queue.Queue()
    results: dict[str, dict[str, Recording | str]] = {name: {} for name in clusters}
    waiting = list(entries)
    running: dict[tuple[str, str], tuple[Entry, float]] = {}
    while waiting or running:
        while waiting and len(running) < limits.connections:
            entry = waiting.pop(0)
            running[entry.cluster, entry.name] = (entry, time.monotonic() + limits.server_seconds)
            threading.Thread(target=_read, args=(entry, login, done), name=f"read {entry.name}", daemon=True).start()
        for entry, outcome in _finished(done, running, limits):
            results[entry.cluster][entry.name] = outcome
            if len(results[entry.cluster]) == len(clusters[entry.cluster]):
                yield _cluster(entry.cluster, clusters[entry.cluster], results.pop(entry.cluster))


def _finished(
    done: queue.Queue[tuple[Entry, Recording | str]],
    running: dict[tuple[str, str], tuple[Entry, float]],
    limits: LiveLimits,
) -> Iterator[tuple[Entry, Recording | str]]:
    """Those that ended meanwhile, and those whose time is over."""
    try:
        entry, outcome = done.get(timeout=_SAME_MOMENT_SECONDS)
        if running.pop((entry.cluster, entry.name), None):
            yield entry, outcome
    except queue.Empty:
        pass
    now = time.monotonic()
    for key, (entry, until) in list(running.items()):
        if now > until:
            del running[key]
            yield entry, f"no answer within {limits.server_seconds:g} s"


def _read(entry: Entry, login: Login, done: queue.Queue[tuple[Entry, Recording | str]]) -> None:
    try:
        address = parse_dsn(entry.dsn, login)
        gathered = gather([MemberTarget(entry.name, address)], ReadingSchedule())
        recording = gathered.recordings[0]
        done.put((entry, recording if recording.reached else recording.failure or "not read"))
    except AdvisorError as error:
        done.put((entry, error.message))
    except Exception as error:  # one server must never cost the others
        done.put((entry, f"{type(error).__name__}: {error}"))


def _cluster(name: str, entries: Sequence[Entry], outcomes: dict[str, Recording | str]) -> LiveCluster:
    """The evidence of those that were read, as one cluster."""
    from datetime import UTC, datetime

    from advisor.collect.gather import Gathered

    recordings = {entry.name: outcomes[entry.name] for entry in entries}
    read = {key: value for key, value in recordings.items() if isinstance(value, Recording)}
    failures = {key: value for key, value in recordings.items() if isinstance(value, str)}
    if not read:
        return LiveCluster(name, None, tuple(entries), failures)
    kept = tuple(entry for entry in entries if entry.name in read)
    targets = tuple(MemberTarget(entry.name, parse_dsn(entry.dsn, Login())) for entry in kept)
    gathered = Gathered(datetime.now(UTC), ReadingSchedule(), tuple(read.values()))
    try:
        evidence = live_evidence(gathered, ClusterTarget(name, name, targets))
    except AdvisorError as error:
        return LiveCluster(name, None, tuple(entries), failures | dict.fromkeys(read, error.message))
    return LiveCluster(name, evidence, tuple(entries), failures)
