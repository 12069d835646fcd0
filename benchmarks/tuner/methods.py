"""The ways of tuning that are compared. Each runs trials on a rehearsal and says what it would ship after each of them.

All but ours measure the running configuration first, never repeat a measurement, know no rules, and ship the best that
was observed inside the bound. Failed configurations are told with the worst value and the constraints.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from advisor.model.tuning import EndEarly, Outcome, SearchSpace, Settings, Task, Trial, TrialKind
from advisor.tune.search.acquisition import propose
from advisor.tune.search.policy import StudyPlan, answer, next_task
from advisor.tune.search.scoring import BACKLOG, GROWTH, LAG, START, log_rate
from advisor.tune.space.encoding import Encoder


class Ground(Protocol):
    """What is tuned: where it starts, what is advised, the limit of the lag."""

    space: SearchSpace

    @property
    def start(self) -> Settings: ...
    @property
    def advice(self) -> Settings: ...
    @property
    def lag_bound_ms(self) -> float: ...


class Runs(Protocol):
    """Where trials run; `seconds` is its clock."""

    seconds: float

    def run(self, task: Task, end_early: EndEarly) -> Outcome: ...


Shipped = Mapping[str, str] | None
Method = Callable[[Ground, Runs, int, int], Iterator[Shipped]]


def ours(on: Ground, env: Runs, trials: int, seed: int) -> Iterator[Shipped]:
    """`advisor tune` as it is: rules, initial configurations from advice, own search, confirmations."""
    bound = on.lag_bound_ms
    plan = StudyPlan(on.space, on.start, (on.advice,), bound, trials, seed)
    done: list[Trial] = []
    while (task := next_task(plan, done, propose)) is not None:
        done.append(Trial(len(done), task, env.run(task, lambda windows: False), env.seconds))
        best = answer(plan, done)
        yield best.settings if best.feasible else None


def rules_only(on: Ground, env: Runs, trials: int, seed: int) -> Iterator[Shipped]:
    """Apply what is advised and measure nothing."""
    for _ in range(trials):
        yield on.advice


def one_knob(on: Ground, env: Runs, trials: int, seed: int) -> Iterator[Shipped]:
    """Knob after knob, three other values each, keeping what is better: what people do by hand."""
    record = _Record(on, env)
    now = dict(on.start)
    best = record.run(now)
    yield record.shipped
    encoder = Encoder(on.space)
    while True:
        for knob in on.space.knobs:
            for place in (0.25, 0.6, 0.95):
                other = encoder.settle({**now, knob.name: _at(encoder, knob.name, place)})
                if other == now:
                    continue
                found = record.run(other)
                yield record.shipped
                if found > best:
                    now, best = other, found


def _at(encoder: Encoder, name: str, place: float) -> str:
    from advisor.tune.space.encoding import decode

    return next(decode(knob, place) for knob in encoder.space.knobs if knob.name == name)


def chance(on: Ground, env: Runs, trials: int, seed: int) -> Iterator[Shipped]:
    """Random points of the space."""
    dice, record, encoder = random.Random(f"chance {seed}"), _Record(on, env), Encoder(on.space)
    record.run(on.start)
    yield record.shipped
    while True:
        record.run(encoder.settings([dice.random() for _ in on.space.knobs]))
        yield record.shipped


def tpe(on: Ground, env: Runs, trials: int, seed: int) -> Iterator[Shipped]:
    """Optuna's TPE with its defaults, integers and words as they are."""
    import optuna

    return _optuna(on, env, optuna.samplers.TPESampler(seed=seed), floats=False)


def gp(on: Ground, env: Runs, trials: int, seed: int) -> Iterator[Shipped]:
    """Optuna's GPSampler with its defaults (needs torch), on floats: integers cost it a hundred times as much."""
    import optuna

    return _optuna(on, env, optuna.samplers.GPSampler(seed=seed, deterministic_objective=False), floats=True)


METHODS: dict[str, Method] = {
    "ours": ours, "rules only": rules_only, "one knob": one_knob, "random": chance, "TPE": tpe, "GP": gp,
}  # fmt: skip


