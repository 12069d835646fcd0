"""How many clients find the limit of the database, and not their own? Twice as many, until no more is committed.

The number that brought no more is taken, twice of what would do: a better configuration takes more clients to fill.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Final

from advisor.bench.measure.warnings import CLIENT_SHARE
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.bench.run import measure
from advisor.errors import MachineError, ServerError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Measurement, Second
from advisor.model.record import record, replace
from advisor.report.words.amounts import rate
from advisor.tune.request.request import Request, bench_plan

GROWS: Final = 1.05  # times the rate with half the clients: less is noise between runs of a few seconds
FEWEST: Final = 4
MOST: Final = 512
_SPARE_CONNECTIONS: Final = 10  # for replication, monitoring, and us
_SECONDS: Final = 8.0
_WARM_UP_SECONDS: Final = 4.0
_DRAIN_SECONDS: Final = 30.0


@record
class ClientStep:
    """What so many clients came to. `client_limited`: the load generator used what processors it can use."""

    clients: int
    per_second: float
    client_limited: bool = False


@record
class Calibration:
    """The number of clients to load a cluster with, and why that many."""

    clients: int
    because: str
    steps: tuple[ClientStep, ...]


def calibrate(step: Callable[[int], ClientStep], fewest: int, most: int) -> Calibration:
    """Double the clients from `fewest` on; `step` measures, and may raise when a number cannot be had."""
    steps: list[ClientStep] = []

    def found(clients: int, because: str) -> Calibration:
        return Calibration(clients, because, tuple(steps))

    clients = fewest
    while clients <= most:
        try:
            steps.append(step(clients))
        except (ServerError, MachineError) as error:
            if not steps:
                raise
            return found(steps[-1].clients, f"{clients} clients cannot be had: {error.message}")
        now, before = steps[-1], steps[-2] if len(steps) > 1 else None
        if now.client_limited:
            fewer = before.clients if before else now.clients
            return found(fewer, f"with {now.clients} the load generator is the limit, not the database")
        if before and now.per_second < GROWS * before.per_second:
            told = f"{rate(now.per_second)} and {rate(before.per_second)} tx/s"
            return found(now.clients, f"they commit no more than half as many do ({told})")
        clients *= 2
    return found(steps[-1].clients, "more connections cannot be had" if most < MOST else "more are never tried")


def with_client_count(
    cluster: ClusterFile, request: Request, on_second: Callable[[Second], None], tell: Callable[[str], None]
) -> Request:
    """The request with a number of clients, found under load on the cluster as it runs, and the time that is left."""
    begun = time.monotonic()
    with open_cluster(cluster) as opened:
        most = _most(opened, request)
        fewest = max(FEWEST, len(request.writers))
        if most < fewest:
            raise UsageError(f"its writers have room for {most} more connections", hint="--threads, or max_connections")

        def step(clients: int) -> ClientStep:
            plan = replace(
                bench_plan(replace(request, threads=clients)), seconds=_SECONDS, warm_up_least=_WARM_UP_SECONDS,
                warm_up_most=_WARM_UP_SECONDS, drain_most=_DRAIN_SECONDS, hopeless_lag_ms=inf,
            )  # fmt: skip
            seen = step_of(measure(opened, plan, on_second, tell).measurement)
            tell(f"{clients} clients: {rate(seen.per_second)} tx/s")
            return seen

        found = calibrate(step, fewest, most)
    tell(f"{found.clients} clients: {found.because}")
    left = max(1.0, request.for_seconds - (time.monotonic() - begun)) if request.for_seconds else 0.0
    return replace(request, threads=found.clients, for_seconds=left)


def step_of(found: Measurement) -> ClientStep:
    """What a run says of its number of clients."""
    clients, used = found.load.threads, found.host.get("client_cpu_share")
    usable = min(1.0, clients / found.host.get("cpus", 1.0))
    return ClientStep(clients, found.peak_per_second, used is not None and used >= CLIENT_SHARE * usable)


def _most(opened: OpenCluster, request: Request) -> int:
    """How many connections all writers together have left, in shares alike."""
    left = []
    for node in opened.nodes:
        if node.name in request.writers:
            most = node.session.pairs("SHOW GLOBAL VARIABLES WHERE Variable_name = 'max_connections'")
            used = node.session.pairs("SHOW GLOBAL STATUS WHERE Variable_name = 'Threads_connected'")
            left.append(int(most["max_connections"]) - int(used["Threads_connected"]) - _SPARE_CONNECTIONS)
    return min(MOST, min(left) * len(left))
