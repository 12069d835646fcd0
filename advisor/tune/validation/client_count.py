"""How many clients does it take to reach the limit of the database? They are doubled until throughput stops growing.

The last number is taken, twice of what would do: a better configuration needs more clients to reach its limit.
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
from advisor.units import show

GROWS: Final = 1.05  # times the rate with half the clients: less is noise between runs of a few seconds
FEWEST: Final = 4
MOST: Final = 512
_SPARE_CONNECTIONS: Final = 10  # for replication, monitoring, and us
STEP_SECONDS: Final = 8.0
STEP_WARM_UP_SECONDS: Final = 4.0
_DRAIN_SECONDS: Final = 30.0


@record
class ClientStep:
    """The throughput with so many clients. `client_limited`: the load generator used all the CPU time it can use."""

    clients: int
    per_second: float
    client_limited: bool = False


@record
class Calibration:
    """The number of clients for the trials, and why that many."""

    clients: int
    because: str
    steps: tuple[ClientStep, ...]


def calibrate(step: Callable[[int], ClientStep], fewest: int, most: int) -> Calibration:
    """Double the clients from `fewest` on; `step` measures, and may raise when the cluster refuses so many."""
    steps: list[ClientStep] = []

    def calibration(clients: int, because: str) -> Calibration:
        return Calibration(clients, because, tuple(steps))

    clients = fewest
    while clients <= most:
        try:
            steps.append(step(clients))
        except (ServerError, MachineError) as error:
            if not steps:
                raise
            return calibration(steps[-1].clients, f"{show(clients, 'clients')} failed: {error.message}")
        now, before = steps[-1], steps[-2] if len(steps) > 1 else None
        if now.client_limited:
            fewer = before.clients if before else now.clients
            return calibration(
                fewer, f"with {show(now.clients, 'clients')} the load generator is the limit, not the database"
            )
        if before and now.per_second < GROWS * before.per_second:
            rates = ", ".join(f"{rate(measured.per_second)} tx/s with {measured.clients}" for measured in (before, now))
            return calibration(now.clients, f"throughput no longer grows ({rates})")
        clients *= 2
    return calibration(
        steps[-1].clients, "max_connections allows no more clients" if most < MOST else "more clients are never tried"
    )


def with_client_count(
    cluster: ClusterFile, request: Request, on_second: Callable[[Second], None], tell: Callable[[str], None]
) -> Request:
    """The request with a number of clients, found under load with the current settings, and the time that is left."""
    started = time.monotonic()
    with open_cluster(cluster) as opened:
        most = _most(opened, request)
        fewest = max(FEWEST, len(request.writers))
        if most < fewest:
            raise UsageError(
                f"the writers accept only {most} more connections", hint="give --threads, or raise max_connections"
            )

        def step(clients: int) -> ClientStep:
            plan = replace(
                bench_plan(replace(request, threads=clients)), seconds=STEP_SECONDS, warm_up_least=STEP_WARM_UP_SECONDS,
                warm_up_most=STEP_WARM_UP_SECONDS, drain_most=_DRAIN_SECONDS, abort_lag_ms=inf,
            )  # fmt: skip
            step_result = step_of(measure(opened, plan, on_second, tell).measurement)
            tell(f"{show(clients, 'clients')}: {rate(step_result.per_second)} tx/s")
            return step_result

        calibration = calibrate(step, fewest, most)
    tell(f"{show(calibration.clients, 'clients')}: {calibration.because}")
    seconds_left = max(1.0, request.for_seconds - (time.monotonic() - started)) if request.for_seconds else 0.0
    return replace(request, threads=calibration.clients, for_seconds=seconds_left)


def step_of(measurement: Measurement) -> ClientStep:
    """The throughput of a run, and whether its client was the limit."""
    clients, cpu_share = measurement.load.threads, measurement.host.get("client_cpu_share")
    usable = min(1.0, clients / measurement.host.get("cpus", 1.0))
    return ClientStep(
        clients, measurement.peak_per_second, cpu_share is not None and cpu_share >= CLIENT_SHARE * usable
    )


def _most(opened: OpenCluster, request: Request) -> int:
    """How many connections the writers have left together, when each takes an equal share."""
    connections_left = []
    for node in opened.nodes:
        if node.name in request.writers:
            limit = node.session.pairs("SHOW GLOBAL VARIABLES WHERE Variable_name = 'max_connections'")
            in_use = node.session.pairs("SHOW GLOBAL STATUS WHERE Variable_name = 'Threads_connected'")
            connections_left.append(
                int(limit["max_connections"]) - int(in_use["Threads_connected"]) - _SPARE_CONNECTIONS
            )
    return min(MOST, min(connections_left) * len(connections_left))
