"""What does the command line of `advisor bench` ask for?"""

from __future__ import annotations

import os
from math import isfinite
from pathlib import Path
from typing import Final

from advisor.bench.load.workloads import check_load
from advisor.bench.open_cluster import default_writers
from advisor.bench.run import Plan
from advisor.cli.shared.duration import parse_seconds
from advisor.cluster_file import read_cluster
from advisor.collect.login import find_login, parse_dsn
from advisor.errors import LabError, ServerError, UsageError
from advisor.lab import folders
from advisor.lab.state import read_state
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record, replace
from advisor.topologies import discover

_CLOSED_THREADS: Final = "16"
_OPEN_THREADS: Final = "64"  # enough to hold what an open loop has in flight
_RUN_SECONDS: Final = "30s"
_PROBE_SECONDS: Final = "10s"
_SHORTEST_TICK_SECONDS: Final = 0.1


@record
class Words:
    """The command line as it was written; "" and 0 where nothing was."""

    dsn: str
    cluster: Path | None
    lab: str
    password_file: Path | None
    workload: str
    threads: str
    rate: float
    seconds: str
    lag_bound: str
    warm_up: str
    drain: str
    every: str
    writers: str
    tables: int
    rows: int
    options: list[str]
    find_sustained: bool
    versus: str
    plot: Path | None
    csv: Path | None


@record
class Request:
    """The cluster and a plan for each run; the settings to compare with by member, {} for none."""

    cluster: ClusterFile
    plans: tuple[Plan, ...]
    versus: dict[str, dict[str, str]]
    find_sustained: bool = False


def build_request(words: Words) -> Request:
    """The request; UsageError for what cannot be."""
    if bool(words.dsn) + bool(words.cluster) + bool(words.lab) != 1:
        raise UsageError("name one running cluster: --dsn, --cluster or --lab")
    if not isfinite(words.rate):
        raise UsageError(f"--rate {words.rate}: not a number of transactions per second")
    if words.find_sustained and (words.rate or words.versus):
        raise UsageError("--find-sustained goes with neither --rate nor --vs")
    cluster = _discovered(words) if words.dsn else read_cluster(words.cluster or _lab_file(words.lab))
    open_loop = bool(words.rate) or words.find_sustained
    numbers = [_whole(text) for text in (words.threads or (_OPEN_THREADS if open_loop else _CLOSED_THREADS)).split(",")]
    if len(numbers) > 1 and (words.find_sustained or words.versus):
        raise UsageError("--find-sustained and --vs take one number of threads")
    plans = tuple(_plan(words, cluster, threads) for threads in numbers)
    for plan in plans:
        check_load(plan.load, tuple(member.name for member in cluster.members))
    for file in (words.csv, words.plot):
        if file and not file.absolute().parent.is_dir():
            raise UsageError(f"{file}: there is no such folder")
    if words.plot:
        from advisor.bench.plot import check_plot

        check_plot(words.plot)
    return Request(cluster, plans, _versus(words.versus, cluster), words.find_sustained)


def _discovered(words: Words) -> ClusterFile:
    """The cluster of the server a DSN names; ServerError when a member cannot be asked: it might be the slowest.

    The password is kept in memory, as a file without a name: it reaches everybody the way those of files do.
    """
    address = parse_dsn(words.dsn, find_login(str(words.password_file or ""), os.environ))
    found = discover(address)
    if found.unknowns:
        raise ServerError(f"not every member can be measured: {'; '.join(found.unknowns)}")
    if not address.password:
        return found.cluster
    secret = os.memfd_create("advisor")
    os.write(secret, f"[client]\npassword={address.password}\n".encode())
    return replace(found.cluster, password_file=f"/proc/{os.getpid()}/fd/{secret}")


def _plan(words: Words, cluster: ClusterFile, threads: int) -> Plan:
    least, _, most = words.warm_up.partition(":")
    shortest, longest = parse_seconds(least, "--warm-up"), parse_seconds(most or least, "--warm-up")
    every = parse_seconds(words.every, "--every")
    seconds = parse_seconds(words.seconds or (_PROBE_SECONDS if words.find_sustained else _RUN_SECONDS), "--seconds")
    if every < _SHORTEST_TICK_SECONDS or seconds < 2 * every or longest < shortest:
        raise UsageError("these times do not go together", hint="--every from 100ms, --seconds at least twice as long")
    folder = folders.lab(words.lab) if words.lab else None
    return Plan(
        load=Load(
            workload=words.workload,
            threads=threads,
            writers=_writers(words.writers, cluster),
            rate_per_second=words.rate,
            tables=words.tables,
            rows_per_table=words.rows,
            settings=dict(_setting(text, "--option") for text in words.options),
        ),
        seconds=seconds,
        lag_bound_ms=1000 * parse_seconds(words.lag_bound, "--lag-bound"),
        every_seconds=every,
        warm_up_least=shortest,
        warm_up_most=longest,
        drain_most=parse_seconds(words.drain, "--drain"),
        fsync_folder=folder,
    )


def _writers(text: str, cluster: ClusterFile) -> tuple[str, ...]:
    if text == "all":
        return tuple(member.name for member in cluster.members)
    found = tuple(name for name in text.split(",") if name) or default_writers(cluster)
    if not found:
        raise UsageError("no member of this cluster takes writes", hint="name the writers with --writers")
    return found


def _versus(text: str, cluster: ClusterFile) -> dict[str, dict[str, str]]:
    """Settings by member: name=value is for every member, m2:name=value for one."""
    names = [member.name for member in cluster.members]
    found: dict[str, dict[str, str]] = {}
    for part in filter(None, text.split(",")):
        name, value = _setting(part, "--vs")
        member, colon, rest = name.partition(":")
        for one in [member] if colon else names:
            if one not in names:
                raise UsageError(f"--vs {part}: {one!r} is no member", hint=f"there are {', '.join(names)}")
            found.setdefault(one, {})[rest if colon else name] = value
    if text and not found:
        raise UsageError(f"--vs {text}: write name=value")
    return found


def _setting(text: str, option: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name.strip():
        raise UsageError(f"{option} {text}: write name=value")
    return name.strip(), value.strip()


def _whole(text: str) -> int:
    if not text.strip().isdecimal() or not int(text):
        raise UsageError(f"--threads {text!r}: write whole numbers from 1, like 1,4,16")
    return int(text)


def _lab_file(name: str) -> Path:
    path = read_state(name).cluster_path
    if not path.exists():
        raise LabError(f"the lab {name!r} is not ready", hint=f"advisor lab status {name}")
    return path
