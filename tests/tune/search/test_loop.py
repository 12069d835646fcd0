"""The loop: what is tried when, that nothing is lost, and that faults and failures are told apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.errors import InputError, ServerError
from advisor.model.record import replace
from advisor.model.tuning import Outcome, SearchSpace, Task, Trial, TrialKind
from advisor.tune.search.early_stopping import clearly_worse, early_stopping_rule
from advisor.tune.search.loop import run_study
from advisor.tune.search.optuna_ledger import open_ledger
from advisor.tune.search.policy import StudyPlan, answer, next_task, stalled
from advisor.tune.search.scored_trials import candidates, scored_trials
from advisor.tune.search.scoring import score, violation_of
from advisor.tune.space.encoding import Encoder, identity
from advisor.tune.space.resolve import load_space
from tests.tune.conftest import MACHINE


@pytest.fixture
def plan(space_of) -> StudyPlan:
    return plan_in(space_of("async_mysql", "mysql-9.7.4"))


@pytest.fixture(scope="module")
def searched() -> list[Trial]:
    """The trials of `plan` in which nothing goes wrong."""
    return study(plan_in(load_space("async_mysql", parse_release("mysql-9.7.4")[-1], MACHINE)), Counting())


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Trial]]:
    """A study in a file, with a refusal and a fault, and the trials it told of."""
    path = tmp_path_factory.mktemp("study") / "night.db"
    plan = plan_in(load_space("async_mysql", parse_release("mysql-9.7.4")[-1], MACHINE))
    return path, study(plan, Counting(infeasible={4: "refused"}, faults={6: "no disk"}), path)


def anywhere(space, history, running, ratio, dice):
    """The simplest way to propose: a new point by chance."""
    return Encoder(space).settings([dice.random() for _ in space.knobs])


class Counting:
    """Answers at once; the rate grows with the redo log. Some tasks fail as they are told to."""

    def __init__(self, faults: Mapping[int, str] = {}, infeasible: Mapping[int, str] = {}, dies_at: int = -1) -> None:
        self.tasks: list[Task] = []
        self._faults, self._infeasible, self._dies_at = faults, infeasible, dies_at

    def run(self, task: Task, end_early) -> Outcome:
        number = len(self.tasks)
        self.tasks.append(task)
        if number == self._dies_at:
            raise KeyboardInterrupt
        if number in self._faults:
            return Outcome(fault=self._faults[number], seconds=5.0)
        if number in self._infeasible:
            return Outcome(infeasible=self._infeasible[number], seconds=5.0)
        rate = 1000.0 + math.log(float(task.settings["innodb_redo_log_capacity"])) * 100 + number % 3
        return Outcome(windows=(rate,) * 6, lag_ms=100.0, backlog_slope=0.0, seconds=10.0, restarted=task.fresh)


def plan_in(space: SearchSpace) -> StudyPlan:
    """A study with one seed."""
    encoder = Encoder(space)
    running, advice = (encoder.settings([place for _ in space.knobs]) for place in (0.1, 0.5))
    return StudyPlan(space, running, (advice,), lag_bound_ms=1000.0, trials=24)


def ledger_of(plan: StudyPlan, path: Path | None = None):
    return open_ledger(f"sqlite:///{path}" if path else "", "night", plan.space, plan.running, plan.lag_bound_ms)


def study(plan: StudyPlan, environment: Counting, path: Path | None = None) -> list[Trial]:
    ticks = iter(range(10**6))
    if path:
        plan = replace(plan, trials=12)  # a database file syncs several times for each trial
    return run_study(plan, environment, ledger_of(plan, path), anywhere, clock=lambda: float(next(ticks)))


def kinds(trials: Sequence[Trial]) -> list[TrialKind]:
    return [trial.task.kind for trial in trials]


def test_the_running_configuration_comes_first_then_the_seeds_and_the_end_measures_the_best_again(
    plan: StudyPlan, searched: list[Trial]
):
    assert len(searched) == plan.trials
    assert kinds(searched)[:2] == [TrialKind.BASELINE, TrialKind.SEED]
    assert kinds(searched)[-2:] == [TrialKind.CONFIRM, TrialKind.CONFIRM]
    assert searched[0].task.settings == plan.running


def test_the_running_configuration_is_measured_again_and_again(searched: list[Trial]):
    places = [place for place, kind in enumerate(kinds(searched)) if kind is TrialKind.BASELINE]
    assert len(places) >= 3
    assert all(after - before <= 8 for before, after in pairwise(places))


def test_nothing_is_the_answer_that_was_measured_once(plan: StudyPlan, searched: list[Trial]):
    best = answer(plan, searched)
    assert len(best.values) >= 2
    assert (
        best.mean
        >= max(one.mean for one in candidates(scored_trials(searched, plan.lag_bound_ms)) if len(one.values) > 1) - 0.01
    )


def test_a_new_best_is_measured_again_after_a_fresh_restart(searched: list[Trial]):
    confirming = [trial for trial in searched if trial.task.kind is TrialKind.CONFIRM]
    assert len(confirming) > 2, "more than those at the end"
    for trial in confirming:
        assert trial.task.fresh
        assert identity(trial.task.settings) in {identity(one.task.settings) for one in searched[: trial.number]}


def test_a_configuration_that_failed_is_no_answer_and_not_tried_again(plan: StudyPlan):
    environment = Counting(infeasible={1: "the server did not start"})
    trials = study(plan, environment)
    refused = identity(trials[1].task.settings)
    assert [identity(one.settings) for one in environment.tasks].count(refused) == 1
    assert identity(answer(plan, trials).settings) != refused


def test_a_fault_is_run_again_after_a_restart_and_counts_as_no_trial(plan: StudyPlan):
    environment = Counting(faults={3: "connection lost", 4: "connection lost"})
    trials = study(plan, environment)
    assert len([one for one in trials if not one.outcome.fault]) == plan.trials
    again = environment.tasks[4]
    assert (again.settings, again.retry_of, again.fresh) == (environment.tasks[3].settings, 3, True)
    assert environment.tasks[5].settings == again.settings
    assert environment.tasks[6].settings != again.settings


def test_three_faults_in_a_row_stop_the_study_and_it_goes_on_with_the_same_task(plan: StudyPlan, tmp_path: Path):
    broken = Counting(faults={3: "connection lost", 4: "connection lost", 5: "no disk"})
    with pytest.raises(ServerError, match="no disk"):
        study(plan, broken, tmp_path / "night.db")
    mended = Counting()
    assert len([one for one in study(plan, mended, tmp_path / "night.db") if not one.outcome.fault]) == 12
    assert mended.tasks[0].settings == broken.tasks[3].settings


def test_a_study_that_was_killed_goes_on_where_it_was(plan: StudyPlan, tmp_path: Path):
    whole = study(replace(plan, trials=12), Counting())
    killed = Counting(dies_at=9)
    with pytest.raises(KeyboardInterrupt):
        study(plan, killed, tmp_path / "killed.db")
    resumed = Counting()
    trials = study(plan, resumed, tmp_path / "killed.db")
    assert resumed.tasks[0].settings == killed.tasks[9].settings
    assert resumed.tasks[0].retry_of == 9
    # No trial is lost or counted twice, and the same settings are tried as if nothing had happened.
    assert [trial.task.settings for trial in trials] == [trial.task.settings for trial in whole]


def test_what_was_measured_is_kept_as_it_was(plan: StudyPlan, database: tuple[Path, list[Trial]]):
    path, trials = database
    assert ledger_of(plan, path).trials() == trials


def test_optuna_sees_failed_configurations_complete_with_every_constraint(
    plan: StudyPlan, database: tuple[Path, list[Trial]]
):
    told = ledger_of(plan, database[0]).study.get_trials()
    assert [trial.number for trial in told if trial.state.name == "FAIL"] == [6]
    assert told[4].value == min(trial.value for trial in told if trial.value is not None)
    assert all(
        set(trial.constraints) == {"lag", "backlog", "start"} for trial in told if trial.state.name == "COMPLETE"
    )
    assert told[4].constraints["start"] > 0


def test_a_study_of_other_knobs_is_not_gone_on_with(plan: StudyPlan, database: tuple[Path, list[Trial]]):
    other = replace(plan, space=replace(plan.space, knobs=plan.space.knobs[:8]))
    with pytest.raises(InputError, match="different knobs"):
        ledger_of(other, database[0])


def test_a_storage_that_cannot_be_opened_is_said_without_its_password(plan: StudyPlan):
    address = "nosuchdatabase://user:secret@host/x"
    with pytest.raises(InputError) as told:
        open_ledger(address, "night", plan.space, plan.running, 1000.0)
    assert "secret" not in str(told.value)


def test_a_study_ends_when_the_next_trial_would_not_end_in_time(plan: StudyPlan):
    trials: list[Trial] = []
    timed = replace(plan, trials=1000, seconds=200.0)
    while (task := next_task(timed, trials, anywhere)) is not None:
        trials.append(Trial(len(trials), task, Counting().run(task, None), 10.0 * (len(trials) + 1)))
    assert len(trials) == 20
    assert kinds(trials)[-1] is TrialKind.CONFIRM


def test_a_study_without_gain_ends_before_its_trials_are_used_up(plan: StudyPlan):
    patient = replace(plan, trials=200, patience=12, worthwhile=0.5)
    trials = study(patient, Counting())
    assert len(trials) < 60
    assert stalled(patient, scored_trials(trials, 1000.0))
    assert kinds(trials)[-2:] == [TrialKind.CONFIRM, TrialKind.CONFIRM]


def test_a_rate_that_is_no_number_is_a_fault(plan: StudyPlan):
    class Broken(Counting):
        def run(self, task, end_early):
            found = super().run(task, end_early)
            return replace(found, windows=(math.nan,)) if len(self.tasks) == 3 else found

    trials = study(plan, Broken())
    assert "not a number" in trials[2].outcome.fault


def test_all_three_constraints_are_always_there():
    good = score(Outcome(windows=(100.0,) * 6, lag_ms=200.0, backlog_slope=0.0), 1000.0)
    slow = score(Outcome(windows=(100.0,) * 6, lag_ms=900.0, backlog_slope=0.0), 1000.0)
    grows = score(Outcome(windows=(100.0,) * 6, lag_ms=200.0, backlog_slope=0.2), 1000.0)
    alone = score(Outcome(windows=(100.0,) * 6), 1000.0)
    refused = score(Outcome(infeasible="refused"), 1000.0)
    assert [one.feasible for one in (good, slow, grows, alone, refused)] == [True, False, False, True, False]
    assert {tuple(one.constraints) for one in (good, slow, grows, alone, refused)} == {("lag", "backlog", "start")}


def test_a_backlog_that_grows_four_times_as_fast_is_farther_outside():
    slopes = (0.005, 0.02, 0.3, 1.2, 4.8)
    found = [score(Outcome(windows=(100.0,) * 6, lag_ms=200.0, backlog_slope=one), 1000.0) for one in slopes]
    excess = [one.constraints["backlog"] for one in found]
    assert excess == sorted(set(excess))
    assert [bound > 0 for bound in excess] == [False, True, True, True, True]


def test_repeats_are_outside_by_their_mean_near_a_bound_and_by_any_run_beyond_it():
    def runs(**measured: Sequence[float]) -> bool:
        ((name, values),) = measured.items()
        outcomes = [Outcome(windows=(100.0,) * 6, **{name: value}) for value in values]
        return violation_of([score(one, 1000.0) for one in outcomes]) > 0

    assert not runs(backlog_slope=(0.004, 0.009))
    assert runs(backlog_slope=(0.009, 0.0095)), "a backlog that grows by 0.6 % is measured so by luck"
    assert runs(backlog_slope=(0.001, 0.001, 0.0101))
    assert not runs(lag_ms=(700.0, 900.0))
    assert runs(lag_ms=(870.0, 860.0))
    assert runs(lag_ms=(500.0, 500.0, 1001.0))


def test_only_the_search_is_ended_early_and_only_when_it_is_clearly_worse(plan: StudyPlan, searched: list[Trial]):
    worse, equal = (900.0,) * 8, (1000.0, 1010.0, 990.0, 1005.0, 995.0, 1001.0, 999.0, 1000.5)
    standard = (1000.0, 1004.0, 996.0, 1003.0, 997.0, 1002.0, 998.0, 1000.0)
    assert clearly_worse(worse, standard)
    assert not clearly_worse(worse[:5], standard)
    assert not clearly_worse(equal, standard)
    searching = Task(TrialKind.SEARCH, plan.running)
    assert early_stopping_rule(plan, searched, searching)((1.0,) * 6)
    assert not early_stopping_rule(plan, searched, replace(searching, kind=TrialKind.CONFIRM))((1.0,) * 6)
