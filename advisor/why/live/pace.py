"""How fast is a member while something is tried, and is the load still there? Rates over some seconds of a watch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from advisor.model.progress import Progress
from advisor.model.record import record
from advisor.topologies import Watch

_LOOK_SECONDS: Final = 0.25
_SILENT_SECONDS: Final = 1.5  # a writer that is held back commits in bursts
_LEAST_SETTLING_SECONDS: Final = 1.5
_MOST_SETTLING_SECONDS: Final = 20.0
_FEW_QUEUED: Final = 100  # transactions
_GONE: Final = 0.02  # of the load before


@record
class Pace:
    """What was seen over `seconds`: transactions per second that the member committed, or applied for others.

    `rate` None: the member never told. `load` is what all members commit for their own clients. `backlog` is the
    longest queue at the end. `silent_seconds`: how long, up to the end, nobody committed anything. `stopped` says why
    it ended early.
    """

    rate: float | None
    load: float
    backlog: int
    silent_seconds: float
    seconds: float
    stopped: str = ""


def pace(watch: Watch, member: str, applied: bool, seconds: float, most_queued: int | None = None) -> Pace:
    """Watch for some seconds, or until more than `most_queued` transactions wait on a member (None: whatever waits)."""
    watch.look()
    begun = time.monotonic()
    own, load = _Mean(), _Mean()
    stopped, silent_since, fullest = "", begun, None
    while not stopped and time.monotonic() < begun + seconds:
        time.sleep(_LOOK_SECONDS)
        seen = watch.look()
        own.add([one for one in seen if one.member == member], applied)
        if load.add(seen, False) > 0:
            silent_since = time.monotonic()
        fullest = _fullest(seen)
        if most_queued is not None and fullest is not None and (fullest.backlog or 0) > most_queued:
            stopped = f"{fullest.backlog} transactions waited on {fullest.member}, more than {most_queued}"
    backlog = (fullest.backlog or 0) if fullest is not None else 0
    now = time.monotonic()
    return Pace(own.rate, load.rate or 0.0, backlog, now - silent_since, now - begun, stopped)


def settled(watch: Watch, backlog: float) -> bool:
    """Wait until no more transactions wait than before, `backlog`; False when that takes more than twenty seconds."""
    begun = time.monotonic()
    time.sleep(_LEAST_SETTLING_SECONDS)
    while (waiting := _fullest(watch.look())) is not None and (waiting.backlog or 0) > max(_FEW_QUEUED, backlog * 1.2):
        if time.monotonic() - begun > _MOST_SETTLING_SECONDS:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def flaw_of(before: Pace, during: Pace, after: Pace | None) -> str:
    """Why the paces do not compare: the load ended meanwhile, or the member did not tell. "" when they do."""
    if during.rate is None:
        return "how fast it was meanwhile is not known"
    silent = max(_SILENT_SECONDS, 10 / before.load) if before.load else 0.0
    if during.silent_seconds >= silent:
        return "the load ended meanwhile: nothing was committed any more"
    if after is not None and after.load < before.load * _GONE:
        return f"the load ended meanwhile: {before.load:.0f} transactions per second before, {after.load:.0f} after"
    return ""


class _Mean:
    """A rate over intervals of different lengths."""

    def __init__(self) -> None:
        self._count = self._seconds = 0.0

    def add(self, seen: Sequence[Progress], applied: bool) -> float:
        """Count what these members did; the sum of their rates now, of those that tell."""
        rates = [(one.applied_per_second if applied else one.committed_per_second, one) for one in seen]
        told = [(rate, one.interval_seconds) for rate, one in rates if rate is not None]
        if told:
            self._count += sum(rate * seconds for rate, seconds in told)
            self._seconds += max(seconds for _, seconds in told)
        return sum(rate for rate, _ in told)

    @property
    def rate(self) -> float | None:
        """Per second; None when nothing was told."""
        return self._count / self._seconds if self._seconds else None


def _fullest(seen: Sequence[Progress]) -> Progress | None:
    return max(seen, key=lambda one: one.backlog or 0, default=None)
