"""Where are trials kept? In an Optuna study: a SQLite file or any database it knows, so that nothing dies with us.

What Optuna 5 would do by itself and does not suit us is done here: heartbeats are recorded by us (ask and tell record
none), a configuration that cannot be used is COMPLETE with the worst value and every constraint (as FAIL it would be
proposed again and again), an infrastructure fault is FAIL. The settings as applied and the windows are user attributes
and are the truth; parameters exist for dashboards and importance.
"""

from __future__ import annotations

import json
import time
import warnings
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import InputError, UsageError
from advisor.model.record import field, record
from advisor.model.tuning import Knob, Outcome, SearchSpace, Settings, Task, Trial, TrialKind
from advisor.tune.encoding import encode
from advisor.tune.scoring import score

if TYPE_CHECKING:
    import optuna

HEARTBEAT_SECONDS: Final = 60
_WORST: Final = -5.0  # log rate when nothing was measured yet: below one transaction in two minutes


@record
class OptunaLedger:
    """A `Ledger` on a study. `open_trials` are those asked and not told by this process, by number.

    `shared`: other programs work on the study too; then only trials whose heart stopped are unfinished."""

    study: optuna.Study
    space: SearchSpace
    running: Settings
    lag_bound_ms: float
    shared: bool = False
    open_trials: dict[int, Any] = field(default_factory=dict)

    def begin(self, task: Task) -> int:
        """Note that a task is being run; its number. One transaction: `ask` would take one for every knob."""
        import optuna

        asked = optuna.trial.create_trial(
            state=optuna.trial.TrialState.RUNNING,
            params=_parameters(self.space, task.settings),
            distributions=_distributions(self.space),
            user_attrs={"task": json.dumps(vars(task)), "kind": str(task.kind)},
        )
        trial_id = self.study._storage.create_new_trial(self.study._study_id, template_trial=asked)
        trial = optuna.trial.Trial(self.study, trial_id)
        self.open_trials[trial.number] = trial
        self.beat()
        return trial.number

    def beat(self) -> None:
        """Say that the open trials are alive; to be called every `HEARTBEAT_SECONDS` while a trial runs."""
        storage = self.study._storage
        for trial in self.open_trials.values():
            storage.record_heartbeat(trial._trial_id) if hasattr(storage, "record_heartbeat") else None

    def end(self, trial: Trial) -> None:
        """Note what came of it."""
        import optuna

        told = self.open_trials.pop(trial.number)
        told.set_user_attr("outcome", json.dumps(vars(trial.outcome)))
        told.set_user_attr("at_seconds", trial.at_seconds)
        if trial.outcome.fault:
            self.study.tell(told, state=optuna.trial.TrialState.FAIL)
            return
        found = score(trial.outcome, self.lag_bound_ms)
        for name, bound in found.constraints.items():
            told.set_constraint(name, bound)
        self.study.tell(told, found.value if found.value is not None else self._worst())

    def trials(self) -> list[Trial]:
        """All that ended, in order; faults included."""
        ended = [trial for trial in self.study.get_trials(deepcopy=False) if "outcome" in trial.user_attrs]
        return [
            Trial(trial.number, _task(trial), _outcome(trial.user_attrs["outcome"]), trial.user_attrs["at_seconds"])
            for trial in ended
        ]

    def unfinished(self) -> list[Task]:
        """Tasks begun by a program that died, to be run again; they are FAIL from now on."""
        import optuna

        running = self.study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,))
        tasks = []
        storage: Any = self.study._storage
        stale = set(storage._get_stale_trial_ids(self.study._study_id)) if self.shared else None
        for trial in running:
            if stale is not None and trial._trial_id not in stale:
                continue
            if trial.number not in self.open_trials and "task" in trial.user_attrs:
                self.study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
                task = _task(trial)
                tasks.append(Task(task.kind, task.settings, True, trial.number))
        return tasks

    def _worst(self) -> float:
        values = [trial.value for trial in self.study.get_trials(deepcopy=False) if trial.value is not None]
        return min(values, default=_WORST)


def open_ledger(
    storage: str, name: str, space: SearchSpace, running: Settings, lag_bound_ms: float, shared: bool = False
) -> OptunaLedger:
    """The study of a name in a storage ("sqlite:///night.db"), begun when it is not there.

    UsageError when Optuna is not installed, InputError when the storage cannot be used or holds a study of other knobs.
    """
    try:
        import optuna
    except ImportError:
        raise UsageError("tuning needs Optuna", hint="pip install 'advisor[tune]'") from None
    import sqlalchemy.exc

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # heartbeats are, since 2.5
            backend = optuna.storages.RDBStorage(storage, heartbeat_interval=HEARTBEAT_SECONDS) if storage else None
        study = optuna.create_study(
            study_name=name,
            storage=backend,
            direction="maximize",
            load_if_exists=True,
            sampler=optuna.samplers.RandomSampler(),  # never asked: what is tried is decided elsewhere
        )
    except (sqlalchemy.exc.SQLAlchemyError, optuna.exceptions.StorageInternalError, ModuleNotFoundError) as error:
        raise InputError(f"the storage cannot be used: {str(error).splitlines()[0]}", file=_shown(storage)) from None
    knobs = [knob.name for knob in space.knobs]
    if study.user_attrs.setdefault("knobs", knobs) != knobs:
        raise InputError(f"the study {name!r} is about other knobs", file=_shown(storage), hint="give another name")
    study.set_user_attr("knobs", knobs)
    study.set_user_attr("began", study.user_attrs.get("began") or time.time())
    return OptunaLedger(study, space, dict(running), lag_bound_ms, shared)


def _shown(storage: str) -> str:
    """A storage without the password that its address may hold."""
    scheme, slashes, rest = storage.partition("://")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"


def _parameters(space: SearchSpace, settings: Settings) -> dict[str, Any]:
    """Words for choices, coordinates for ranges: a running value outside the range must not be drawn anew by Optuna."""
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
