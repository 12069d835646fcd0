"""Finalists run once in every block, whatever interrupts them."""

from __future__ import annotations

import random
from pathlib import Path

from advisor.model.recommendation import (
    BASELINE,
)
from advisor.model.tuning import Objective, Outcome, Task
from advisor.tune.validation.blocks import BlockRun, block_orders, contenders, read_block_runs, run_blocks


class Steady:
    """An environment in which a configuration has a rate, and the second run of anything has a fault."""

    def __init__(self) -> None:
        self.ran: list[Task] = []

    def run(self, task: Task, end_early: object) -> Outcome:
        self.ran.append(task)
        if len(self.ran) == 2:
            return Outcome(fault="the network")
        return Outcome(windows=(200.0 + len(self.ran) if task.settings["a"] == "2" else 100.0,), lag_ms=5.0)


def test_finalists_are_measured_once_in_every_block_also_when_it_is_interrupted(tmp_path: Path):
    env, file = Steady(), tmp_path / "finalists.jsonl"
    finalists = {BASELINE: {"a": "1"}, "tuned": {"a": "2"}}
    stops = iter([False] * 5 + [True])
    run_blocks(env, finalists, 6, file, 0, lambda line: None, lambda: next(stops))
    assert len(read_block_runs(file, finalists)) == 5
    with open(file, "a") as stream:
        stream.write('3\n{"name": "tuned"}\n{"block": 2, "na')  # none of ours, and where the machine died
    measured = run_blocks(env, finalists, 6, file, 0, lambda line: None)
    assert len(measured) == 12
    assert len(env.ran) == 13, "the run with a fault was repeated, none was lost"
    assert all(task.fresh for task in env.ran)
    original, tuned = contenders(finalists, measured, 6, 100.0)
    assert original.ratio is None
    assert tuned.accepted
    assert tuned.ratio is not None
    assert tuned.ratio.low is not None
    assert tuned.ratio.low > 2.0
    assert read_block_runs(file, {BASELINE: {"a": "3"}, "tuned": {"a": "2"}}) == [
        one for one in measured if one.name == "tuned"
    ], "what another configuration was measured at says nothing of this one"


class AtARate:
    """An environment that is offered a rate: one configuration has half the latency of the other."""

    def __init__(self) -> None:
        self.runs = 0

    def run(self, task: Task, end_early: object) -> Outcome:
        self.runs += 1
        latency_ms = (40.0 if task.settings["a"] == "1" else 20.0) + self.runs % 3
        return Outcome((50.0,) * 10, 5.0, 0.0, latency_ms, objective=Objective.LATENCY.value)


def test_where_a_low_latency_is_looked_for_the_ratio_is_of_latencies_and_lower_is_accepted(tmp_path: Path):
    finalists = {BASELINE: {"a": "1"}, "tuned": {"a": "2"}}
    lines: list[str] = []
    measured = run_blocks(AtARate(), finalists, 6, tmp_path / "finalists.jsonl", 0, lines.append)
    assert read_block_runs(tmp_path / "finalists.jsonl", finalists) == measured
    original, tuned = contenders(finalists, measured, 6, 100.0)
    assert tuned.accepted, tuned.why_not
    assert tuned.ratio is not None
    assert (tuned.ratio.low or 0) < (tuned.ratio.mid or 0) < (tuned.ratio.high or 0) < 0.6
    assert tuned.rates == original.rates == (50.0,) * 6 or all(abs((rate or 0) - 50) < 1e-6 for rate in tuned.rates)
    assert all(20 <= (latency or 0) <= 22 for latency in tuned.latencies_ms)
    assert "latency 2" in lines[0] + lines[1]
    _, slower = contenders({BASELINE: {"a": "2"}, "x": {"a": "1"}}, swapped(measured), 6, 100.0)
    assert not slower.accepted
    assert "it was worse than the baseline in at least one block" in slower.why_not


def swapped(measured: list[BlockRun]) -> list[BlockRun]:
    """The same runs, the better configuration as the baseline."""
    return [BlockRun(run.block, BASELINE if run.name == "tuned" else "x", run.outcome) for run in measured]


def test_every_block_has_every_configuration_once_in_an_order_of_its_own():
    found = block_orders(["original", "advice", "best"], 6, random.Random(1))
    assert all(sorted(block) == ["advice", "best", "original"] for block in found)
    assert len({tuple(block) for block in found}) > 1
