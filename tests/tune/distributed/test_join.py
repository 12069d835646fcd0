"""Several participants in one study: nothing is run twice, and nothing is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from advisor.model.record import replace
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.distributed.heartbeat import BEAT_KEY, Activity, Heartbeat
from advisor.tune.distributed.shared_ledger import SharedLedger
from advisor.tune.distributed.turn_lock import hold_turn
from advisor.tune.search.loop import run_study
from advisor.tune.search.optuna_ledger import OptunaLedger, open_ledger
from advisor.tune.search.policy import StudyPlan, best_confirmed, next_task
from advisor.tune.space.encoding import identity
from advisor.tune.state.database import Storage, open_storage
from tests.tune.sharing import STUDY, anywhere, better, outcome_on, part, plan_for, run_one, take


@pytest.fixture
def plan(space_of) -> StudyPlan:
    return plan_for(space_of("async_mysql", "mysql-9.7.4"))


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    opened = open_storage(f"sqlite:///{tmp_path / 'shared.db'}", environment={})
    yield opened
    opened.close()


def test_two_participants_never_run_the_same_task_at_once_and_the_trials_add_up(plan: StudyPlan, storage: Storage):
    first, second = (part(plan, storage, clone)[0] for clone in "ab")
    ledgers, open_tasks, done = {"a": first, "b": second}, {}, []
    dice = random.Random(7)
    while True:
        clone = dice.choice("ab")
        if clone in open_tasks:
            number, task = open_tasks.pop(clone)
            trial = Trial(number, task, outcome_on(clone, task.settings, number), float(len(done)), clone)
            assert ledgers[clone].end(trial)
            done.append(trial)
            continue
        # Nobody is waited for here: what is begun is ended by the same loop.
        taken = ledgers[clone].take(lambda seen: next_task(plan, seen, anywhere), lambda: bool(open_tasks))
        if taken is None and not open_tasks:
            taken = ledgers[clone].take(lambda seen: next_task(plan, seen, anywhere), lambda: False)
            if taken is None:
                break
        if taken is None:
            other = next(iter(open_tasks))
            number, task = open_tasks.pop(other)
            trial = Trial(number, task, outcome_on(other, task.settings, number), float(len(done)), other)
            assert ledgers[other].end(trial)
            done.append(trial)
            continue
        busy = [identity(task.settings) for _, task in open_tasks.values() if task.kind is not TrialKind.BASELINE]
        assert identity(taken[1].settings) not in busy
        open_tasks[clone] = taken
    assert len(done) == plan.trials == len(first.trials())
    assert sorted(trial.number for trial in done) == list(range(plan.trials))
    assert Counter(trial.clone for trial in first.trials()) == Counter(trial.clone for trial in done)
    seeds = [trial for trial in done if trial.task.kind is TrialKind.SEED]
    assert len(seeds) == 1


def test_each_clone_begins_with_the_running_configuration_and_the_best_is_measured_on_both(
    plan: StudyPlan, storage: Storage
):
    ledgers = [part(plan, storage, clone)[0] for clone in "ab"]
    for number in range(plan.trials):
        run_one(plan, ledgers[number % 2])
    for clone in "ab":
        kinds = [one.task.kind for one in ledgers[0].trials() if one.clone == clone]
        assert kinds[0] is TrialKind.BASELINE
        places = [place for place, kind in enumerate(kinds) if kind is TrialKind.BASELINE]
        assert len(places) >= 2
        assert all(after - before <= 8 for before, after in pairwise(places)), "it comes back to it"
    best = best_confirmed(plan, ledgers[0].trials())
    assert best is not None
    assert sorted(best.clones) == ["a", "b"]
    assert max(best.values) - min(best.values) < 0.01, "a's and b's rates differ by a factor of 0.7"


def test_a_clone_that_only_waits_leaves_confirming_to_those_that_search(plan: StudyPlan, storage: Storage):
    ledgers = {clone: part(plan, storage, clone)[0] for clone in "ab"}
    for clone in ("a", "b", "a"):
        run_one(replace(plan, trials=24), ledgers[clone])
    assert not ledgers["b"].take(lambda seen: None, lambda: False), "nothing is under way either"
    number, task = take(plan, ledgers["a"])
    assert task.kind is TrialKind.CONFIRM, "nobody else is there to do it"
    assert ledgers["a"].end(Trial(number, task, outcome_on("a", task.settings), 5.0, "a"))
    assert take(plan, ledgers["b"])[1].kind is TrialKind.CONFIRM, "it searches again, so it confirms what a found"


def test_the_trial_of_a_dead_participant_is_run_again_once(plan: StudyPlan, storage: Storage):
    dead, inner, _ = part(plan, storage, "a", beat=0.01)
    run_one(plan, dead)
    number, task = take(plan, dead)
    time.sleep(0.1)  # it sends no heartbeat: its thread was never started
    alive, _, told = part(plan, storage, "b", beat=0.01)
    taken = take(plan, alive)
    assert (taken[1].retry_of, identity(taken[1].settings)) == (number, identity(task.settings))
    assert any("the participant that ran it is gone" in line for line in told)
    third, _, _ = part(plan, storage, "c", beat=60.0)
    assert take(plan, third)[1].retry_of is None, "b runs it"
    late = Trial(number, task, outcome_on("a", task.settings), 3.0, "a")
    assert not dead.end(late), "a participant that was taken for dead cannot end its trial"
    assert [one.number for one in alive.trials()] == [0]
    assert not inner.open_trials


def test_a_participant_that_comes_back_repeats_what_it_left_open_at_once(plan: StudyPlan, storage: Storage):
    first, _, _ = part(plan, storage, "a")
    run_one(plan, first)
    number, task = take(plan, first)
    again, _, _ = part(plan, storage, "a")
    taken = take(plan, again)
    assert (taken[1].retry_of, identity(taken[1].settings)) == (number, identity(task.settings))


def test_who_leaves_gives_its_trial_back_and_another_takes_it_at_once(plan: StudyPlan, storage: Storage):
    leaving, _, _ = part(plan, storage, "a")
    run_one(plan, leaving)
    number, _ = take(plan, leaving)
    leaving.leave(Activity.LEFT)
    staying, _, told = part(plan, storage, "b")
    assert take(plan, staying)[1].retry_of == number
    assert told == []


def test_a_kill_after_the_outcome_is_written_counts_the_trial_once(plan: StudyPlan, storage: Storage, monkeypatch):
    _, inner, _ = part(plan, storage, "a")
    task = Task(TrialKind.BASELINE, plan.running)
    number = inner.begin(task)
    trial = Trial(number, task, outcome_on("a", plan.running), 1.0, "a")

    def killed(self, number, outcome):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(OptunaLedger, "_close", killed)
        with pytest.raises(KeyboardInterrupt):
            inner.end(trial)
    again, fresh, _ = part(plan, storage, "a")
    assert again.trials() == [trial]
    taken = take(plan, again)
    assert taken[1].retry_of is None
    assert fresh.study.get_trials()[number].state.name == "COMPLETE"


def test_a_kill_between_giving_up_and_repeating_loses_nothing(plan: StudyPlan, storage: Storage):
    _, inner, _ = part(plan, storage, "a")
    number = inner.begin(Task(TrialKind.SEED, plan.initial_configurations[0]))
    _, other, _ = part(plan, storage, "b")
    assert other.close_dead(lambda clone: True) == [number]
    _, third, _ = part(plan, storage, "c")
    assert [task.retry_of for task in third.waiting()] == [number]
    third.begin(third.waiting()[0])
    assert third.waiting() == []


def test_a_task_during_which_three_participants_died_is_not_tried_again(plan: StudyPlan, storage: Storage):
    plan = replace(plan, initial_configurations=(better(plan, 0.5),))
    for clone in ("a", "b", "c"):
        dying, _, _ = part(plan, storage, clone, beat=0.01)
        if not dying.trials():
            run_one(plan, dying)
        task = take(plan, dying)[1]
        assert identity(task.settings) == identity(plan.initial_configurations[0])
        time.sleep(0.1)
    last, _, _ = part(plan, storage, "d", beat=0.01)
    task = take(plan, last)[1]
    assert identity(task.settings) != identity(plan.initial_configurations[0])
    refused = [one for one in last.trials() if one.outcome.infeasible]
    assert [(identity(one.task.settings), one.outcome.infeasible) for one in refused] == [
        (identity(plan.initial_configurations[0]), "3 participants died while running this trial")
    ]


def test_one_controller_validates_and_another_when_that_one_died(plan: StudyPlan, storage: Storage):
    first, second = (part(plan, storage, clone, beat=0.5)[0] for clone in "ab")
    assert first.claim_validation(lambda: True) == (False, ""), "it was told to stop"
    assert first.claim_validation(lambda: False) == (True, "")
    assert second.claim_validation(lambda: False) == (False, "a")
    time.sleep(1.7)  # three missed heartbeats; with shorter ones a busy machine misses them, too
    assert second.claim_validation(lambda: False) == (True, ""), "a sends no heartbeat"
    second.leave(Activity.PROVED)
    time.sleep(0.5)
    third, _, _ = part(plan, storage, "c", beat=0.5)
    assert third.claim_validation(lambda: False) == (False, "b"), "it is validated, for good"


def test_heartbeats_are_sent_from_a_thread_while_a_trial_runs(plan: StudyPlan, storage: Storage):
    inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, "a")
    inner.study.set_user_attr(BEAT_KEY, 0.2)
    heartbeat, watching = (Heartbeat(storage, inner.study, clone, clone) for clone in "ab")
    heartbeat.begin()
    began = watching.others()[0].last_seconds
    time.sleep(1.2)
    found = watching.others()[0]
    assert found.alive
    assert found.last_seconds > began
    heartbeat.end(Activity.LEFT)
    assert [(one.alive, one.activity) for one in watching.others()] == [(False, Activity.LEFT)]


PROGRAM = """
import sys
from tests.tune.distributed.test_join import controller
controller(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
"""


def controller(address: str, clone: str, seconds: float, dies: str) -> None:
    """A program of its own: searches with trials of some milliseconds; told to, it kills itself in its fourth."""
    from advisor.catalog import parse_release
    from advisor.tune.space.resolve import load_space
    from tests.tune.conftest import MACHINE

    plan = plan_for(load_space("async_mysql", parse_release("mysql-9.7.4")[-1], MACHINE), trials=30)
    storage = open_storage(address)
    with hold_turn(storage, STUDY):
        inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, clone)
    inner.study.set_user_attr(BEAT_KEY, 1.0)
    heartbeat = Heartbeat(storage, inner.study, clone, clone)
    heartbeat.begin()

    class Quick:
        ran = 0

        def run(self, task: Task, end_early) -> Outcome:
            self.ran += 1
            time.sleep(seconds)
            if dies and self.ran == 4:
                os.kill(os.getpid(), signal.SIGKILL)
            return outcome_on(clone, task.settings, self.ran)

    ledger = SharedLedger(inner, storage, heartbeat, lambda line: None)
    run_study(plan, Quick(), ledger, anywhere)
    ledger.leave(Activity.LEFT)


@pytest.mark.gate
def test_programs_on_one_file_share_the_trials_and_take_up_what_a_killed_one_left(plan: StudyPlan, tmp_path: Path):
    share_and_take_up(plan, f"sqlite:///{tmp_path / 'shared.db'}")


def share_and_take_up(plan: StudyPlan, address: str, **words: str) -> None:
    """Two programs on one storage, of which one is killed; `words` are in their environment."""
    storage = open_storage(address, environment=words)
    environment = {**os.environ, **words, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    started = {
        clone: subprocess.Popen([sys.executable, "-c", PROGRAM, address, clone, "0.05", dies], env=environment)
        for clone, dies in (("a", ""), ("b", "dies"))
    }
    codes = {clone: process.wait(timeout=600) for clone, process in started.items()}
    assert codes == {"a": 0, "b": -signal.SIGKILL}
    inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, "c")
    trials, rows = inner.trials(), inner.study.get_trials()
    storage.close()
    assert len(trials) == 30
    assert [row.number for row in rows] == list(range(31)), "one more was begun: the killed one"
    lost = [row for row in rows if "outcome" not in row.user_attrs]
    assert [row.user_attrs["clone"] for row in lost] == ["b"]
    again = [trial for trial in trials if trial.task.retry_of is not None]
    assert [(trial.task.retry_of, trial.clone) for trial in again] == [(lost[0].number, "a")]
    assert identity(again[0].task.settings) == identity(json.loads(lost[0].user_attrs["task"])["settings"])
    assert Counter(trial.clone for trial in trials)["b"] == 3
