"""Which settings matter, told from many trials and not from a handful."""

from __future__ import annotations

import math
import random

import pytest

from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.results.importance import effects, importances
from advisor.tune.search.scored_trials import scored_trials
from advisor.tune.space.encoding import Encoder


def measured_on(space, rate, count: int = 60):
    dice, encoder = random.Random(7), Encoder(space)
    trials = []
    for number in range(count):
        settings = encoder.settings([dice.random() for _ in space.knobs])
        value = rate(settings) * math.exp(dice.gauss(0, 0.02))
        outcome = Outcome(windows=(value,) * 6, lag_ms=10.0, backlog_slope=0.0)
        trials.append(Trial(number, Task(TrialKind.SEARCH, settings), outcome, 60.0 * number))
    return scored_trials(trials, 1000.0)


def test_what_matters_is_found_and_shown_in_its_direction(space_of):
    space = space_of("standalone", "mysql-9.7.4")
    history = measured_on(space, lambda s: 100.0 * math.log(float(s["innodb_redo_log_capacity"])))
    assert next(iter(importances(space, history))) == "innodb_redo_log_capacity"
    first = effects(space, history)[0]
    assert first.name == "innodb_redo_log_capacity"
    assert first.rates[0] < first.rates[-1] == pytest.approx(1.0, abs=0.02)


def test_importance_of_a_handful_of_trials_is_not_told(space_of):
    space = space_of("standalone", "mysql-9.7.4")
    history = measured_on(space, lambda s: 100.0, count=8)
    assert importances(space, history) == {}
    assert effects(space, history) == []
