"""How many candidates are tried in the time there is, and what is recommended of those that help."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.tune.live.candidate_plan import plan_candidates, plan_together
from advisor.tune.live.candidates import Candidate
from advisor.tune.live.outcome import Tried, recommended
from advisor.tune.live.statistics.verdict import Answer, Measure, Verdict
from advisor.tune.live.traffic.figures import Figures
from advisor.tune.live.watch import Watch


def candidate(name: str, left_out: int = 3, value: str = "2") -> Candidate:
    return Candidate("a test", {"m1": {name: "1"}}, {"m1": {name: value}}, left_out)


def watch(spread: float, seconds: int = 900) -> Watch:
    series = tuple(np.random.default_rng(1).normal(0.0, spread, seconds))
    figures = Figures(float(seconds), 50.0, 50.0 * seconds)
    return Watch(figures, Measure.COMMIT_LATENCY, series, 0.0, 1.0, (), (Measure.COMMIT_LATENCY, Measure.LAG), {})


FOUND = [candidate(f"knob_{number}") for number in range(20)]


def test_a_quiet_traffic_permits_more_candidates_than_a_noisy_one() -> None:
    quiet, noisy = (plan_candidates(FOUND, watch(spread), 3600) for spread in (0.05, 0.6))
    assert [planned.candidate for planned in quiet] == FOUND[:8]
    assert 1 <= len(noisy) < 8
    assert [planned.candidate for planned in noisy] == FOUND[: len(noisy)]


@pytest.mark.parametrize("seconds", [60, 0])
def test_without_time_nothing_is_tried(seconds: float) -> None:
    assert plan_candidates(FOUND, watch(0.05), seconds) == []


def test_all_that_is_planned_fits_into_the_time() -> None:
    plans = plan_candidates(FOUND, watch(0.3), 3600)
    assert sum(planned.plan.seconds for planned in plans) <= 3600


def test_a_candidate_that_needs_longer_turns_than_were_watched_is_passed_over() -> None:
    slow, quick = candidate("slow", left_out=30), candidate("quick")
    plans = plan_candidates([slow, quick], watch(0.05, seconds=100), 3600)
    assert [planned.candidate for planned in plans] == [quick]


def test_what_helps_alone_is_measured_together() -> None:
    joint = plan_together(FOUND[:2], watch(0.05), 3600, 3)
    assert joint
    assert joint.candidate.changed == {"m1": {"knob_0": "2", "knob_1": "2"}}
    assert plan_together(FOUND[:1], watch(0.05), 3600, 3) is None
    assert plan_together(FOUND[:2], watch(0.05), 30, 3) is None
    assert plan_together([FOUND[0], candidate("knob_0", value="4")], watch(0.05), 3600, 3) is None


def test_what_is_recommended() -> None:
    def tried(one: Candidate, answer: Answer = Answer.HELPS) -> Tried:
        return Tried(one, Verdict(answer))

    first, second, other_value = tried(FOUND[0]), tried(FOUND[1]), tried(candidate("knob_0", value="4"))
    planned = plan_together(FOUND[:2], watch(0.05), 3600, 3)
    assert planned
    assert recommended([first, other_value, second]) == (first, second)
    assert recommended([first, second, tried(planned.candidate)])[0].candidate is planned.candidate
    assert recommended([first, second, tried(planned.candidate, Answer.NOTHING_SHOWN)]) == (first,)
    assert recommended([tried(FOUND[0], Answer.TRADES)]) == ()
