"""How does a running cluster named on the command line become evidence? Finds it, reads it, says how it went."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.signals import stop_on_signals
from advisor.cli.shared.terminal import write
from advisor.collect.bundle.pack import live_labels, pack
from advisor.collect.bundle.read_back import complete, read_back
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import find_login, parse_dsn
from advisor.collect.member.reader import Span
from advisor.collect.targets import Wanted, of_address, of_cluster_file
from advisor.errors import ServerError, UsageError
from advisor.model.evidence import Cluster
from advisor.model.record import record, replace

_STATES_SECONDS = 0.1
_MOST_LISTS = 300  # of one interval: more tell nothing new
_SHORTEST_STEP_SECONDS = 0.1  # one reading takes up to 20 ms of the server's time: below, it is felt


@record
class Live:
    """What the command line says about a running cluster; all "" and None: none is named."""

    dsn: str = ""
    cluster: Path | None = None
    lab: str = ""
    password_file: Path | None = None
    for_: str = ""
    every: str = "1s"
    probe_fsync: bool = False
    states: bool = False  # process lists more often than counters

    @property
    def named(self) -> bool:
        """Whether a running cluster is meant."""
        return bool(self.dsn or self.cluster or self.lab)


def read_live(live: Live) -> tuple[Cluster, Gathered]:
    """The evidence of the running cluster, and how reading went; ServerError when no member can be read."""
    span = span_of(live)
    wanted = find(live)
    gathered = gather_all(wanted, span)
    files = complete(pack(gathered, wanted, redacted=False), wanted)
    labels = live_labels(gathered.recordings)
    return replace(read_back(files, wanted.path, labels), running=True), gathered


def find(live: Live) -> Wanted:
    """The members that are meant; UsageError when not exactly one cluster is named."""
    if sum(map(bool, (live.dsn, live.cluster, live.lab))) != 1:
        raise UsageError("name one running cluster: --dsn, --cluster or --lab")
    login = find_login(str(live.password_file or ""), os.environ)
    if live.dsn:
        try:
            return of_address(parse_dsn(live.dsn, login))
        except ServerError as error:
            error.hint = error.hint or _hint(error.message)
            raise
    from advisor.cluster_file import read_cluster

    return of_cluster_file(read_cluster(live.cluster or _lab_file(live.lab)), login)


def span_of(live: Live) -> Span:
    """How long and how often; UsageError when it cannot be."""
    seconds, every = parse_seconds(live.for_ or "0", "--for"), parse_seconds(live.every, "--every")
    if every < _SHORTEST_STEP_SECONDS or (seconds and every > seconds):
        hint = f"from {_SHORTEST_STEP_SECONDS:g} s to the length of --for"
        raise UsageError(f"--every {live.every}: too often, or not once in the interval", hint=hint)
    states = max(_STATES_SECONDS, seconds / _MOST_LISTS) if live.states else 0.0
    return Span(seconds, every, live.probe_fsync, states)


def gather_all(wanted: Wanted, span: Span) -> Gathered:
    """Read every member; ServerError when none could be read at all."""
    stop_on_signals(despite_background=True)
    if span.seconds >= 5:
        names = ", ".join(target.name for target in wanted.targets)
        write(f"reading {names} for {span.seconds:g} s; Ctrl-C ends it early\n", sys.stderr)
    gathered = gather(wanted.targets, span)
    if not any(recording.reached for recording in gathered.recordings):
        first = gathered.recordings[0].failure or "interrupted before anything was read"
        raise ServerError(first, hint=_hint(first))
    return gathered


def failed(gathered: Gathered) -> bool:
    """Whether a member could not be read, or not to the end."""
    return any(recording.failure for recording in gathered.recordings)


def _hint(failure: str) -> str:
    if "1045" in failure:
        return "the password: ADVISOR_PASSWORD, --password-file, or [client] in ~/.my.cnf"
    return "is the server up, and is this its host and port?"


def _lab_file(name: str) -> Path:
    from advisor.errors import LabError
    from advisor.lab.state import read_state

    path = read_state(name).cluster_path
    if not path.exists():
        raise LabError(f"the lab {name!r} is not ready", hint=f"advisor lab status {name}")
    return path
