"""The search on a cluster whose capacity is known, run by run, as the bench makes them."""

from __future__ import annotations

import pytest

from advisor.bench.measure.summary import summarise
from advisor.bench.run import Plan
from advisor.bench.search import sustained_search
from advisor.errors import ServerError
from advisor.model.measurement import LoadSecond, Run
from advisor.model.record import replace
from tests.bench.measure.test_summary import LOAD, WHAT, run


class Cluster:
    """A writer that commits 1500 tx/s and a secondary that applies `capacity`."""

    def __init__(self, capacity: float) -> None:
        self.capacity = capacity
        self.plans: list[Plan] = []

    def run(self, plan: Plan) -> Run:
        self.plans.append(plan)
        offered = plan.load.rate_per_second
        rate = min(offered or 1500.0, 1500.0)
        seconds = [replace(one, load=(LoadSecond(one.at_seconds, "m1", rate),)) if one.load else one
                   for one in run(rate, self.capacity, seconds=20, seed=len(self.plans), noise=0.03)]  # fmt: skip
        what = replace(WHAT, load=plan.load, lag_bound_ms=plan.lag_bound_ms)
        return Run(summarise(what, seconds), tuple(seconds), 0.0)


def test_the_rate_that_the_slowest_member_applies_is_found_and_confirmed():
    cluster = Cluster(600.0)
    found = sustained_search.search(Plan(replace(LOAD, threads=64)), cluster.run, print)
    assert found.per_second.mid == pytest.approx(600, rel=0.05)
    assert found.confirmed is True
    assert cluster.plans[0].load.rate_per_second == 0.0
    assert cluster.plans[0].load.threads == sustained_search.CLOSED_THREADS
    assert all(plan.load.threads == 64 and plan.load.rate_per_second > 0 for plan in cluster.plans[1:])
    assert len(found.probes) == len(cluster.plans) - 1


def test_where_every_member_keeps_up_the_writer_itself_is_the_limit():
    found = sustained_search.search(Plan(LOAD), Cluster(5000.0).run, print)
    assert found.per_second.mid == pytest.approx(1500, rel=0.08)


def test_a_cluster_that_commits_nothing_ends_the_search():
    cluster = Cluster(600.0)

    def nothing(plan: Plan) -> Run:
        done = cluster.run(plan)
        return replace(done, measurement=replace(done.measurement, peak_per_second=0.0, sustained=()))

    with pytest.raises(ServerError, match="committed nothing"):
        sustained_search.search(Plan(LOAD), nothing, print)
