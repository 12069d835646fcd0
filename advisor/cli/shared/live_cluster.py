"""How does a running cluster named on the command line become evidence? Its members are found, then read."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.signals import stop_on_signals
from advisor.cli.shared.terminal import write
from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.dsn import parse_dsn
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import find_login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import ClusterTarget, of_address, of_cluster_file
from advisor.errors import ServerError, UsageError
from advisor.model.evidence import Cluster
from advisor.model.lab import ClusterFile
from advisor.model.record import record

_PROCESS_LIST_SECONDS: Final = 0.1
_MOST_PROCESS_LISTS: Final = 300  # of one interval: more show nothing new
_SHORTEST_STEP_SECONDS: Final = 0.1  # one reading takes up to 20 ms of the server's time: more often would slow it
_SAY_SO_FROM_SECONDS: Final = 5.0


@record
class LiveOptions:
    """The options that name a running cluster and say how to read it; all "" and None: none is named."""

    dsn: str = ""
    cluster: Path | None = None
    lab: str = ""
    password_file: Path | None = None
    for_: str = ""
    every: str = "1s"
    probe_fsync: bool = False
    frequent_process_lists: bool = False  # more often than counters
    instrument: bool = False  # switch wait instruments on meanwhile

    @property
    def named(self) -> bool:
        """Whether a running cluster is named."""
        return bool(self.dsn or self.cluster or self.lab)


def read_live(live: LiveOptions) -> tuple[Cluster, Gathered]:
    """The evidence of the running cluster, and what was read of each member; ServerError when none can be read."""
    schedule = reading_schedule(live)
    target = find_members(live)
    gathered = gather_all(target, schedule)
    return live_evidence(gathered, target), gathered


def find_members(live: LiveOptions) -> ClusterTarget:
    """The members to be read; UsageError unless exactly one cluster is named."""
    if sum(map(bool, (live.dsn, live.cluster, live.lab))) != 1:
        raise UsageError("name one running cluster with --dsn, --cluster or --lab")
    login = find_login(str(live.password_file or ""), os.environ)
    if live.dsn:
        try:
            return of_address(parse_dsn(live.dsn, login))
        except ServerError as error:
            error.hint = error.hint or _hint(error.message)
            raise
    return of_cluster_file(read_cluster_or_lab(live.cluster, live.lab), login)


def read_cluster_or_lab(cluster: Path | None, lab: str) -> ClusterFile:
    """The cluster that --cluster or else --lab names."""
    from advisor.cluster_file import read_cluster
    from advisor.lab.state import read_lab

    return read_cluster(cluster) if cluster else read_lab(lab)


def reading_schedule(live: LiveOptions) -> ReadingSchedule:
    """How long and how often to read; UsageError when the two contradict each other."""
    seconds, every = parse_seconds(live.for_ or "0", "--for"), parse_seconds(live.every, "--every")
    if every < _SHORTEST_STEP_SECONDS or (seconds and every > seconds):
        raise UsageError(f"--every {live.every}: must be at least {_SHORTEST_STEP_SECONDS:g}s and at most --for")
    lists = max(_PROCESS_LIST_SECONDS, seconds / _MOST_PROCESS_LISTS) if live.frequent_process_lists else 0.0
    return ReadingSchedule(seconds, every, live.probe_fsync, lists, live.instrument)


def gather_all(target: ClusterTarget, schedule: ReadingSchedule) -> Gathered:
    """Read every member; ServerError with a hint when none could be read at all."""
    stop_on_signals(despite_background=True)
    if schedule.seconds >= _SAY_SO_FROM_SECONDS:
        names = ", ".join(member.name for member in target.members)
        write(f"reading {names} for {schedule.seconds:g} s; press Ctrl-C to stop early\n", sys.stderr)
    return refuse_unreached(gather(target.members, schedule))


def refuse_unreached(gathered: Gathered) -> Gathered:
    """What was read; ServerError with a hint when no member could be read."""
    if not any(recording.reached for recording in gathered.recordings):
        first = gathered.recordings[0].failure or "interrupted before anything was read"
        raise ServerError(first, hint=_hint(first))
    return gathered


def incomplete(gathered: Gathered) -> bool:
    """Whether a member could not be read, or not to the end."""
    return any(recording.failure for recording in gathered.recordings)


def _hint(failure: str) -> str:
    if "1045" in failure:
        return "check the password: ADVISOR_PASSWORD, --password-file, or [client] in ~/.my.cnf"
    return "check that the server is up and listens on this host and port"
