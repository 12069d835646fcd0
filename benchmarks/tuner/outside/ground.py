"""What would a configuration that nobody measured have given? Trees fitted to a task's pooled histories say.

A forest predicts the log of the rate of what ran. Whether a configuration fails is said by one tree that gives every
measured row its true outcome; each seed has another. The vote of a forest will not do: where failures are rare, or
nobody knows their cause, half of the trees never agree, and a lower threshold makes all that is unknown fail. With
single trees as many random configurations fail as of the first ten trials in the histories (NOTES.md).
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np

from advisor.catalog import parse_release
from advisor.errors import InputError
from advisor.model.applying import Application
from advisor.model.record import record
from advisor.model.rules import Risk
from advisor.model.server import Topology
from advisor.model.tuning import EndEarly, Knob, Outcome, SearchSpace, Settings, Task
from advisor.tune.space.encoding import identity
from benchmarks.tuner.outside.histories import Evaluation

TREES = 200
FAILING_TREES = 25
FOLDS = 5
BAR = 0.6  # Spearman, of rates of held-out rows; stated before any was computed: a task below it is left out
FEWEST = 20  # rows that measured something
NO_LAG_MS = 1000.0  # the limit of a lag that no history knows: never broken


@record
class Ground:
    """A task to tune on. `start` is the default that the histories begin with; nothing is advised.

    `noise`: spread of the log rate of one trial, by the repeats of the default. `correlation`: Spearman's, of the rates
    of held-out rows with what a forest of the others says. `best`: the highest rate that the forest gives to a row that
    was measured. `seconds`: of a trial that measures and of one that fails, medians. `failing`: trees, one for a seed.
    """

    name: str
    space: SearchSpace
    start: Settings
    noise: float
    correlation: float
    best: float
    seconds: tuple[float, float]
    rates: Any
    failing: Sequence[Any]
    lag_bound_ms: float = NO_LAG_MS

    @property
    def advice(self) -> Settings:
        """Where an adviser would begin: nobody advised anything here."""
        return self.start

    @property
    def usable(self) -> bool:
        """Whether the forest ranks well enough to compare tuners on it."""
        return self.correlation >= BAR

    def rate(self, settings: Settings) -> float:
        """The rate without noise, of a configuration that runs."""
        return float(np.exp(self.rates.predict(rows_of(self.space, [settings]))[0]))

    def fails(self, settings: Settings, seed: int) -> bool:
        """Whether a configuration fails, by the seed's tree."""
        if not self.failing:
            return False
        return bool(self.failing[seed % len(self.failing)].predict(rows_of(self.space, [settings]))[0])


def space_of(evaluations: Sequence[Evaluation]) -> SearchSpace:
    """The knobs that vary, each over what was tried: the optimisers drew from even ranges, so the scale is linear.

    Every trial of the histories restarted the server.
    """
    knobs = [_knob(name, [one.settings[name] for one in evaluations]) for name in evaluations[0].settings]
    return SearchSpace(
        Topology.STANDALONE, parse_release("mysql-5.7")[0], {}, tuple(knob for knob in knobs if knob is not None)
    )


def _knob(name: str, texts: Sequence[str]) -> Knob | None:
    distinct = sorted(set(texts))
    if len(distinct) == 1:
        return None
    about: dict[str, Any] = {"name": name, "why": "", "how": Application.SERVER_RESTART, "risk": (Risk.R2,)}
    try:
        values = [float(text) for text in distinct]
    except ValueError:
        return Knob(**about, choices=tuple(distinct))
    low, high = min(values), max(values)
    step = 1.0 if all(value == int(value) for value in values) else (high - low) / 1e4
    return Knob(**about, low=low, high=high, step=step)


def rows_of(space: SearchSpace, configurations: Sequence[Settings]) -> Any:
    """What the trees see: numbers as they are, a column for each word; nothing that the search sees by."""
    return np.array([[x for knob in space.knobs for x in _columns(knob, one[knob.name])] for one in configurations])


