"""Several controllers on one study: nothing is run twice, nothing is lost, and each clone is compared with itself."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from advisor.errors import InputError, ServerError, UsageError
from advisor.model.record import replace
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.deciding import Plan, best_sure, next_task
from advisor.tune.encoding import Encoder, identity
from advisor.tune.history import candidates, tried
from advisor.tune.ledger import OptunaLedger, open_ledger
from advisor.tune.presence import BEAT_KEY, Doing, Presence
from advisor.tune.shared_ledger import SharedLedger
from advisor.tune.stopping import watch_for
from advisor.tune.storage import Storage, now, open_storage, parse_storage, patiently, shown
from advisor.tune.study import run_study
from advisor.tune.together import Scene, as_seen, next_for
from advisor.tune.turns import alone

STUDY = "night"
LEVELS = {"a": 1.0, "b": 0.7}  # b is a slower machine


@pytest.fixture
def plan(space_of) -> Plan:
    space = space_of("async_mysql", "mysql-9.7.4")
    encoder = Encoder(space)
    running, advice = (encoder.settings([place for _ in space.knobs]) for place in (0.1, 0.5))
    return Plan(space, running, (advice,), lag_bound_ms=1000.0, trials=24)


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    opened = open_storage(f"sqlite:///{tmp_path / 'shared.db'}", environment={})
    yield opened
    opened.close()


def anywhere(space, history, running, ratio, dice: random.Random):
    """The simplest way to propose: a new point by chance."""
    return Encoder(space).settings([dice.random() for _ in space.knobs])


def outcome_on(clone: str, settings: Mapping[str, str], number: int = 0) -> Outcome:
    rate = LEVELS[clone] * (1000.0 + math.log(float(settings["innodb_redo_log_capacity"])) * 100 + number % 3)
    return Outcome(windows=(rate,) * 6, lag_ms=100.0, backlog_slope=0.0, seconds=10.0)


def part(plan: Plan, storage: Storage, clone: str, beat: float = 60.0) -> tuple[SharedLedger, OptunaLedger, list[str]]:
    inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, clone)
    inner.study.set_user_attr(BEAT_KEY, beat)
    presence, told = Presence(storage, inner.study, clone, clone), list[str]()
    presence.say(Doing.SEARCHING)
    return SharedLedger(inner, storage, presence, told.append), inner, told


def take(plan: Plan, ledger: SharedLedger) -> tuple[int, Task]:
    found = ledger.take(lambda seen: next_task(plan, seen, anywhere), lambda: False)
    assert found is not None
    return found


def run_one(plan: Plan, ledger: SharedLedger) -> Trial:
    number, task = take(plan, ledger)
    at = float(len(ledger.trials()))
    trial = Trial(number, task, outcome_on(ledger.clone, task.settings, number), at, ledger.clone)
    assert ledger.end(trial)
    return trial


def test_two_controllers_never_run_the_same_task_at_once_and_the_trials_add_up(plan: Plan, storage: Storage):
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


def test_each_clone_begins_with_the_running_configuration_and_comes_back_to_it(plan: Plan, storage: Storage):
    ledgers = [part(plan, storage, clone)[0] for clone in "ab"]
    for number in range(plan.trials):
        run_one(plan, ledgers[number % 2])
    for clone in "ab":
        kinds = [one.task.kind for one in ledgers[0].trials() if one.clone == clone]
        assert kinds[0] is TrialKind.BASELINE
        places = [place for place, kind in enumerate(kinds) if kind is TrialKind.BASELINE]
        assert len(places) >= 2
        assert all(after - before <= 8 for before, after in pairwise(places))


def test_the_best_is_measured_on_both_clones_and_a_slower_clone_is_no_worse_configuration(plan: Plan, storage: Storage):
    ledgers = [part(plan, storage, clone)[0] for clone in "ab"]
    for number in range(plan.trials):
        run_one(plan, ledgers[number % 2])
    best = best_sure(plan, ledgers[0].trials())
    assert best is not None
    assert sorted(best.clones) == ["a", "b"]
    assert max(best.values) - min(best.values) < 0.01, "a's and b's rates differ by a factor of 0.7"


def history(plan: Plan, *rows: tuple[str, TrialKind, Mapping[str, str]]) -> list[Trial]:
    return [
        Trial(number, Task(kind, settings), outcome_on(clone, settings), float(number), clone)
        for number, (clone, kind, settings) in enumerate(rows)
    ]


def better(plan: Plan, place: float) -> dict[str, str]:
    return Encoder(plan.space).settings([place for _ in plan.space.knobs])


def scene(plan: Plan, clone: str, trials: Sequence[Trial], under_way: Sequence[Task] = (), others=("b",)) -> Scene:
    return Scene(clone, plan.running, trials, under_way, others, plan.lag_bound_ms)


def test_what_was_found_on_one_clone_is_confirmed_by_the_other(plan: Plan):
    plan = replace(plan, seeds=())
    found = better(plan, 0.9)
    trials = history(
        plan,
        ("a", TrialKind.BASELINE, plan.running), ("b", TrialKind.BASELINE, plan.running),
        ("a", TrialKind.SEARCH, found), ("b", TrialKind.SEARCH, better(plan, 0.2)),
        ("a", TrialKind.BASELINE, plan.running),
    )  # fmt: skip

    def decide(seen: list[Trial]) -> Task | None:
        return next_task(plan, seen, anywhere)

    there = next_for(scene(plan, "b", trials, others=["a"]), decide)
    assert there is not None
    assert (there.kind, identity(there.settings)) == (TrialKind.CONFIRM, identity(found))
    here = next_for(scene(plan, "a", trials), decide)
    assert here is not None
    assert here.kind is TrialKind.SEARCH, "left to b"
    alone_again = next_for(scene(plan, "a", trials, others=()), decide)
    assert alone_again is not None
    assert alone_again.kind is TrialKind.CONFIRM, "b is gone"
    twice = [*trials, *history(plan, ("a", TrialKind.CONFIRM, found))]
    second = next_for(scene(plan, "b", twice, others=["a"]), decide)
    assert second is not None
    assert (second.kind, second.fresh, identity(second.settings)) == (TrialKind.CONFIRM, True, identity(found))
    busy = next_for(scene(plan, "b", twice, [second], others=["a"]), decide)
    assert busy is not None
    assert identity(busy.settings) != identity(found)


def test_a_clone_that_only_waits_leaves_confirming_to_those_that_search(plan: Plan, storage: Storage):
    ledgers = {clone: part(plan, storage, clone)[0] for clone in "ab"}
    for clone in ("a", "b", "a"):
        run_one(replace(plan, trials=24), ledgers[clone])
    assert not ledgers["b"].take(lambda seen: None, lambda: False), "nothing is under way either"
    number, task = take(plan, ledgers["a"])
    assert task.kind is TrialKind.CONFIRM, "nobody else is there to do it"
    assert ledgers["a"].end(Trial(number, task, outcome_on("a", task.settings), 5.0, "a"))
    assert take(plan, ledgers["b"])[1].kind is TrialKind.CONFIRM, "it searches again, so it confirms what a found"


def test_a_fault_is_repeated_by_one_clone_only(plan: Plan):
    trials = history(plan, ("a", TrialKind.BASELINE, plan.running), ("a", TrialKind.SEED, plan.seeds[0]))
    trials[-1] = replace(trials[-1], outcome=Outcome(fault="connection lost"))

    def decide(seen: list[Trial]) -> Task | None:
        return next_task(plan, seen, anywhere)

    again = next_for(scene(plan, "a", trials), decide)
    assert again is not None
    assert again.retry_of == 1
    repeated = next_for(replace(scene(plan, "a", trials, [again]), repeated=frozenset({1})), decide)
    assert repeated is not None
    assert repeated.retry_of is None
    assert identity(repeated.settings) != identity(again.settings)


def test_what_is_under_way_is_counted_but_nothing_is_built_on_it(plan: Plan):
    trials = history(plan, ("a", TrialKind.BASELINE, plan.running), ("b", TrialKind.BASELINE, plan.running))
    searching = Task(TrialKind.SEARCH, better(plan, 0.9))
    seen = as_seen(scene(plan, "a", trials, [searching]))
    assert [one.clone for one in seen][-1] == "a", "what is in force here comes last"
    assert len(seen) == 3
    found = {identity(one.settings): one for one in candidates(tried(seen, plan.lag_bound_ms))}
    assert not found[identity(searching.settings)].keeps_bounds
    assert found[identity(plan.running)].values == found[identity(plan.running)].values[:2]


def test_the_trial_of_a_dead_controller_is_run_again_once(plan: Plan, storage: Storage):
    dead, inner, _ = part(plan, storage, "a", beat=0.01)
    run_one(plan, dead)
    number, task = take(plan, dead)
    time.sleep(0.1)  # nothing is heard of it: its heart was never started
    alive, _, told = part(plan, storage, "b", beat=0.01)
    taken = take(plan, alive)
    assert (taken[1].retry_of, identity(taken[1].settings)) == (number, identity(task.settings))
    assert any("its controller is gone" in line for line in told)
    third, _, _ = part(plan, storage, "c", beat=60.0)
    assert take(plan, third)[1].retry_of is None, "b runs it"
    late = Trial(number, task, outcome_on("a", task.settings), 3.0, "a")
    assert not dead.end(late), "what a controller says that was taken for dead counts for nothing"
    assert [one.number for one in alive.trials()] == [0]
    assert not inner.open_trials


def test_a_controller_that_comes_back_repeats_what_it_left_open_at_once(plan: Plan, storage: Storage):
    first, _, _ = part(plan, storage, "a")
    run_one(plan, first)
    number, task = take(plan, first)
    again, _, _ = part(plan, storage, "a")
    taken = take(plan, again)
    assert (taken[1].retry_of, identity(taken[1].settings)) == (number, identity(task.settings))


def test_who_leaves_gives_its_trial_back_and_another_takes_it_at_once(plan: Plan, storage: Storage):
    leaving, _, _ = part(plan, storage, "a")
    run_one(plan, leaving)
    number, _ = take(plan, leaving)
    leaving.leave(Doing.LEFT)
    staying, _, told = part(plan, storage, "b")
    assert take(plan, staying)[1].retry_of == number
    assert told == []


def test_a_kill_after_the_outcome_is_written_counts_the_trial_once(plan: Plan, storage: Storage, monkeypatch):
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


def test_a_kill_between_giving_up_and_repeating_loses_nothing(plan: Plan, storage: Storage):
    _, inner, _ = part(plan, storage, "a")
    number = inner.begin(Task(TrialKind.SEED, plan.seeds[0]))
    _, other, _ = part(plan, storage, "b")
    assert other.close_dead(lambda clone: True) == [number]
    _, third, _ = part(plan, storage, "c")
    assert [task.retry_of for task in third.waiting()] == [number]
    third.begin(third.waiting()[0])
    assert third.waiting() == []


def test_what_three_controllers_died_of_is_not_tried_again(plan: Plan, storage: Storage):
    plan = replace(plan, seeds=(better(plan, 0.5),))
    for clone in ("a", "b", "c"):
        dying, _, _ = part(plan, storage, clone, beat=0.01)
        if not dying.trials():
            run_one(plan, dying)
        task = take(plan, dying)[1]
        assert identity(task.settings) == identity(plan.seeds[0])
        time.sleep(0.1)
    last, _, _ = part(plan, storage, "d", beat=0.01)
    task = take(plan, last)[1]
    assert identity(task.settings) != identity(plan.seeds[0])
    refused = [one for one in last.trials() if one.outcome.infeasible]
    assert [(identity(one.task.settings), one.outcome.infeasible) for one in refused] == [
        (identity(plan.seeds[0]), "3 controllers ended while it was tried")
    ]


def test_one_controller_proves_the_answer_and_another_when_that_one_died(plan: Plan, storage: Storage):
    first, second = (part(plan, storage, clone, beat=0.1)[0] for clone in "ab")
    assert first.claim_proof(lambda: True) == (False, ""), "it was told to stop"
    assert first.claim_proof(lambda: False) == (True, "")
    assert second.claim_proof(lambda: False) == (False, "a")
    time.sleep(0.5)
    assert second.claim_proof(lambda: False) == (True, ""), "nothing is heard of a"
    second.leave(Doing.PROVED)
    time.sleep(0.5)
    third, _, _ = part(plan, storage, "c", beat=0.1)
    assert third.claim_proof(lambda: False) == (False, "b"), "it is proved, for good"


def test_the_heart_beats_from_a_thread_while_a_trial_runs(plan: Plan, storage: Storage):
    inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, "a")
    inner.study.set_user_attr(BEAT_KEY, 0.2)
    presence, watching = (Presence(storage, inner.study, clone, clone) for clone in "ab")
    presence.begin()
    began = watching.others()[0].heard
    time.sleep(1.2)
    found = watching.others()[0]
    assert found.alive
    assert found.heard > began
    presence.end(Doing.LEFT)
    assert [(one.alive, one.doing) for one in watching.others()] == [(False, Doing.LEFT)]


def test_only_one_at_a_time_has_the_turn(storage: Storage, monkeypatch):
    monkeypatch.setattr("advisor.tune.turns.LOCK_SECONDS", 0.3)
    with alone(storage, STUDY) as still:
        assert still()
        with pytest.raises(ServerError, match="another controller decides"), alone(storage, STUDY):
            pass
    with alone(storage, STUDY):
        pass


def test_a_storage_that_is_away_for_a_while_is_waited_for(monkeypatch):
    monkeypatch.setattr("advisor.tune.storage._AGAIN_SECONDS", 0.01)
    answers = iter((ServerError("away"), ServerError("away")))

    def ask() -> str:
        for error in answers:
            raise error
        return "here"

    assert patiently("x", ask) == "here"
    with pytest.raises(ServerError, match="gone"):
        patiently("x", lambda: (_ for _ in ()).throw(ServerError("gone")), seconds=0.0)


def test_drift_and_level_are_each_clones_own(plan: Plan):
    trials = []
    for number in range(12):
        for clone, tilt in (("a", 0.01), ("b", -0.02)):
            windows = (1000.0 * LEVELS[clone] * math.exp(tilt * number),) * 6
            task = Task(TrialKind.BASELINE, plan.running)
            trials.append(
                Trial(len(trials), task, Outcome(windows=windows, lag_ms=1.0, backlog_slope=0.0), number, clone)
            )
    values = [one.value for one in tried(trials, plan.lag_bound_ms) if one.value is not None]
    assert max(values) - min(values) < 0.02
    alone_values = [one.value for one in tried(trials[::2], plan.lag_bound_ms) if one.value is not None]
    assert sum(alone_values) / 12 == pytest.approx(math.log(1000.0) + 0.055, abs=0.001), "one clone keeps its level"


def test_a_trial_ends_early_against_what_this_clone_measured_never_against_anothers(plan: Plan):
    found = better(plan, 0.9)
    trials = history(
        plan, ("a", TrialKind.BASELINE, plan.running), ("b", TrialKind.BASELINE, plan.running),
        ("a", TrialKind.SEARCH, found), ("a", TrialKind.CONFIRM, found),
    )  # fmt: skip
    slow = tuple(rate * 0.8 for rate in trials[-1].outcome.windows)
    task = Task(TrialKind.SEARCH, better(plan, 0.7))
    assert watch_for(plan, trials, task, "a")(slow)
    assert not watch_for(plan, trials, task, "b")(slow)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql://u:secret@host/db", "holds a password"),
        ("mysql://host/", "names no database"),
        ("oracle://host/db", "names no database"),
        ("mysql://host:99999/db", "the port is no number"),
        ("mysql://host/db?password=secret", "names no database"),
        ("sqlite://", "names no database"),
        ("night.db", "names no database"),
    ],
)
def test_an_address_that_cannot_be_is_refused_without_repeating_a_password(text: str, said: str):
    with pytest.raises(UsageError, match=said) as told:
        parse_storage(text)
    assert "secret" not in str(told.value)


def test_addresses_are_shown_as_they_can_be_given_again():
    for text in (
        "mysql://root@db9.example:3307/advisor",
        "mysql://root@localhost:3306/advisor?socket=/run/m.sock",
        "postgresql://tuner@db9.example:5432/advisor",
        "sqlite:////var/lib/advisor/night.db",
    ):
        place = parse_storage(text)
        assert shown(place) == text
        assert parse_storage(shown(place)) == place


def test_a_storage_in_a_folder_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="no such folder"):
        open_storage(f"sqlite:///{tmp_path}/nowhere/x.db", environment={})


def test_the_time_of_a_file_is_this_machines(storage: Storage):
    assert now(storage) == pytest.approx(time.time(), abs=5.0)


PROGRAM = """
import json, sys, time
from pathlib import Path
from tests.tune.test_joining import controller
controller(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
"""


def controller(file: str, clone: str, seconds: float, dies: str) -> None:
    """A program of its own: searches with trials of some milliseconds; told to, it kills itself in its fourth."""
    from advisor.catalog import parse_release
    from advisor.tune.spaces import load_space
    from tests.tune.conftest import MACHINE

    space = load_space("async_mysql", parse_release("mysql-9.7.4")[-1], MACHINE)
    encoder = Encoder(space)
    running, advice = (encoder.settings([place for _ in space.knobs]) for place in (0.1, 0.5))
    plan = Plan(space, running, (advice,), lag_bound_ms=1000.0, trials=30)
    storage = open_storage(f"sqlite:///{file}", environment={})
    with alone(storage, STUDY):
        inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, clone)
    inner.study.set_user_attr(BEAT_KEY, 1.0)
    presence = Presence(storage, inner.study, clone, clone)
    presence.begin()

    class Quick:
        ran = 0

        def run(self, task: Task, watch) -> Outcome:
            self.ran += 1
            time.sleep(seconds)
            if dies and self.ran == 4:
                os.kill(os.getpid(), signal.SIGKILL)
            return outcome_on(clone, task.settings, self.ran)

    ledger = SharedLedger(inner, storage, presence, lambda line: None)
    run_study(plan, Quick(), ledger, anywhere)
    ledger.leave(Doing.LEFT)


def test_programs_on_one_file_share_the_trials_and_take_up_what_a_killed_one_left(plan: Plan, tmp_path: Path):
    file = tmp_path / "shared.db"
    open_storage(f"sqlite:///{file}", environment={}).close()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    started = {
        clone: subprocess.Popen([sys.executable, "-c", PROGRAM, str(file), clone, "0.05", dies], env=environment)
        for clone, dies in (("a", ""), ("b", "dies"))
    }
    codes = {clone: process.wait(timeout=120) for clone, process in started.items()}
    assert codes == {"a": 0, "b": -signal.SIGKILL}
    storage = open_storage(f"sqlite:///{file}", environment={})
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
