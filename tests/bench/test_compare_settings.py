"""Settings are put back whatever happens in the middle of a comparison."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from advisor.bench.compare_settings import compare
from advisor.bench.measure.summary import summarise
from advisor.bench.run import RunPlan
from advisor.errors import UsageError
from advisor.model.measurement import Run
from tests.bench.synthetic_runs import CIRCUMSTANCES, LOAD, synthetic_run

WANTED = {"m1": {"sync_binlog": "0"}}


class Server:
    """A server with one setting; 1.5 times as fast without syncs, and it may break in a given run."""

    def __init__(self, breaks_in: int = 0) -> None:
        self.values = {"sync_binlog": "1"}
        self.runs: list[str] = []
        self._breaks_in = breaks_in

    def apply(self, wanted: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
        before = dict(self.values)
        self.values.update(wanted["m1"])
        return {"m1": before}

    def run(self, plan: RunPlan) -> Run:
        self.runs.append(self.values["sync_binlog"])
        if len(self.runs) == self._breaks_in:
            raise KeyboardInterrupt
        seconds = synthetic_run(
            1500 if self.values["sync_binlog"] == "0" else 1000, 5000, seed=len(self.runs), noise=0.01
        )
        return Run(summarise(CIRCUMSTANCES, seconds), tuple(seconds), 0.0)


def test_runs_alternate_and_the_ratio_is_found():
    server = Server()
    found = compare(RunPlan(LOAD), WANTED, 4, server.run, server.apply, print)
    assert server.runs == ["1", "0", "0", "1", "1", "0", "0", "1"]
    assert found.ratios["peak"].low < 1.5 < found.ratios["peak"].high
    assert found.ratios["peak"].mid == pytest.approx(1.5, rel=0.02)
    assert server.values == {"sync_binlog": "1"}


@pytest.mark.parametrize("breaks_in", [1, 2, 3, 4])
def test_the_settings_are_back_after_ctrl_c_in_any_run(breaks_in: int):
    server = Server(breaks_in)
    with pytest.raises(KeyboardInterrupt):
        compare(RunPlan(LOAD), WANTED, 2, server.run, server.apply, print)
    assert server.values == {"sync_binlog": "1"}


def test_settings_that_cannot_be_applied_are_refused_before_the_first_run():
    server = Server()

    def refuse(wanted: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
        raise UsageError("it needs a restart of the server")

    with pytest.raises(UsageError):
        compare(RunPlan(LOAD), WANTED, 2, server.run, refuse, print)
    assert server.runs == []
