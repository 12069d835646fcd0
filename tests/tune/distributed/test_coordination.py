"""What one clone tries while others work on the same study, and how each is compared with itself."""

from __future__ import annotations

import math

import pytest

from advisor.model.record import replace
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.distributed.coordination import next_task_for, trials_as_seen
from advisor.tune.search.early_stopping import early_stopping_rule
from advisor.tune.search.policy import StudyPlan, next_task
from advisor.tune.search.scored_trials import candidates, scored_trials
from advisor.tune.space.encoding import identity
from tests.tune.sharing import LEVELS, anywhere, better, history, plan_for, view


@pytest.fixture
def plan(space_of) -> StudyPlan:
    return plan_for(space_of("async_mysql", "mysql-9.7.4"))


def test_what_was_found_on_one_clone_is_confirmed_by_the_other(plan: StudyPlan):
    plan = replace(plan, initial_configurations=())
    found = better(plan, 0.9)
    trials = history(
        plan,
        ("a", TrialKind.BASELINE, plan.running), ("b", TrialKind.BASELINE, plan.running),
        ("a", TrialKind.SEARCH, found), ("b", TrialKind.SEARCH, better(plan, 0.2)),
        ("a", TrialKind.BASELINE, plan.running),
    )  # fmt: skip

    def decide(seen: list[Trial]) -> Task | None:
        return next_task(plan, seen, anywhere)

    there = next_task_for(view(plan, "b", trials, others=["a"]), decide)
    assert there is not None
    assert (there.kind, identity(there.settings)) == (TrialKind.CONFIRM, identity(found))
    here = next_task_for(view(plan, "a", trials), decide)
    assert here is not None
    assert here.kind is TrialKind.SEARCH, "left to b"
    alone_again = next_task_for(view(plan, "a", trials, others=()), decide)
    assert alone_again is not None
    assert alone_again.kind is TrialKind.CONFIRM, "b is gone"
    twice = [*trials, *history(plan, ("a", TrialKind.CONFIRM, found))]
    second = next_task_for(view(plan, "b", twice, others=["a"]), decide)
    assert second is not None
    assert (second.kind, second.fresh, identity(second.settings)) == (TrialKind.CONFIRM, True, identity(found))
    busy = next_task_for(view(plan, "b", twice, [second], others=["a"]), decide)
    assert busy is not None
    assert identity(busy.settings) != identity(found)


def test_a_fault_is_repeated_by_one_clone_only(plan: StudyPlan):
    trials = history(
        plan, ("a", TrialKind.BASELINE, plan.running), ("a", TrialKind.SEED, plan.initial_configurations[0])
    )
    trials[-1] = replace(trials[-1], outcome=Outcome(fault="connection lost"))

    def decide(seen: list[Trial]) -> Task | None:
        return next_task(plan, seen, anywhere)

    again = next_task_for(view(plan, "a", trials), decide)
    assert again is not None
    assert again.retry_of == 1
    repeated = next_task_for(replace(view(plan, "a", trials, [again]), repeated=frozenset({1})), decide)
    assert repeated is not None
    assert repeated.retry_of is None
    assert identity(repeated.settings) != identity(again.settings)


def test_what_is_under_way_is_counted_but_nothing_is_built_on_it(plan: StudyPlan):
    trials = history(plan, ("a", TrialKind.BASELINE, plan.running), ("b", TrialKind.BASELINE, plan.running))
    searching = Task(TrialKind.SEARCH, better(plan, 0.9))
    seen = trials_as_seen(view(plan, "a", trials, [searching]))
    assert [one.clone for one in seen][-1] == "a", "what is in force here comes last"
    assert len(seen) == 3
    found = {identity(one.settings): one for one in candidates(scored_trials(seen, plan.lag_bound_ms))}
    assert not found[identity(searching.settings)].feasible
    assert found[identity(plan.running)].values == found[identity(plan.running)].values[:2]


def test_drift_and_level_are_each_clones_own(plan: StudyPlan):
    trials = []
    for number in range(12):
        for clone, tilt in (("a", 0.01), ("b", -0.02)):
            windows = (1000.0 * LEVELS[clone] * math.exp(tilt * number),) * 6
            task = Task(TrialKind.BASELINE, plan.running)
            trials.append(
                Trial(len(trials), task, Outcome(windows=windows, lag_ms=1.0, backlog_slope=0.0), number, clone)
            )
    values = [one.value for one in scored_trials(trials, plan.lag_bound_ms) if one.value is not None]
    assert max(values) - min(values) < 0.02
    alone_values = [one.value for one in scored_trials(trials[::2], plan.lag_bound_ms) if one.value is not None]
    assert sum(alone_values) / 12 == pytest.approx(math.log(1000.0) + 0.055, abs=0.001), "one clone keeps its level"


def test_a_trial_ends_early_against_what_this_clone_measured_never_against_anothers(plan: StudyPlan):
    found = better(plan, 0.9)
    trials = history(
        plan, ("a", TrialKind.BASELINE, plan.running), ("b", TrialKind.BASELINE, plan.running),
        ("a", TrialKind.SEARCH, found), ("a", TrialKind.CONFIRM, found),
    )  # fmt: skip
    slow = tuple(rate * 0.8 for rate in trials[-1].outcome.windows)
    task = Task(TrialKind.SEARCH, better(plan, 0.7))
    assert early_stopping_rule(plan, trials, task, "a")(slow)
    assert not early_stopping_rule(plan, trials, task, "b")(slow)