class _Record:
    """Runs settings and remembers the best observed inside the bound."""

    def __init__(self, on: Ground, env: Runs) -> None:
        self.on, self.env = on, env
        self.shipped: Shipped = None
        self.best = -math.inf

    def measure(self, settings: Mapping[str, str]) -> Outcome:
        """Run and remember."""
        outcome = self.env.run(Task(TrialKind.SEARCH, settings), lambda windows: False)
        if _inside(outcome, self.on.lag_bound_ms) and log_rate(outcome.windows) > self.best:
            self.best, self.shipped = log_rate(outcome.windows), settings
        return outcome

    def run(self, settings: Mapping[str, str]) -> float:
        """Run and remember; the log rate, far less where it failed or a bound was broken."""
        outcome = self.measure(settings)
        if outcome.infeasible:
            return -100.0
        return log_rate(outcome.windows) - (0.0 if _inside(outcome, self.on.lag_bound_ms) else 50.0)


def _inside(outcome: Outcome, bound_ms: float) -> bool:
    return not outcome.infeasible and (outcome.lag_ms or 0.0) <= bound_ms and (outcome.backlog_slope or 0.0) <= GROWTH


def _optuna(on: Ground, env: Runs, sampler: Any, floats: bool) -> Iterator[Shipped]:
    import warnings

    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore")
    study = optuna.create_study(direction="maximize", sampler=sampler)
    record, encoder, worst = _Record(on, env), Encoder(on.space), 0.0
    first = True
    while True:
        if first:
            study.enqueue_trial(_parameters(on, on.start, floats))
        trial = study.ask()
        settings = _suggested(on, encoder, trial, floats)
        outcome = record.measure(on.start if first else settings)
        first = False
        value = worst if outcome.infeasible else log_rate(outcome.windows)
        worst = min(worst, value) if worst else value
        lag = 3.0 if outcome.infeasible else math.log(max(outcome.lag_ms or 1e-3, 1e-3) / on.lag_bound_ms)
        trial.set_constraint(LAG, max(-3.0, min(3.0, lag)))
        trial.set_constraint(
            BACKLOG, 3.0 if outcome.infeasible else min(3.0, 100.0 * ((outcome.backlog_slope or 0.0) - GROWTH))
        )
        trial.set_constraint(START, 1.0 if outcome.infeasible else -1.0)
        study.tell(trial, value)
        yield record.shipped


def _parameters(on: Ground, settings: Mapping[str, str], floats: bool) -> dict[str, Any]:
    """The running configuration as parameters, cut to the ranges."""
    from advisor.tune.space.encoding import encode

    point = {knob.name: encode(knob, settings[knob.name]) for knob in on.space.knobs}
    if floats:
        return {knob.name: settings[knob.name] if knob.choices else point[knob.name] for knob in on.space.knobs}
    return {
        knob.name: settings[knob.name] if knob.choices else min(max(float(settings[knob.name]), knob.low), knob.high)
        if knob.step != int(knob.step) else int(min(max(float(settings[knob.name]), knob.low), knob.high))
        for knob in on.space.knobs
    }  # fmt: skip


def _suggested(on: Ground, encoder: Encoder, trial: Any, floats: bool) -> dict[str, str]:
    from advisor.tune.space.encoding import as_text, decode

    settings = {}
    for knob in on.space.knobs:
        if knob.choices:
            settings[knob.name] = trial.suggest_categorical(knob.name, list(knob.choices))
        elif floats:
            settings[knob.name] = decode(knob, trial.suggest_float(knob.name, 0.0, 1.0))
        else:
            low = 0.0 if knob.special and knob.scale == "linear" else knob.low
            log = knob.scale == "log"
            value = (
                trial.suggest_int(knob.name, max(1, int(low)) if log else int(low), int(knob.high), log=log)
                if knob.step == int(knob.step)
                else trial.suggest_float(knob.name, low, knob.high, log=log)
            )
            settings[knob.name] = as_text(min(max(round(value / knob.step) * knob.step, low), knob.high), knob.step)
    return encoder.settle(settings)
