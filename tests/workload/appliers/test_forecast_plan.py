"""Each foretold run of the benchmark has one worker before and behind it, and no load is open and locked."""

from __future__ import annotations

from advisor.model.server import Family
from benchmarks.applier_forecast.plan import LOCKED, OPEN, WORKERS, blocks


def test_every_cell_is_run_once_in_an_order_that_can_be_repeated() -> None:
    found = list(blocks(list(Family), OPEN + LOCKED, 2))
    assert len({each.key for each in found}) == len(found) == 2 * len(Family) * 5
    assert found == list(blocks(list(Family), OPEN + LOCKED, 2))
    assert not set(OPEN) & set(LOCKED)


def test_one_worker_is_measured_before_and_behind_each_other_run_and_last_without_syncs() -> None:
    for block in blocks([Family.MYSQL], OPEN, 1):
        many = [place for place, workers in enumerate(block.workers) if workers > 1]
        assert sorted(block.workers[place] for place in many) == sorted(WORKERS)
        for place in many:
            assert block.workers[place - 1] == block.workers[place + 1] == 1
            assert not block.is_relaxed(place + 1)
        assert block.is_relaxed(len(block.workers) - 1)
