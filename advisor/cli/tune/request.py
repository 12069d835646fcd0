"""Can a tuning run do what its command line asks for? Checked before a server is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from advisor.bench.load.workloads import check_load
from advisor.cluster_file import read_cluster
from advisor.errors import UsageError
from advisor.lab.state import read_lab
from advisor.model.lab import ClusterFile
from advisor.model.record import replace
from advisor.model.server import Role
from advisor.model.tuning import Objective
from advisor.tune.request.request import AUTO, Request, bench_plan
from advisor.tune.request.time_budget import LEAST_SEARCH
from advisor.tune.search.samplers import proposer

FEWEST_TRIALS: Final = 4  # the baseline, one more, and both again
CLIENTS_AT_A_RATE: Final = 64  # as `advisor bench` has: enough that none waits for a free one
PERCENTILES: Final = (95, 99)  # those the load generator's histogram gives beside the median
_SHORTEST_TRIAL_SECONDS: Final = 10.0


def cluster_of(cluster: Path | None, lab: str) -> ClusterFile:
    """The cluster that was named; UsageError when none or two were."""
    if bool(cluster) + bool(lab) != 1:
        raise UsageError("name one running cluster with --cluster or --lab")
    return read_cluster(cluster) if cluster else read_lab(lab)


def check_request(request: Request, cluster: ClusterFile) -> None:
    """UsageError, naming the option, for what a run cannot do."""
    _check_times(request)
    _check_soak(request)
    proposer(request.sampler)
    _check_objective(request, cluster)
    if request.study and not request.storage:
        raise UsageError("--study needs --storage", hint="give its database with --storage")
    if request.lag_bound_ms <= 0:
        raise UsageError("--lag-bound must be above 0", hint="a replica is always slightly behind")
    load = bench_plan(request).load
    with_threads = replace(load, threads=load.threads or len(load.writers))
    check_load(with_threads, tuple(member.name for member in cluster.members))


def _check_times(request: Request) -> None:
    if not request.for_seconds and not request.trials:
        raise UsageError("give --for (e.g. 8h) or --trials (e.g. 40)")
    if request.trials and request.trials < FEWEST_TRIALS:
        raise UsageError(f"--trials {request.trials}: at least {FEWEST_TRIALS} are needed")
    if request.seconds < _SHORTEST_TRIAL_SECONDS:
        raise UsageError(f"--seconds must be at least {_SHORTEST_TRIAL_SECONDS:.0f}s")
    least = FEWEST_TRIALS * (request.warm_up_least + request.seconds) / LEAST_SEARCH
    if request.for_seconds and request.for_seconds < least:
        hint = f"at least {least / 60:.0f} min with these --seconds and --warm-up"
        raise UsageError(f"--for is too short for {FEWEST_TRIALS} trials", hint=hint)


def _check_objective(request: Request, cluster: ClusterFile) -> None:
    _check_latency(request)
    if request.objective != Objective.APPLY_RATE:
        return
    if not any(member.role is Role.REPLICA for member in cluster.members):
        raise UsageError("--objective apply-rate needs a source with replicas", hint="leave it out for this cluster")
    if request.soak_seconds:
        raise UsageError("--soak cannot be combined with --objective apply-rate")


def _check_latency(request: Request) -> None:
    if request.objective != Objective.LATENCY:
        if request.rate_per_second:
            raise UsageError(
                "--rate needs --objective latency", hint="the search for the sustained rate needs no offered rate"
            )
        return
    if request.rate_per_second < 1:
        raise UsageError("--objective latency needs --rate", hint="e.g. half of the peak that `advisor bench` shows")
    if request.threads == AUTO:
        raise UsageError(
            "--threads auto finds the number of clients for peak throughput, not for --rate", hint="leave it out"
        )
    if request.latency_percentile not in PERCENTILES:
        raise UsageError(f"--percentile {request.latency_percentile}: must be 95 or 99")


def _check_soak(request: Request) -> None:
    if not request.soak_seconds:
        return
    if request.soak_seconds < request.seconds:
        raise UsageError("--soak must be at least as long as --seconds, the length of a trial")
    if not request.blocks:
        raise UsageError("--soak needs validation: only a validated winner is soak-tested", hint="--blocks 6")
    if request.for_seconds and request.soak_seconds > request.for_seconds / 2:
        raise UsageError("--soak must not exceed half of --for, or too little time is left for the search")
