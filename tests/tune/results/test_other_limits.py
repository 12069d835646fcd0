"""What another lag limit would allow: from the trials alone, each row the best that kept the limit."""

from __future__ import annotations

import math

import pytest

from advisor.model.measurement import Interval
from advisor.model.recommendation import AtLimit, Contender
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.results.other_limits import at_other_limits
from advisor.tune.search.scored_trials import scored_trials

BOUND_MS = 1000.0


def trial(number: int, workers: int, rate: float, lag_ms: float | None, slope: float = 0.0, cut: bool = False) -> Trial:
    outcome = Outcome((rate,) * 3, lag_ms, slope, truncated=cut)
    return Trial(number, Task(TrialKind.SEARCH, {"replica_parallel_workers": str(workers)}), outcome, float(number))


def contender(workers: int, lag_ms: float, accepted: bool = True) -> Contender:
    settings = {"replica_parallel_workers": str(workers)}
    return Contender("tuned", settings, (500.0,), Interval(1.5, 2.0, 2.5), 0.01, lag_ms, 9.0, accepted)


def rows(*trials: Trial, contenders: tuple[Contender, ...] = ()) -> list[AtLimit]:
    return list(at_other_limits(scored_trials(trials, BOUND_MS), BOUND_MS, contenders))


def test_a_looser_limit_allows_what_is_faster_and_lags_more():
    found = rows(trial(0, 1, 100.0, 20.0), trial(1, 4, 300.0, 700.0), trial(2, 8, 500.0, 4000.0))
    assert [(at.limit_ms, at.trial) for at in found] == [(100.0, 0), (1000.0, 1), (10_000.0, 2)]
    assert found[1].rate == pytest.approx(300.0)
    assert [at.lag_ms for at in found] == [20.0, 700.0, 4000.0]


def test_a_limit_that_nothing_kept_has_no_row_and_without_lag_there_is_none():
    assert [at.limit_ms for at in rows(trial(0, 1, 100.0, 700.0))] == [1000.0, 10_000.0]
    assert rows(trial(0, 1, 100.0, None)) == []


def test_the_worst_run_of_a_configuration_counts_and_the_mean_of_its_rates():
    (tight, *_) = rows(trial(0, 1, 100.0, 20.0), trial(1, 4, 200.0, 90.0), trial(2, 4, 800.0, 150.0))
    assert (tight.trial, tight.rate) == (0, pytest.approx(100.0))
    wide = rows(trial(0, 4, 200.0, 90.0), trial(1, 4, 800.0, 150.0))[0]
    assert (wide.limit_ms, wide.runs, wide.lag_ms) == (1000.0, 2, 150.0)
    assert wide.rate == pytest.approx(math.sqrt(200.0 * 800.0))


def test_what_was_cut_short_or_whose_backlog_grows_for_ever_counts_nowhere():
    assert rows(trial(0, 4, 900.0, 20.0, cut=True), trial(1, 8, 900.0, 20.0, slope=0.5)) == []


def test_only_what_was_accepted_in_blocks_and_kept_the_limit_there_is_proved():
    trials = trial(0, 1, 100.0, 20.0), trial(1, 4, 300.0, 60.0)
    assert rows(*trials, contenders=(contender(4, 60.0),))[0].proved
    assert not rows(*trials, contenders=(contender(4, 600.0),))[0].proved
    assert not rows(*trials, contenders=(contender(4, 60.0, accepted=False),))[0].proved
