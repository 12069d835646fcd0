"""The search on a cluster whose capacity is known, run by run, as the bench makes them."""

from __future__ import annotations

import pytest

from advisor.bench.measure.summary import summarise
from advisor.bench.run import RunPlan
from advisor.bench.search import sustained_search
from advisor.errors import ServerError
from advisor.model.measurement import LoadSecond, Run
from advisor.model.record import replace
from tests.bench.synthetic_runs import CIRCUMSTANCES, LOAD, synthetic_run


class Cluster:
    """A writer that commits 1500 tx/s and a secondary that applies `capacity`."""

    def __init__(self, capacity: float) -> None:
        self.capacity = capacity
        self.plans: list[RunPlan] = []

    def run(self, plan: RunPlan) -> Run:
        self.plans.append(plan)
        offered = plan.load.rate_per_second
        rate = min(offered or 1500.0, 1500.0)
        moments = synthetic_run(rate, self.capacity, seconds=20, seed=len(self.plans), noise=0.03)
        seconds = [
            replace(moment, load=(LoadSecond(moment.at_seconds, "m1", rate),)) if moment.load else moment
            for moment in moments
        ]
        circumstances = replace(CIRCUMSTANCES, load=plan.load, lag_bound_ms=plan.lag_bound_ms)
        return Run(summarise(circumstances, seconds), tuple(seconds), 0.0)


def test_the_rate_that_the_slowest_member_applies_is_found_and_confirmed():
    cluster = Cluster(600.0)
    found = sustained_search.find_sustained_rate(RunPlan(replace(LOAD, threads=64)), cluster.run, print)
    assert found.per_second.mid == pytest.approx(600, rel=0.05)
    assert found.confirmed is True
    assert cluster.plans[0].load.rate_per_second == 0.0
    assert cluster.plans[0].load.threads == sustained_search.CLOSED_THREADS
    assert all(plan.load.threads == 64 and plan.load.rate_per_second > 0 for plan in cluster.plans[1:])
    assert len(found.probes) == len(cluster.plans) - 1


def test_where_every_member_keeps_up_the_writer_itself_is_the_limit():
    found = sustained_search.find_sustained_rate(RunPlan(LOAD), Cluster(5000.0).run, print)
    assert found.per_second.mid == pytest.approx(1500, rel=0.08)


def test_a_cluster_that_commits_nothing_ends_the_search():
    cluster = Cluster(600.0)

    def nothing(plan: RunPlan) -> Run:
        done = cluster.run(plan)
        return replace(done, measurement=replace(done.measurement, peak_per_second=0.0, sustained=()))

    with pytest.raises(ServerError, match="committed nothing"):
        sustained_search.find_sustained_rate(RunPlan(LOAD), nothing, print)
