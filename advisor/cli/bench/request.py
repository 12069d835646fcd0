"""What does the command line of `advisor bench` ask for? The cluster, the runs, the settings to compare with."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Final

from advisor.bench.load.workloads import check_load, find_workload
from advisor.bench.run import RunPlan
from advisor.cli.shared.live_cluster import read_cluster_or_lab
from advisor.cli.shared.name_value import NameValue
from advisor.collect.dsn import parse_dsn
from advisor.collect.login import find_login
from advisor.errors import ServerError, UsageError
from advisor.lab import folders
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record, replace
from advisor.topologies import discover

_CLOSED_THREADS: Final = (16,)
_OPEN_THREADS: Final = (64,)  # enough for the transactions that an open loop has in flight
_SHORTEST_INTERVAL_SECONDS: Final = 0.1


@record
class BenchRequest:
    """The cluster and a plan for each run; the settings to compare with by member, {} for none."""

    cluster: ClusterFile
    plans: tuple[RunPlan, ...]
    versus: Mapping[str, Mapping[str, str]]
    find_sustained: bool = False


def find_cluster(dsn: str, cluster: Path | None, lab: str, password_file: Path | None) -> ClusterFile:
    """The one cluster that is named; UsageError when none or several are."""
    if bool(dsn) + bool(cluster) + bool(lab) != 1:
        raise UsageError("name one running cluster with --dsn, --cluster or --lab")
    return _discover(dsn, password_file) if dsn else read_cluster_or_lab(cluster, lab)


def build_request(
    cluster: ClusterFile, plan: RunPlan, threads: Sequence[int], versus: Sequence[NameValue], find_sustained: bool
) -> BenchRequest:
    """The plan once for each number of threads; UsageError for options that do not fit together."""
    rate = plan.load.rate_per_second
    if not isfinite(rate):
        raise UsageError(f"--rate {rate} is not a number of transactions per second")
    if find_sustained and (rate or versus):
        raise UsageError("--find-sustained cannot be combined with --rate or --vs")
    counts = tuple(threads) or _default_threads(plan.load, bool(rate or find_sustained))
    if len(counts) > 1 and (find_sustained or versus):
        raise UsageError("--find-sustained and --vs take a single value of --threads")
    if plan.every_seconds < _SHORTEST_INTERVAL_SECONDS:
        raise UsageError(f"--every must be at least {1000 * _SHORTEST_INTERVAL_SECONDS:.0f}ms")
    if plan.seconds < 2 * plan.every_seconds:
        raise UsageError("--seconds must be at least twice --every")
    plans = tuple(replace(plan, load=replace(plan.load, threads=count)) for count in counts)
    for run_plan in plans:
        check_load(run_plan.load, tuple(member.name for member in cluster.members))
    return BenchRequest(cluster, plans, _by_member(versus, cluster), find_sustained)


def _default_threads(load: Load, is_open: bool) -> tuple[int, ...]:
    """Those of a load that states them."""
    mix = find_workload(load.workload).mix
    if mix and mix.threads and not is_open:
        return (mix.threads,)
    return _OPEN_THREADS if is_open else _CLOSED_THREADS


def probe_folder(lab: str) -> Path | None:
    """Where fsync is timed: the folder of a lab, whose members are on this machine; None for other clusters."""
    return folders.lab(lab) if lab else None


def _discover(dsn: str, password_file: Path | None) -> ClusterFile:
    """The cluster of the server that a DSN names; ServerError when a member cannot be reached: it may be the slowest.

    The password is kept in an anonymous file in memory, so that it is passed on like those in password files.
    """
    address = parse_dsn(dsn, find_login(str(password_file or ""), os.environ))
    discovery = discover(address)
    if discovery.unknowns:
        raise ServerError(f"not every member can be measured: {'; '.join(discovery.unknowns)}")
    if not address.password:
        return discovery.cluster
    secret = os.memfd_create("advisor")
    os.write(secret, f"[client]\npassword={address.password}\n".encode())
    return replace(discovery.cluster, password_file=f"/proc/{os.getpid()}/fd/{secret}")


def _by_member(versus: Sequence[NameValue], cluster: ClusterFile) -> dict[str, dict[str, str]]:
    """Settings by member: NAME=VALUE is for every member, m2:NAME=VALUE for one."""
    names = [member.name for member in cluster.members]
    settings: dict[str, dict[str, str]] = {}
    for name, value in versus:
        member, colon, setting = name.partition(":")
        if colon and member not in names:
            raise UsageError(f"--vs {name}={value}: {member!r} is not a member", hint=f"members: {', '.join(names)}")
        for target in [member] if colon else names:
            settings.setdefault(target, {})[setting if colon else name] = value
    return settings
