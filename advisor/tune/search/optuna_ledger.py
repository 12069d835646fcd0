"""Where are trials kept? In an Optuna study: a SQLite file or any database it knows; a killed process loses nothing.

Where Optuna 5 would decide otherwise: a configuration that cannot be used is COMPLETE with the worst value and every
constraint (as FAIL it would be proposed again and again), an infrastructure fault is FAIL. The settings as applied and
the windows are user attributes and are the truth; parameters exist for dashboards and importance.

A trial counts from the moment its outcome is written, which is one statement. One without an outcome that nobody runs
any more is FAIL, and its task waits until another trial repeats it: a kill at any moment loses nothing and repeats
nothing twice. Optuna's `RetryHeartbeatStaleTrialCallback` does not serve: it is called inside `Study.optimize` alone,
and repeats parameters, not why they are tried, whether after a restart, and how often they were given up.

Private names of Optuna are used in this module alone; tests/tune/state/test_optuna_internals.py watches them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import InputError, UsageError
from advisor.model.record import field, record
from advisor.model.tuning import Decide, Knob, Outcome, SearchSpace, Settings, Task, Trial, TrialKind
from advisor.tune.search.scoring import score
from advisor.tune.space.encoding import encode
from advisor.tune.state.database import Storage

if TYPE_CHECKING:
    import optuna

_WORST: Final = -5.0  # log rate when nothing was measured yet: below one transaction in two minutes


@record
class OptunaLedger:
    """A `Ledger` on a study. `open_trials` are those that this process has begun and not ended, by number."""

    study: optuna.Study
    space: SearchSpace
    running: Settings
    lag_bound_ms: float
    clone: str = ""
    open_trials: dict[int, Any] = field(default_factory=dict)

    def take(self, decide: Decide, stop: Callable[[], bool]) -> tuple[int, Task] | None:
        """What is run next, and its number."""
        self.close_dead(lambda clone: True)
        task = next(iter(self.waiting()), None) or decide(self.trials())
        return (self.begin(task), task) if task else None

    def begin(self, task: Task) -> int:
        """Note that a task is being run; its number. One transaction: `ask` would take one for every knob."""
        import optuna

        asked = optuna.trial.create_trial(
            state=optuna.trial.TrialState.RUNNING,
            params=_parameters(self.space, task.settings),
            distributions=_distributions(self.space),
            user_attrs={"task": json.dumps(vars(task)), "kind": str(task.kind), "clone": self.clone},
        )
        trial_id = self.study._storage.create_new_trial(self.study._study_id, template_trial=asked)
        trial = optuna.trial.Trial(self.study, trial_id)
        self.open_trials[trial.number] = trial
        return trial.number

    def end(self, trial: Trial) -> bool:
        """Note the outcome, once however often it is called. False when another process has closed the trial."""
        open_trial, outcome_text = self.open_trials[trial.number], json.dumps(vars(trial.outcome))
        stored = self.study._storage.get_trial(open_trial._trial_id)
        if not stored.state.is_finished():
            open_trial.set_user_attr("at_seconds", trial.at_seconds)
            if not trial.outcome.fault:
                for name, excess in score(trial.outcome, self.lag_bound_ms).constraints.items():
                    if name not in open_trial.constraints:
                        open_trial.set_constraint(name, excess)
            open_trial.set_user_attr("outcome", outcome_text)  # last: from here on it counts
            self._close(trial.number, trial.outcome)
        del self.open_trials[trial.number]
        return not stored.state.is_finished() or stored.user_attrs.get("outcome") == outcome_text

    def _close(self, number: int, outcome: Outcome) -> None:
        import optuna

        if outcome.fault:
            self.study.tell(number, state=optuna.trial.TrialState.FAIL)
            return
        value = score(outcome, self.lag_bound_ms).value
        self.study.tell(number, value if value is not None else self._worst())

    def trials(self) -> list[Trial]:
        """All that ended, in order; faults included."""
        ended = [trial for trial in self.study.get_trials(deepcopy=False) if "outcome" in trial.user_attrs]
        return [
            Trial(
                trial.number,
                _task(trial),
                _outcome(trial.user_attrs["outcome"]),
                trial.user_attrs["at_seconds"],
                trial.user_attrs.get("clone", ""),
            )
            for trial in ended
        ]

    def under_way(self) -> list[tuple[str, Task]]:
        """What other clones run now, and which clone."""
        running = [trial for trial in self._open() if "outcome" not in trial.user_attrs]
        return [(trial.user_attrs.get("clone", ""), _task(trial)) for trial in running]

    def close_dead(self, dead: Callable[[str], bool]) -> list[int]:
        """End the trials of participants that are gone; the numbers of those that have no outcome."""
        import optuna

        lost = []
        for trial in self._open():
            if not dead(trial.user_attrs.get("clone", "")):
                continue
            if "outcome" in trial.user_attrs:
                self._close(trial.number, _outcome(trial.user_attrs["outcome"]))
                continue
            self.study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
            lost.append(trial.number)
        return lost

    def _open(self) -> list[optuna.trial.FrozenTrial]:
        """Begun by other processes and not ended."""
        import optuna

        running = self.study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,))
        return [trial for trial in running if trial.number not in self.open_trials and "task" in trial.user_attrs]

    def waiting(self) -> list[Task]:
        """Tasks of processes that ended before there was an outcome, and that nobody repeated yet."""
        tasks = {trial.number: trial for trial in self.study.get_trials(deepcopy=False) if "task" in trial.user_attrs}
        repeated = self.repeated()
        return [
            Task(task.kind, task.settings, True, number)
            for number, trial in tasks.items()
            if trial.state.is_finished() and "outcome" not in trial.user_attrs and number not in repeated
            for task in (_task(trial),)
        ]

    def repeated(self) -> frozenset[int]:
        """The numbers of trials that some trial repeats, whether it ended or not."""
        numbers = [
            _task(trial).retry_of for trial in self.study.get_trials(deepcopy=False) if "task" in trial.user_attrs
        ]
        return frozenset(number for number in numbers if number is not None)

    def given_up(self, task: Task) -> int:
        """How often a task was begun, one repeat after the other, by processes that ended before its outcome."""
        tasks = {trial.number: trial for trial in self.study.get_trials(deepcopy=False) if "task" in trial.user_attrs}
        count, number = 0, task.retry_of
        while number is not None and "outcome" not in tasks[number].user_attrs:
            count += "given_back" not in tasks[number].user_attrs
            number = _task(tasks[number]).retry_of
        return count

    def give_back(self) -> None:
        """Leave what this process has begun to others."""
        import optuna

        for number, trial in list(self.open_trials.items()):
            trial.set_user_attr("given_back", True)
            self.study.tell(number, state=optuna.trial.TrialState.FAIL, skip_if_finished=True)
            del self.open_trials[number]

    def _worst(self) -> float:
        values = [trial.value for trial in self.study.get_trials(deepcopy=False) if trial.value is not None]
        return min(values, default=_WORST)


def open_ledger(
    storage: str | Storage, name: str, space: SearchSpace, running: Settings, lag_bound_ms: float, clone: str = ""
) -> OptunaLedger:
    """The study of a name in a storage (an open one, or "sqlite:///study.db"), created if need be.

    UsageError when Optuna is not installed, InputError when the storage cannot be used or holds a study of other knobs.
    """
    try:
        import optuna
    except ImportError:
        raise UsageError("tuning needs Optuna", hint="pip install 'advisor[tune]'") from None
    import sqlalchemy.exc

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        backend = storage.backend if isinstance(storage, Storage) else storage or None
        study = optuna.create_study(
            study_name=name,
            storage=backend,
            direction="maximize",
            load_if_exists=True,
            sampler=optuna.samplers.RandomSampler(),  # never used: `policy` decides what is tried
        )
    except (sqlalchemy.exc.SQLAlchemyError, optuna.exceptions.StorageInternalError, ModuleNotFoundError) as error:
        raise InputError(f"cannot use the storage: {str(error).splitlines()[0]}", file=_shown(storage)) from None
    knobs = [knob.name for knob in space.knobs]
    if study.user_attrs.setdefault("knobs", knobs) != knobs:
        raise InputError(
            f"the study {name!r} was created with different knobs",
            file=_shown(storage),
            hint="choose a different study name",
        )
    study.set_user_attr("knobs", knobs)
    study.set_user_attr("began", study.user_attrs.get("began") or time.time())
    return OptunaLedger(study, space, dict(running), lag_bound_ms, clone)


def _shown(storage: str | Storage) -> str:
    """A storage without the password that its address may hold."""
    if isinstance(storage, Storage):
        return storage.url
    scheme, slashes, rest = storage.partition("://")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"


def _parameters(space: SearchSpace, settings: Settings) -> dict[str, Any]:
    """Words for choices, coordinates for ranges: Optuna must not draw a running value outside the range again."""
    return {
        knob.name: _word(knob, settings[knob.name]) if knob.choices else encode(knob, settings[knob.name])
        for knob in space.knobs
    }


def _word(knob: Knob, text: str) -> str:
    return next((choice for choice in knob.choices if choice.lower() == text.lower()), "other")


def _distributions(space: SearchSpace) -> dict[str, Any]:
    from optuna.distributions import CategoricalDistribution, FloatDistribution

    return {
        knob.name: CategoricalDistribution([*knob.choices, "other"]) if knob.choices else FloatDistribution(0.0, 1.0)
        for knob in space.knobs
    }


def _task(trial: optuna.trial.FrozenTrial) -> Task:
    row = json.loads(trial.user_attrs["task"])
    return Task(TrialKind(row["kind"]), row["settings"], row["fresh"], row["retry_of"])


def _outcome(text: str) -> Outcome:
    row = json.loads(text)
    return Outcome(**{**row, "windows": tuple(row["windows"])})
