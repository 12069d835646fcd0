"""A simulated replica does what can be worked out by hand, and never less than the laws of its parts allow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as how_often
from hypothesis import strategies as some

from advisor.model.workload.appliers import Costs, Hold, Job
from advisor.workload.appliers.replica import Replica

FREE = Costs(1.0, 0.0, 0.0, 0.0)


def alone(work: float = 1.0) -> Job:
    return Job(work, 0, 0, 0, Hold.NOTHING)


def test_without_dependencies_workers_share_the_work() -> None:
    jobs = [alone()] * 12
    assert Replica(1, FREE, waits_in_worker=False).run(jobs).seconds == pytest.approx(12)
    assert Replica(4, FREE, waits_in_worker=False).run(jobs).seconds == pytest.approx(3)


def test_a_chain_is_not_faster_with_more_workers() -> None:
    jobs = [Job(1.0, 0, number, 0, Hold.ROWS) for number in range(10)]
    run = Replica(8, FREE, waits_in_worker=False).run(jobs)
    assert run.seconds == pytest.approx(10)
    assert run.held_seconds[Hold.ROWS] == pytest.approx(9)


def test_commits_in_order_wait_for_a_long_transaction_and_those_in_any_order_do_not() -> None:
    jobs = [alone(30.0)] + [alone()] * 20
    ordered = Replica(2, FREE, waits_in_worker=False).run(jobs)
    assert ordered.seconds == pytest.approx(30 + 19 / 2, abs=1)
    assert ordered.held_seconds[Hold.LONG] == pytest.approx(30)
    assert Replica(2, FREE, waits_in_worker=False, in_order=False).run(jobs).seconds == pytest.approx(30)


def test_workers_share_syncs_in_groups() -> None:
    costs = Costs(0.0, 0.0, 0.0, 0.0, sync_seconds=1.0, syncs=1)
    jobs = [alone(0.0)] * 64
    assert Replica(1, costs, waits_in_worker=False).run(jobs).seconds == pytest.approx(64)
    run = Replica(8, costs, waits_in_worker=False).run(jobs)
    assert run.seconds <= 64 / 4
    assert run.group_size >= 4


def test_a_group_commit_takes_cpu_time_once_for_all_that_share_it() -> None:
    costs = Costs(0.0, 0.0, 0.0, 0.0, group_seconds=1.0, sync_seconds=0.5, syncs=2, stages=1, cpus=4)
    jobs = [alone(0.0)] * 64
    single, shared = (Replica(many, costs, waits_in_worker=False).run(jobs) for many in (1, 8))
    assert single.seconds == pytest.approx(64 * 2)
    assert shared.seconds == pytest.approx(2 * 64 / shared.group_size)
    assert single.cpu_share * single.seconds == pytest.approx(64 / 4)
    assert shared.cpu_share * shared.seconds == pytest.approx(64 / shared.group_size / 4)


def test_a_worker_begins_while_the_events_of_its_transaction_are_handed_out() -> None:
    jobs = [Job(1.0, 0, 0, 0, Hold.NOTHING, 2.0)] * 10
    run = Replica(4, FREE, waits_in_worker=False).run(jobs)
    assert run.seconds == pytest.approx(9 * 2 + 1)
    assert max(run.held_seconds, key=lambda hold: run.held_seconds[hold]) is Hold.COORDINATOR


def test_waits_in_workers_pass_at_the_same_time() -> None:
    costs = Costs(0.0, 0.0, 0.0, 0.0, wait_seconds=1.0, cpus=1)
    jobs = [alone(0.0)] * 16
    assert Replica(1, costs, waits_in_worker=True).run(jobs).seconds == pytest.approx(16)
    assert Replica(8, costs, waits_in_worker=True).run(jobs).seconds == pytest.approx(2)


def test_cpus_are_shared() -> None:
    run = Replica(8, Costs(1.0, 0.0, 0.0, 0.0, cpus=2), waits_in_worker=False).run([alone()] * 16)
    assert run.seconds == pytest.approx(8)
    assert run.cpu_share == pytest.approx(1)


def test_domains_do_not_wait_for_each_other() -> None:
    chains = [Job(1.0, number % 2, number // 2, 0, Hold.ROWS) for number in range(20)]
    assert Replica(2, FREE, waits_in_worker=True).run(chains).seconds == pytest.approx(10)


@given(
    some.lists(some.tuples(some.floats(0.01, 2), some.integers(0, 3)), min_size=1, max_size=40),
    some.integers(1, 6),
    some.booleans(),
    some.booleans(),
    some.sampled_from([0.0, 0.3]),
)
@how_often(max_examples=60)
def test_the_time_is_between_the_chain_and_one_after_the_other(
    drawn: list[tuple[float, int]], workers: int, in_worker: bool, in_order: bool, sync: float
) -> None:
    jobs = [Job(work, 0, max(number - back, 0), 0, Hold.ROWS) for number, (work, back) in enumerate(drawn)]
    costs = Costs(1.0, 0.0, 0.0, 0.01, sync_seconds=sync, syncs=2)
    run = Replica(workers, costs, in_worker, in_order).run(jobs)
    total = sum(work for work, _ in drawn)
    assert run.seconds >= max(total / workers, *(work for work, _ in drawn)) - 1e-6
    assert run.seconds <= total + len(jobs) * (0.01 + 2 * sync) + 1e-6
    assert sum(run.held_seconds.values()) == pytest.approx(run.seconds)
