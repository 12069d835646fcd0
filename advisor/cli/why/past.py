"""How is the past of a cluster diagnosed? `--history` names the monitoring, `--at` and `--for` the time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.past.moment import TimeSpan, parse_moment
from advisor.cli.shared.past.monitoring_source import monitoring_source
from advisor.errors import UsageError
from advisor.history.evidence import QUANTITIES, STEPS, cluster_of
from advisor.history.prometheus import Wanted
from advisor.history.source import read_history
from advisor.model.evidence import Cluster
from advisor.model.record import record
from advisor.ring.folder import is_ring
from advisor.ring.reading import kept_time

_FOR_SECONDS: Final = 1800.0
_LEAST_SECONDS: Final = 10.0
_REQUEST_SECONDS: Final = 60.0


@record
class Past:
    """The monitoring and the time as the command line says them, the servers to look at, and the file with a secret."""

    source: str
    at: str = ""
    for_: str = ""
    select: str = ""
    password_file: Path | None = None


def read_past(past: Past) -> Cluster:
    """The evidence that the monitoring kept. UsageError for a time that is none."""
    span = span_of(past)
    if is_ring(past.source):
        from advisor.watch.kept import cluster_of_ring

        if past.select:
            raise UsageError("--select applies to the address of a monitoring server, not to a recording")
        return cluster_of_ring(Path(past.source), span.begin_seconds, span.end_seconds)
    wanted = Wanted(span.begin_seconds, span.end_seconds, QUANTITIES, past.select, STEPS)
    return cluster_of(read_history(monitoring_source(past.source, past.password_file, _REQUEST_SECONDS), wanted))


def span_of(past: Past) -> TimeSpan:
    """The time asked for; of a file everything, when none is. UsageError for a time that is none.

    Of a recording of `advisor watch` the last half hour, or --for, unless --at says when it begins.
    """
    is_recording = is_ring(past.source)
    if not past.at and not past.for_ and not is_recording and not past.source.startswith(("http://", "https://")):
        return TimeSpan(0, 0)
    seconds = parse_seconds(past.for_, "--for") if past.for_ else _FOR_SECONDS
    if seconds < _LEAST_SECONDS:
        raise UsageError(f"--for {past.for_}: a history of less than {_LEAST_SECONDS:.0f} s has too few readings")
    now = kept_time(past.source).end_seconds if is_recording and not past.at else time.time()
    begin = parse_moment(past.at, "--at") if past.at else now - seconds
    if begin >= now:
        raise UsageError(f"--at {past.at}: this time is in the future", hint="times without a zone are local times")
    return TimeSpan(begin, min(now, begin + seconds))
