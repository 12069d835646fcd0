"""Which configurations are validated: beside the best, the sure one with the fewest changes."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.recommendation import BASELINE
from advisor.model.tuning import Outcome, Settings, Task, Trial, TrialKind
from advisor.tune.search.policy import StudyPlan, best_confirmed
from advisor.tune.space.encoding import Encoder
from advisor.tune.validation.finalists import RULES, RUNNER_UP, WINNER, choose_finalists, runner_up


def _plan(space_of) -> StudyPlan:
    space = space_of("async_mysql", "mysql-9.7.4")
    return StudyPlan(space, Encoder(space).settings([0.1 for _ in space.knobs]), (), lag_bound_ms=1000.0, trials=24)


def _trials(rates: Sequence[tuple[Settings, float]]) -> list[Trial]:
    return [
        Trial(
            number, Task(TrialKind.SEARCH, settings), Outcome(windows=(rate,) * 6, lag_ms=1.0, backlog_slope=0.0), 1.0
        )
        for number, (settings, rate) in enumerate(rates)
    ]


def test_the_runner_up_is_the_sure_one_with_the_fewest_changes(space_of):
    plan = _plan(space_of)
    one = {**plan.running, "innodb_io_capacity": "777"}
    two = {**one, "innodb_flush_neighbors": "2"}
    once = {**plan.running, "innodb_io_capacity": "888"}
    worse = {**plan.running, "innodb_io_capacity": "999"}
    rates = [(plan.running, 100.0), (one, 200.0), (two, 250.0), (one, 205.0), (two, 251.0), (once, 300.0)]
    trials = _trials([*rates, (worse, 50.0), (worse, 50.0)])
    best = best_confirmed(plan, trials)
    assert best
    assert best.settings == two
    second = runner_up(plan, trials, [two])
    assert second
    assert second.settings == one
    assert runner_up(plan, trials, [one, two]) is None


def test_the_winner_and_the_runner_up_go_into_the_blocks_while_there_is_room(space_of):
    plan = _plan(space_of)
    one = {**plan.running, "innodb_io_capacity": "2000"}
    two = {**one, "innodb_flush_neighbors": "2"}
    trials = _trials([(plan.running, 100.0), (one, 200.0), (two, 250.0), (one, 205.0), (two, 251.0)])
    chosen, minimised = choose_finalists(plan, plan.running, trials, two, lambda settings: None)
    assert minimised is None
    assert list(chosen) == [BASELINE, WINNER, RUNNER_UP]
    chosen, _ = choose_finalists(
        plan, {**plan.running, "innodb_io_capacity": "3000"}, trials, two, lambda settings: None
    )
    assert list(chosen) == [BASELINE, RULES, WINNER], "three are as many as there is time for"
    assert list(choose_finalists(plan, plan.running, trials[:1], None, lambda settings: None)[0]) == [BASELINE]
