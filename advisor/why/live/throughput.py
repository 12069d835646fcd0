"""How fast is a member while a change is tried, and does the load still run? Rates over some seconds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from advisor.model.progress import Progress
from advisor.model.record import record
from advisor.topologies import ProgressMonitor

_STEP_SECONDS: Final = 0.25
_SILENT_SECONDS: Final = 1.5  # a throttled writer commits in bursts
_LEAST_SETTLING_SECONDS: Final = 1.5
_MOST_SETTLING_SECONDS: Final = 20.0
_FEW_QUEUED: Final = 100  # transactions
_LOAD_ENDED: Final = 0.02  # of the load before


@record
class Throughput:
    """What was measured over `seconds`: transactions per second that the member committed or applied.

    `rate` None: the member never reported one. `load` is what all members commit for their own clients. `backlog` is
    the longest queue at the end. `silent_seconds`: how long before the end nobody had committed anything. `stopped`
    says why it ended early.
    """

    rate: float | None
    load: float
    backlog: int
    silent_seconds: float
    seconds: float
    stopped: str = ""


def measure_throughput(
    monitor: ProgressMonitor, member: str, applied: bool, seconds: float, most_queued: int | None = None
) -> Throughput:
    """Measure for some seconds, or until more than `most_queued` transactions wait on a member (None: no limit)."""
    monitor.look()
    begun = time.monotonic()
    own, load = _Mean(), _Mean()
    stopped, silent_since, fullest = "", begun, None
    while not stopped and time.monotonic() < begun + seconds:
        time.sleep(_STEP_SECONDS)
        members = monitor.look()
        own.add([progress for progress in members if progress.member == member], applied)
        if load.add(members, False) > 0:
            silent_since = time.monotonic()
        fullest = _longest_queue(members)
        if most_queued is not None and fullest is not None and (fullest.backlog or 0) > most_queued:
            stopped = (
                f"{fullest.member} had a backlog of {fullest.backlog} transactions, above the limit of {most_queued}"
            )
    backlog = (fullest.backlog or 0) if fullest is not None else 0
    now = time.monotonic()
    return Throughput(own.rate, load.rate or 0.0, backlog, now - silent_since, now - begun, stopped)


def backlog_drained(monitor: ProgressMonitor, backlog: float) -> bool:
    """Wait until the backlog is no longer than before the change; False when that takes more than twenty seconds."""
    begun = time.monotonic()
    time.sleep(_LEAST_SETTLING_SECONDS)
    most = max(_FEW_QUEUED, backlog * 1.2)
    while (longest := _longest_queue(monitor.look())) is not None and (longest.backlog or 0) > most:
        if time.monotonic() - begun > _MOST_SETTLING_SECONDS:
            return False
        time.sleep(_STEP_SECONDS)
    return True


def flaw_of(before: Throughput, during: Throughput, after: Throughput | None) -> str:
    """Why the rates cannot be compared: the load ended, or the member did not report. "" when they can."""
    if during.rate is None:
        return "its rate during the change is not known"
    silent = max(_SILENT_SECONDS, 10 / before.load) if before.load else 0.0
    if during.silent_seconds >= silent:
        return "the load ended: no further transaction was committed"
    if after is not None and after.load < before.load * _LOAD_ENDED:
        return f"the load ended: {before.load:.0f} transactions per second before, {after.load:.0f} after"
    return ""


class _Mean:
    """A mean rate over intervals of different lengths."""

    def __init__(self) -> None:
        self._count = self._seconds = 0.0

    def add(self, members: Sequence[Progress], applied: bool) -> float:
        """Count what these members did; the sum of their present rates, where known."""
        rates = [(each.applied_per_second if applied else each.committed_per_second, each) for each in members]
        known = [(rate, each.interval_seconds) for rate, each in rates if rate is not None]
        if known:
            self._count += sum(rate * seconds for rate, seconds in known)
            self._seconds += max(seconds for _, seconds in known)
        return sum(rate for rate, _ in known)

    @property
    def rate(self) -> float | None:
        """Per second; None when no rate was ever known."""
        return self._count / self._seconds if self._seconds else None


def _longest_queue(members: Sequence[Progress]) -> Progress | None:
    return max(members, key=lambda progress: progress.backlog or 0, default=None)
