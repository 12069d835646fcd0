"""A winner that breaks under long load is no winner; what is not known is no pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.model.measurement import Load, LoadSecond, Phase, Second
from advisor.model.progress import Progress
from advisor.model.recommendation import Recommendation, Soak
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.model.tuning import EndEarly, Outcome, Task, Trial, TrialKind
from advisor.report.tune import html, markdown
from advisor.report.tune.document import document, read_document
from advisor.report.tune.text import recommendation_as_text
from advisor.report.words.layout import Page
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import (
    run_seconds,
    search_seconds,
    seconds_after_search,
    soak_seconds,
    validation_seconds,
)
from advisor.tune.validation.soak import ValidatedWinner, judge_soak, run_soak, with_soak

PROMISE = ValidatedWinner("tuned", {"innodb_io_capacity": "2000"}, 500.0)


def load_of(rate_at: Callable[[int], float], seconds: int = 600, errors: float = 0.0) -> list[Second]:
    return [
        Second(
            float(at), Phase.MEASURE,
            (Progress("m1", Role.SOURCE, at, 1.0, committed_per_second=rate_at(at)),
             Progress("m2", Role.REPLICA, at, 1.0, committed_per_second=0.0, applied_per_second=rate_at(at))),
            (LoadSecond(float(at), "m1", rate_at(at), errors_per_second=errors),),
        )
        for at in range(seconds)
    ]  # fmt: skip


def good(lag_ms: float = 100.0, slope: float = 0.001) -> Outcome:
    return Outcome((1000.0,) * 10, lag_ms, slope, seconds=620.0, restarted=True)


def soak_of(outcome: Outcome, seen: list[Second]) -> Soak:
    return judge_soak(PROMISE, outcome, seen, 600.0, ("m1",), 1000.0)


def test_where_a_low_latency_was_looked_for_the_soak_test_must_show_it_too():
    winner = ValidatedWinner("tuned", {"innodb_io_capacity": "2000"}, 1000.0, baseline_latency_ms=40.0)

    def found(latency_ms: float | None) -> Soak:
        outcome = replace(good(), latency_ms=latency_ms)
        return judge_soak(winner, outcome, load_of(lambda at: 1000.0), 600.0, ("m1",), 1000.0)

    assert found(20.0).kept, "although the rate, which was offered, is that of the baseline"
    assert found(39.5).why_not == "its latency was 40 ms, that of the baseline 40 ms"
    assert "its latency was ?" in found(None).why_not


def test_what_keeps_rate_lag_and_backlog_stands_it():
    found = soak_of(good(), load_of(lambda at: 1000.0 + at % 7, errors=10.0))
    assert found.kept, found
    assert len(found.rates) == 30
    assert found.error_share == pytest.approx(10 / 1013, abs=0.001)
    assert found.seconds == 600.0


def test_what_breaks_a_bound_slows_down_or_ends_early_does_not():
    steady = load_of(lambda at: 1000.0)
    assert "its lag was 1.2 s, above the limit of 1.0 s" in soak_of(good(lag_ms=1200.0), steady).why_not
    assert "backlog" in soak_of(good(slope=0.05), steady).why_not
    assert "the run ended after 200 s" in soak_of(good(), load_of(lambda at: 1000.0, seconds=200)).why_not
    slower = soak_of(good(), load_of(lambda at: 1000.0 * math.exp(-at / 400)))
    assert "in the last third of the run it sustained" in slower.why_not
    assert slower.trend_per_hour == pytest.approx(-9.0, rel=0.02), "e-fold in 400 s"
    assert (slower.trend_uncertain_by or 1.0) < 0.5


def test_a_run_that_cannot_tell_is_no_pass():
    lost = soak_of(Outcome(fault="the network"), [])
    assert not lost.kept
    assert "the network" in lost.why_not
    assert (lost.trend_per_hour, lost.error_share, lost.lag_ms) == (None, None, None)
    assert "4 of 5" in soak_of(Outcome(infeasible="4 of 5 transactions failed"), []).why_not


class Running:
    """A cluster as `soaked` sees it: outcomes in turn."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes, self.runs = list(outcomes), 0

    def measuring_for(self, seconds: float, hear: Callable[[Second], None]) -> Running:
        for second in load_of(lambda at: 1000.0):
            hear(second)
        return self

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        self.runs += 1
        return self.outcomes.pop(0)


