"""What a recommendation says of its runs: their noise, and warnings they share."""

from __future__ import annotations

from advisor.model.recommendation import BASELINE
from advisor.model.tuning import Outcome
from advisor.tune.report.recommendation import baseline_runs, frequent_warnings
from advisor.tune.validation.blocks import BlockRun
from tests.tune.starting_points import baseline_trials


def test_noise_is_that_of_the_proof_where_it_has_enough_runs():
    search = baseline_trials(0.3, 5)
    like = Outcome((1000.0,) * 6, seconds=60.0)
    blocks = [BlockRun(at, name, like) for at in range(6) for name in ("tuned", BASELINE)]
    found = baseline_runs(search, blocks)
    assert [trial.at_seconds for trial in found[:2]] == [2400.0 + 120.0, 2400.0 + 240.0]
    assert len(found) == 6
    assert baseline_runs(search, blocks[:6]) == search, "three are too few"


def test_what_is_said_of_many_runs_is_said_of_the_night_whatever_its_figures():
    runs = [(f"the CPUs were {90 + at}% busy", "m2 was restarted") for at in range(4)]
    assert frequent_warnings([*runs, (), ("m1 was restarted",), ("m3 was restarted",)]) == [
        "the CPUs were 93% busy (in 4 of 7 runs)",
        "m2 was restarted (in 4 of 7 runs)",
    ]
    assert frequent_warnings([]) == []
    assert frequent_warnings([("fsync took 2.5 ms",), *[()] * 3]) == [], "once of four"
