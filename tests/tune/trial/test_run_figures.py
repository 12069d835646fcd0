"""What a run comes to, as a study counts it: growth of a backlog told from its length."""

from __future__ import annotations

import pytest

from advisor.model.measurement import (
    Interval,
    Load,
    Measurement,
    MemberMeasurement,
    Phase,
    Run,
    Second,
    Sustained,
)
from advisor.model.progress import Progress
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.model.tuning import Objective
from advisor.tune.trial.run_figures import outcome_of, window_rates
from tests.tune.starting_points import second


def run_of(slope: Interval, backlog: int) -> Run:
    """500 tx/s for ten seconds, after ten of warm-up, with a backlog that long at the end."""
    seconds = [
        Second(
            float(at), Phase.MEASURE if at >= 10 else Phase.WARM_UP,
            (Progress("m1", Role.SOURCE, at, 1.0, committed_per_second=500.0),
             Progress("m2", Role.REPLICA, at, 1.0, committed_per_second=0.0, applied_per_second=500.0,
                      backlog=backlog, lag_ms=2.0 * backlog)),
        )
        for at in range(20)
    ]  # fmt: skip
    nothing = Interval(None, None, None)
    members = (
        MemberMeasurement("m1", "source", 500.0, None, None, nothing, {}, "", None, None),
        MemberMeasurement("m2", "replica", 0.0, 500.0, backlog, slope, {"p95": 2.0 * backlog}, "timestamps", 1.0, None),
    )
    found = Measurement(
        "lab", Topology.ASYNC_MYSQL, "mysql-8.4.5", Load("w", 8, ("m1",)), 1000.0, 10.0, 500.0, nothing,
        (Sustained(500.0, "slowest_member"),), True, members, {"p95": 9.0}, None, 0.0, None, True,
    )  # fmt: skip
    return Run(found, tuple(seconds), 0.0)


def test_a_latency_that_is_looked_for_is_the_percentile_asked_for_and_must_be_known():
    run = run_of(Interval(-1.0, 0.0, 1.0), 0)
    looked_for = outcome_of(run, 1.0, False, False, Objective.LATENCY.value)
    assert (looked_for.latency_ms, looked_for.objective) == (9.0, "latency")
    unknown = outcome_of(run, 1.0, False, False, Objective.LATENCY.value, percentile=99)
    assert unknown.fault == "the latency is unknown: the load generator reported none"
    assert outcome_of(run, 1.0, False, False, percentile=99).fault == "", "a rate needs no latency"


def test_cpu_time_per_transaction_is_that_of_all_servers_or_unknown():
    run = run_of(Interval(-1.0, 0.0, 1.0), 0)
    shares = {"cpus": 4.0, "cpu_share:m1": 0.25, "cpu_share:m2": 0.125}

    def cpu_ms(host: dict[str, float]) -> float | None:
        return outcome_of(replace(run, measurement=replace(run.measurement, host=host)), 1.0, False, False).cpu_ms

    assert cpu_ms(shares) == pytest.approx(1000 * 1.5 / 500)
    assert cpu_ms({name: share for name, share in shares.items() if name != "cpu_share:m2"}) is None


@pytest.mark.parametrize(
    ("slope", "backlog", "growth"),
    [
        (Interval(20.0, 25.0, 30.0), 500, 500 / 20 / 500),  # it grows; no faster than all that is left
        (Interval(20.0, 25.0, 30.0), 5000, 30 / 500),  # it grows; its slope's upper bound
        (Interval(-12.0, 1.5, 15.0), 150, 1.5 / 500),  # a queue of 0.3 s that stands: its best guess
        (Interval(-15.0, -2.0, 11.0), 150, 0.0),
        (Interval(-12.0, 40.0, 90.0), 1000, 40 / 500),  # it may well grow
        (Interval(None, None, None), 100, 100 / 20 / 500),
    ],
)
def test_growth_is_what_is_sure_of_it_or_the_best_guess(slope: Interval, backlog: int, growth: float):
    outcome = outcome_of(run_of(slope, backlog), 1.0, False, False)
    assert outcome.backlog_slope == pytest.approx(growth)
    assert outcome.lag_ms == 2.0 * backlog
    assert len(outcome.windows) == 10


def test_the_rate_of_a_window_is_that_of_the_slowest_member():
    seconds = [second(0, 1, 1, Phase.WARM_UP), *(second(at, 100, 80) for at in range(1, 5))]
    assert window_rates(seconds, 2.0, ("m1",)) == (80.0, 80.0)
    assert window_rates([second(at, 100, None) for at in range(4)], 2.0, ("m1",)) == (), (
        "unknown is not the commit rate"
    )
