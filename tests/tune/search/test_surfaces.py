"""The surfaces that tuners are compared on behave as replication does, and their noise is what it says."""

from __future__ import annotations

import math
import statistics

import pytest

from advisor.model.record import replace
from advisor.model.server import Topology
from advisor.model.tuning import Task, TrialKind
from benchmarks.tuner.coupling import truth
from benchmarks.tuner.mechanisms import draw_machine
from benchmarks.tuner.surfaces import KINDS, Rehearsal, surface

MACHINES = [draw_machine(seed) for seed in range(40)]
GOOD = {
    "innodb_buffer_pool_size": str(4 * 2**30), "innodb_redo_log_capacity": str(4 * 2**30), "innodb_io_capacity": "2000",
    "innodb_io_capacity_max": "8000", "replica_checkpoint_group": "4096",
}  # fmt: skip


def test_one_durable_worker_applies_a_fraction_of_what_sixteen_do():
    def rate(at, workers):
        settings = {**GOOD, "replica_parallel_workers": workers}
        return truth(replace(at, sync_ms=2.0), Topology.ASYNC_MYSQL, settings).sustained

    assert statistics.median(rate(at, "1") / rate(at, "16") for at in MACHINES) < 0.35


def test_without_flow_control_a_replica_that_cannot_follow_falls_behind_without_end():
    slow = [truth(at, Topology.ASYNC_MYSQL, {**GOOD, "replica_parallel_workers": "1"}) for at in MACHINES]
    assert sum(found.backlog_slope > 0.005 for found in slow) > len(slow) / 2


def test_a_quota_keeps_the_backlog_and_a_higher_threshold_makes_it_longer():
    def lag(at, threshold):
        name = "group_replication_flow_control_applier_threshold"
        other = name.replace("applier", "certifier")
        settings = {**GOOD, "replica_parallel_workers": "1", name: threshold, other: threshold}
        return truth(at, Topology.GROUP_REPLICATION, settings)

    for at in MACHINES:
        low, high = lag(at, "500"), lag(at, "50000")
        assert low.backlog_slope == high.backlog_slope == 0
        assert low.lag_ms <= high.lag_ms


def test_more_memory_than_there_is_runs_nothing():
    for at in MACHINES:
        found = truth(at, Topology.STANDALONE, {**GOOD, "innodb_buffer_pool_size": str(int(at.memory))})
        assert found.failure == "killed for lack of memory"
        assert found.sustained == 0


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_the_start_is_poor_and_repeats_differ_by_a_few_percent(seed: int):
    on = surface(seed)
    env = Rehearsal(on, 1)
    logs = []
    for _ in range(40):
        outcome = env.run(Task(TrialKind.BASELINE, on.start, fresh=True), lambda windows: False)
        logs.append(statistics.fmean(map(math.log, outcome.windows)))
    unstable = on.truly(on.start).stress > 0.9
    assert 0.01 < statistics.stdev(logs) < (0.3 if unstable else 0.07)
    assert env.restarts == 40
    assert on.truly(on.start).sustained < 0.5 * on.truly(on.advice).sustained or not on.feasible(on.start)