def test_a_fault_is_run_again_and_what_was_told_is_kept_for_a_night_that_goes_on(tmp_path: Path):
    place = Running(Outcome(fault="lost"), good())
    found = run_soak(place, PROMISE, 600.0, ("m1",), 1000.0, tmp_path)
    assert found.kept
    assert place.runs == 2
    again = Running()
    assert run_soak(again, PROMISE, 600.0, ("m1",), 1000.0, tmp_path) == found, "not run again"
    (tmp_path / "soak.json").write_text('{"settings": ')
    assert run_soak(Running(good()), PROMISE, 600.0, ("m1",), 1000.0, tmp_path) == found, (
        "what cannot be read is run again"
    )
    other = replace(PROMISE, settings={"innodb_io_capacity": "4000"})
    assert not run_soak(Running(good(lag_ms=2000.0)), other, 600.0, ("m1",), 1000.0, tmp_path).kept


def test_a_soak_that_a_fault_ended_is_run_again_when_the_night_goes_on(tmp_path: Path):
    lost = run_soak(Running(*[Outcome(fault="the network")] * 3), PROMISE, 600.0, ("m1",), 1000.0, tmp_path)
    assert "the run could not be completed: the network" in lost.why_not
    assert run_soak(Running(good()), PROMISE, 600.0, ("m1",), 1000.0, tmp_path).kept


def recommendation() -> Recommendation:
    return Recommendation(
        "lab", Topology.ASYNC_MYSQL, "mysql-8.4.5", "2026-01-01", 60.0, Load("w", 8, ("m1",)), 1000.0, "tuned", "",
        changes=(), contenders=(), trials=(), edges=("innodb_io_capacity",),
    )  # fmt: skip


def test_a_soak_that_breaks_takes_the_recommendation_back_and_every_report_says_so():
    kept = with_soak(recommendation(), soak_of(good(), load_of(lambda at: 1000.0)))
    assert kept.chosen == "tuned"
    broken = with_soak(recommendation(), soak_of(good(lag_ms=1200.0), load_of(lambda at: 1000.0)))
    assert (broken.chosen, broken.changes, broken.edges) == ("", (), ())
    assert "failed the soak test" in broken.because
    assert read_document(document(broken)) == broken
    for found, words in ((kept, "Soak test passed"), (broken, "Soak test failed")):
        for text in (html.render(found), markdown.render(found),
                     recommendation_as_text(found, Page(200, False))):  # fmt: skip
            assert words in " ".join(text.split())


def test_the_search_leaves_the_soak_its_time():
    asked = Request("c", "w", 8, ("m1",), for_seconds=28800.0)
    longer = replace(asked, soak_seconds=1800.0)
    assert soak_seconds(asked, ()) == 0.0
    assert soak_seconds(longer, ()) == pytest.approx(1800.0 + run_seconds(asked, (), fresh=True) - 30.0)
    assert search_seconds(asked, ()) - search_seconds(longer, ()) == pytest.approx(soak_seconds(longer, ()))


def trial_of(kind: TrialKind, seconds: float) -> Trial:
    outcome = Outcome(windows=(3.0, 3.0), seconds=seconds, restarted=True)
    return Trial(0, Task(kind, {}, fresh=True), outcome, seconds)


def test_a_baseline_that_drains_for_long_counts_by_its_own_runs_and_the_soak_is_kept_free():
    asked = Request("c", "w", 8, ("m1",), for_seconds=5700.0, blocks=6)
    slow = [trial_of(TrialKind.BASELINE, 100.0), *(trial_of(TrialKind.CONFIRM, 30.0) for _ in range(8))]
    assert validation_seconds(asked, slow) == pytest.approx(1.1 * 6 * (100.0 + 2 * 30.0))
    longer = replace(asked, soak_seconds=900.0)
    assert seconds_after_search(longer, slow) == validation_seconds(asked, slow) + soak_seconds(longer, slow)
