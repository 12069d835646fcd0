"""What tests of several participants on one study share: a plan, parts in it, and trials that cost nothing."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from advisor.model.tuning import Outcome, SearchSpace, Task, Trial, TrialKind
from advisor.tune.distributed.coordination import SharedView
from advisor.tune.distributed.heartbeat import BEAT_KEY, Activity, Heartbeat
from advisor.tune.distributed.shared_ledger import SharedLedger
from advisor.tune.search.optuna_ledger import OptunaLedger, open_ledger
from advisor.tune.search.policy import StudyPlan, next_task
from advisor.tune.space.encoding import Encoder
from advisor.tune.state.database import Storage

STUDY = "night"
LEVELS = {"a": 1.0, "b": 0.7}  # b is a slower machine


def plan_for(space: SearchSpace, trials: int = 24) -> StudyPlan:
    """A study with one seed."""
    encoder = Encoder(space)
    running, advice = (encoder.settings([place for _ in space.knobs]) for place in (0.1, 0.5))
    return StudyPlan(space, running, (advice,), lag_bound_ms=1000.0, trials=trials)


def anywhere(space, history, running, ratio, dice: random.Random):
    """The simplest way to propose: a new point by chance."""
    return Encoder(space).settings([dice.random() for _ in space.knobs])


def outcome_on(clone: str, settings: Mapping[str, str], number: int = 0) -> Outcome:
    """As measured on a clone; the rate grows with the redo log."""
    rate = LEVELS[clone] * (1000.0 + math.log(float(settings["innodb_redo_log_capacity"])) * 100 + number % 3)
    return Outcome(windows=(rate,) * 6, lag_ms=100.0, backlog_slope=0.0, seconds=10.0)


def part(
    plan: StudyPlan, storage: Storage, clone: str, beat: float = 60.0
) -> tuple[SharedLedger, OptunaLedger, list[str]]:
    """A participant's part in the study, what it keeps trials in, and what it says."""
    inner = open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms, clone)
    inner.study.set_user_attr(BEAT_KEY, beat)
    heartbeat, told = Heartbeat(storage, inner.study, clone, clone), list[str]()
    heartbeat.say(Activity.SEARCHING)
    return SharedLedger(inner, storage, heartbeat, told.append), inner, told


def take(plan: StudyPlan, ledger: SharedLedger) -> tuple[int, Task]:
    """The next task of a participant, begun."""
    found = ledger.take(lambda seen: next_task(plan, seen, anywhere), lambda: False)
    assert found is not None
    return found


def run_one(plan: StudyPlan, ledger: SharedLedger) -> Trial:
    """The next trial of a participant, to its end."""
    number, task = take(plan, ledger)
    at = float(len(ledger.trials()))
    trial = Trial(number, task, outcome_on(ledger.clone, task.settings, number), at, ledger.clone)
    assert ledger.end(trial)
    return trial


def history(plan: StudyPlan, *rows: tuple[str, TrialKind, Mapping[str, str]]) -> list[Trial]:
    """Trials as they were measured on clones."""
    return [
        Trial(number, Task(kind, settings), outcome_on(clone, settings), float(number), clone)
        for number, (clone, kind, settings) in enumerate(rows)
    ]


def better(plan: StudyPlan, place: float) -> dict[str, str]:
    """Every knob at one place of its range, 0 to 1."""
    return Encoder(plan.space).settings([place for _ in plan.space.knobs])


def view(
    plan: StudyPlan, clone: str, trials: Sequence[Trial], under_way: Sequence[Task] = (), others=("b",)
) -> SharedView:
    """What a clone decides on."""
    return SharedView(clone, plan.running, trials, under_way, others, plan.lag_bound_ms)
