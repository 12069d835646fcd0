"""Clients are doubled until the database is the limit; the client never is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from advisor.errors import ServerError
from advisor.model.measurement import Interval, Load, Measurement
from advisor.model.server import Topology
from advisor.tune.validation.client_count import ClientStep, calibrate, step_of


def cluster(limit: float, client_limited_from: int = 10_000, refuses_from: int = 10_000) -> Callable[[int], ClientStep]:
    """100 tx/s for each client, up to a limit."""

    def step(clients: int) -> ClientStep:
        if clients >= refuses_from:
            raise ServerError("Too many connections", number=1040)
        return ClientStep(clients, min(limit, 100.0 * clients), clients >= client_limited_from)

    return step


def test_clients_are_doubled_until_no_more_is_committed():
    found = calibrate(cluster(1500.0), 4, 512)
    assert [step.clients for step in found.steps] == [4, 8, 16, 32]
    assert found.clients == 32
    assert found.because == "throughput no longer grows (1,500 tx/s with 16, 1,500 tx/s with 32)"


def test_the_load_generator_is_never_the_limit():
    found = calibrate(cluster(1e6, client_limited_from=32), 4, 512)
    assert found.clients == 16
    assert "with 32 clients the load generator is the limit" in found.because
    assert calibrate(cluster(1e6, client_limited_from=1), 4, 512).clients == 4


def test_what_cannot_be_had_is_not_taken():
    assert calibrate(cluster(1e6, refuses_from=32), 4, 512).clients == 16
    with pytest.raises(ServerError):
        calibrate(cluster(1e6, refuses_from=1), 4, 512)
    few = calibrate(cluster(1e6), 4, 50)
    assert (few.clients, few.because) == (32, "max_connections allows no more clients")
    assert calibrate(cluster(1e6), 4, 512).because == "more clients are never tried"


def measured(clients: int, host: dict[str, float]) -> Measurement:
    nothing = Interval(None, None, None)
    return Measurement(
        "lab", Topology.STANDALONE, "mysql-8.4.5", Load("w", clients, ("m1",)), 1000.0, 8.0, 500.0, nothing, (), None,
        (), {}, None, 0.0, None, True, host,
    )  # fmt: skip


def test_the_client_is_judged_by_the_processors_its_threads_can_use():
    assert step_of(measured(16, {"cpus": 4.0, "client_cpu_share": 0.65})).client_limited
    assert not step_of(measured(16, {"cpus": 4.0, "client_cpu_share": 0.5})).client_limited
    assert step_of(measured(4, {"cpus": 16.0, "client_cpu_share": 0.2})).client_limited, "four threads, of sixteen"
    assert not step_of(measured(16, {})).client_limited, "unknown is no limit"