def _columns(knob: Knob, text: str) -> list[float]:
    return [float(text == word) for word in knob.choices] if knob.choices else [float(text)]


def ground_of(task: int, evaluations: Sequence[Evaluation], trees: int = TREES) -> Ground:
    """Fit the forests of a task to the trials of all its optimisers. InputError where too few measured something."""
    measured = [one for one in evaluations if one.rate is not None]
    if len(measured) < FEWEST:
        raise InputError(f"task {task}: {len(measured)} trials measured something, {FEWEST} are needed")
    space = space_of(evaluations)
    rows = rows_of(space, [one.settings for one in evaluations])
    failed = np.array([one.rate is None for one in evaluations])
    logs = np.log([one.rate for one in measured])
    rates = _forest(trees).fit(rows[~failed], logs)
    start = {knob.name: evaluations[0].settings[knob.name] for knob in space.knobs}
    return Ground(
        name=f"task {task}",
        space=space,
        start=start,
        noise=_noise(start, measured),
        correlation=_held_out_correlation(rows[~failed], logs, trees),
        best=float(np.exp(rates.predict(rows[~failed]).max())),
        seconds=_seconds(evaluations),
        rates=rates,
        failing=_failing(rows, failed),
    )


def _forest(trees: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(trees, random_state=0)


def _failing(rows: Any, failed: Any) -> Sequence[Any]:
    """Trees without drawing of rows, each split as chance has it: every one is right about every row."""
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(FAILING_TREES, random_state=0).fit(rows, failed).estimators_ if failed.any() else ()


def _held_out_correlation(rows: Any, logs: Any, trees: int) -> float:
    from scipy.stats import spearmanr
    from sklearn.model_selection import KFold, cross_val_predict

    folds = KFold(FOLDS, shuffle=True, random_state=0)
    return float(spearmanr(cross_val_predict(_forest(trees), rows, logs, cv=folds), logs)[0])


def _noise(start: Settings, measured: Sequence[Evaluation]) -> float:
    """The spread of the logs of the default's rates, which every optimiser measured first and some again."""
    repeats = [
        math.log(one.rate) for one in measured if one.rate and all(one.settings[name] == start[name] for name in start)
    ]
    if len(repeats) < 2:
        raise InputError("the default was measured less than twice: the noise is not known")
    return statistics.stdev(repeats)


def _seconds(evaluations: Sequence[Evaluation]) -> tuple[float, float]:
    ran = statistics.median(one.seconds for one in evaluations if one.rate is not None)
    broken = [one.seconds for one in evaluations if one.rate is None]
    return ran, statistics.median(broken) if broken else ran


class Rehearsal:
    """An environment on a ground: noise for each trial, a clock that adds up the histories' seconds."""

    def __init__(self, on: Ground, seed: int) -> None:
        self.on, self.seed, self.seconds, self.trials, self.failures = on, seed, 0.0, 0, 0
        self._dice = random.Random(f"outside {on.name} {seed}")
        self._truths: dict[tuple[tuple[str, str], ...], float] = {}

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        """As `Environment.run`; the histories have one rate for a trial, so there is one window."""
        truth = self.truth(task.settings)
        spent = self.on.seconds[truth == 0.0]
        self.trials += 1
        self.failures += truth == 0.0
        self.seconds += spent
        if truth == 0.0:
            return Outcome(infeasible="configurations like this one failed", restarted=True, seconds=spent)
        return Outcome((truth * math.exp(self._dice.gauss(0.0, self.on.noise)),), restarted=True, seconds=spent)

    def truth(self, settings: Settings) -> float:
        """The rate without noise, 0.0 where it fails; asked once each, for a forest answers in some 20 ms."""
        key = identity(settings)
        if key not in self._truths:
            self._truths[key] = 0.0 if self.on.fails(settings, self.seed) else self.on.rate(settings)
        return self._truths[key]
