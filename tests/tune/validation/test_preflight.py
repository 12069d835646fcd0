"""What a night can show, told from runs of the configuration as it is; and what `why` advises as things to try."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from advisor.model.diagnosis import Cause, Diagnosis, RankedCause, TimeBreakdown
from advisor.model.record import replace
from advisor.model.rules import Advice, Change, Risk, TakesEffect
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.report.tune.sentences import preflight_sentences
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import trials_expected
from advisor.tune.search.policy import StudyPlan, next_task
from advisor.tune.space.encoding import as_text, difference
from advisor.tune.validation.preflight import (
    has_time_to_look,
    preflight_of,
    read_advice,
    reference_runs,
    reference_trials,
    save_advice,
)
from advisor.tune.validation.why_advice import SuggestedConfiguration, suggested_configurations

ASKED = Request(cluster="c.yaml", workload="update_index", threads=8, writers=("m1",))
HALF_A_NIGHT = replace(ASKED, for_seconds=2700.0, shorten=True)


def runs(count: int, spread: float, lag_ms: float = 10.0, windows: int = 10) -> list[Trial]:
    dice = random.Random(7)
    found = []
    for number in range(count):
        level = 1000.0 * math.exp(dice.gauss(0, spread))
        outcome = Outcome(tuple(level * math.exp(dice.gauss(0, 0.02)) for _ in range(windows)), lag_ms, 0.0,
                          seconds=60.0, restarted=True)  # fmt: skip
        found.append(Trial(number, Task(TrialKind.BASELINE, {}, fresh=True), outcome, 60.0 * (number + 1)))
    return found


def test_the_preflight_takes_a_share_of_the_time_and_none_where_there_is_little():
    assert reference_runs(HALF_A_NIGHT, ()) == 4, "a third of the search"
    assert reference_runs(replace(HALF_A_NIGHT, for_seconds=28800.0), ()) == 6, "more are never needed"
    assert reference_runs(replace(HALF_A_NIGHT, for_seconds=1500.0), ()) == 1, "fewer than four runs tell nothing"
    assert reference_runs(replace(HALF_A_NIGHT, preflight=False), ()) == 1
    assert reference_runs(replace(ASKED, trials=30), ()) == 4
    assert reference_runs(replace(ASKED, trials=10), ()) == 1
    slow = [replace(runs(1, 0.0)[0], outcome=replace(runs(1, 0.0)[0].outcome, seconds=55.0))]
    assert reference_runs(HALF_A_NIGHT, slow) == 5, "runs take less than was thought"
    assert has_time_to_look(HALF_A_NIGHT, ())
    assert not has_time_to_look(replace(ASKED, trials=4), ())
    assert not has_time_to_look(replace(HALF_A_NIGHT, preflight=False), ())


def test_a_study_begins_with_as_many_runs_of_what_runs_as_are_wanted(space_of):
    space = space_of("async_mysql", "mysql-8.4.5")
    running = {knob.name: knob.default or as_text(knob.low, knob.step) for knob in space.knobs}
    seed = {**running, "innodb_io_capacity": "4000"}
    plan = StudyPlan(space, running, (seed,), 1000.0, 40, references=3)
    trials: list[Trial] = []
    kinds = []
    for number in range(4):
        task = next_task(plan, trials, lambda *about: running)
        assert task is not None
        kinds.append(task.kind)
        trials.append(Trial(number, task, runs(1, 0.0)[0].outcome, 60.0 * number))
    assert kinds == [TrialKind.BASELINE] * 3 + [TrialKind.SEED]
    assert len(reference_trials(trials)) == 3


def test_noise_and_the_gain_that_can_be_shown_are_told_from_equal_runs():
    found = preflight_of(HALF_A_NIGHT, runs(6, 0.03))
    assert found.runs == 6
    assert found.rate == pytest.approx(1000.0, rel=0.05)
    assert 0.01 < (found.between or 0) < 0.06
    assert found.within == pytest.approx(0.02, rel=0.5)
    assert found.detectable == pytest.approx(math.exp(2.8 * (found.between or 0) * math.sqrt(2 / 6)) - 1)
    worst = math.exp(2.8 * math.sqrt(4 / 0.4844) * (found.between or 0) * math.sqrt(2 / 6)) - 1
    assert found.detectable_at_worst == pytest.approx(worst, rel=0.001), "chi-square, 4 degrees of freedom: 0.4844"
    assert not any("noise" in doubt for doubt in found.doubts)
    said = " ".join(preflight_sentences(found))
    assert "6 blocks detect gains of about" in said
    assert "No significant drift" in said


def test_one_run_tells_no_noise_and_nobody_is_told_zero():
    found = preflight_of(ASKED, runs(1, 0.0))
    assert (found.between, found.within, found.drift_per_hour, found.detectable) == (None, None, None, None)
    assert "Too few runs" in " ".join(preflight_sentences(found))
    cut_short = preflight_of(ASKED, runs(6, 0.03, windows=1))
    assert cut_short.within is None
    assert cut_short.between is not None


def test_a_night_that_is_too_noisy_or_too_short_is_told_so():
    noisy = preflight_of(HALF_A_NIGHT, runs(6, 0.2))
    assert "in the worst case, only much larger gains" in " ".join(
        preflight_sentences(replace(noisy, detectable_at_worst=5.85))
    )
    assert any("the noise hides a gain of 10%: to detect it, give --blocks" in doubt for doubt in noisy.doubts)
    short = preflight_of(replace(HALF_A_NIGHT, for_seconds=1200.0), runs(4, 0.01))
    assert any("there is time for" in doubt for doubt in short.doubts)
    few = preflight_of(replace(HALF_A_NIGHT, blocks=3), runs(6, 0.01))
    assert any("--blocks 6" in doubt for doubt in few.doubts)


def test_a_bound_that_is_broken_as_it_runs_is_told_with_what_says_why():
    found = preflight_of(HALF_A_NIGHT, runs(6, 0.01, lag_ms=5000.0))
    assert found.outside == 6
    assert any("advisor why" in doubt for doubt in found.doubts)


def test_trials_that_fit_are_counted_by_number_and_by_time():
    assert trials_expected(replace(ASKED, trials=30), ()) == 30
    assert 10 < trials_expected(HALF_A_NIGHT, ()) < 30
    assert trials_expected(replace(HALF_A_NIGHT, trials=5), ()) == 5


def suspect(name: str, confidence: float, value: str, risk: Risk = Risk.R1, answer: str = "limit") -> RankedCause:
    cause = Cause(name, name, "applier", (), "", "", answer=answer)  # type: ignore[arg-type]
    change = Change(name, value, TakesEffect.AT_ONCE)
    return RankedCause(cause, "m2", confidence, (), advice=Advice(risk=(risk,)), changes=(change,))


def diagnosis(*suspects: RankedCause) -> Diagnosis:
    return Diagnosis(
        "lab", "async_mysql", ("m1", "m2"), ("mysql-8.4.5",), "m1", 1000.0, 10.0, TimeBreakdown(), (), suspects, None
    )


def test_what_why_is_sure_of_becomes_configurations_to_try(space_of):
    space = space_of("async_mysql", "mysql-8.4.5")
    running = {knob.name: knob.default or as_text(knob.low, knob.step) for knob in space.knobs}
    running |= {"replica_parallel_workers": "1", "innodb_io_capacity": "200"}
    rules = {**running, "innodb_flush_neighbors": "2"}
    found = suggested_configurations(
        diagnosis(
            suspect("replica_parallel_workers", 0.9, "8"),
            suspect("innodb_io_capacity", 0.2, "9000"),
            suspect("sync_binlog", 0.8, "0"),
            suspect("innodb_purge_threads", 0.8, "2", risk=Risk.D_OS),
            suspect("innodb_lru_scan_depth", 0.8, "300", answer="no_fault"),
        ),
        space, running, rules,
    )  # fmt: skip
    together, alone, twice, half = (one.settings for one in found)
    assert difference(rules, together) == {"replica_parallel_workers": ("1", "8")}, "unsure, unbearable and no knob: no"
    assert difference(running, alone) == {"replica_parallel_workers": ("1", "8")}
    assert twice["replica_parallel_workers"] == "16"
    assert half["replica_parallel_workers"] == "4"
    assert "90%" in found[0].because
    both = suggested_configurations(
        diagnosis(suspect("replica_parallel_workers", 0.9, "4")),
        space,
        running,
        {**rules, "replica_parallel_workers": "8"},
    )
    assert both[0].settings["replica_parallel_workers"] == "8", "what check says"
    assert both[1].settings["replica_parallel_workers"] == "4"
    once = suggested_configurations(diagnosis(suspect("innodb_flush_neighbors", 0.9, "1")), space, running, running)
    assert len(once) == 1, "a word has no twice and half, and with nothing besides it is alone"
    assert (
        suggested_configurations(diagnosis(suspect("replica_parallel_workers", 0.4, "8")), space, running, rules) == []
    )
    assert (
        suggested_configurations(diagnosis(suspect("replica_parallel_workers", 0.9, "1")), space, running, rules) == []
    )


def test_what_why_advised_is_kept_for_a_study_that_goes_on(tmp_path: Path):
    assert read_advice(tmp_path) is None, "never looked"
    save_advice(tmp_path, [])
    assert read_advice(tmp_path) == [], "looked, and nothing was sure"
    save_advice(tmp_path, [SuggestedConfiguration("why: so", {"a": "1"})])
    assert read_advice(tmp_path) == [SuggestedConfiguration("why: so", {"a": "1"})]
