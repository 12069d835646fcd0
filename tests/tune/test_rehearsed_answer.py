"""From trials to finalists, on simulated clusters: what is proved are values a person would write."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from advisor.model.recommendation import BASELINE
from advisor.model.tuning import Trial
from advisor.tune.phases import Phases, SessionListener
from advisor.tune.request.request import Request
from advisor.tune.search.policy import StudyPlan, best_confirmed, next_task
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.space.round_values import is_written
from advisor.tune.trial.run_trial import TrialListener
from advisor.tune.validation.blocks import contenders
from benchmarks.tuner.surfaces import Rehearsal, surface

TRIALS = 30


def near_the_advice(space: Any, history: Any, running: Any, ratio: float, dice: random.Random) -> dict[str, str]:
    """A cheap way to propose good configurations with unwritten values: around what the space advises."""
    encoder, legal = Encoder(space), constraint_check(space)
    advised = encoder.coordinates({knob.name: knob.advice or running[knob.name] for knob in space.knobs})
    while True:
        found = encoder.settings([min(1.0, max(0.0, at + dice.gauss(0, 0.1))) for at in advised])
        if legal(found):
            return found


def rehearsed(seed: int, folder: Path, shorten: bool) -> tuple[Phases, list[Trial]]:
    """The phases on a surface, and the trials of a search on it."""
    on = surface(seed)
    environment: Any = Rehearsal(on, 1)
    lag_bound_ms = on.machine.lag_bound_ms
    plan = StudyPlan(on.space, on.start, (on.advice,), lag_bound_ms, TRIALS)
    request = Request("cluster.yaml", "update_index", 8, ("m1",), shorten=shorten, lag_bound_ms=lag_bound_ms)
    listener = SessionListener(TrialListener())
    phases = Phases(environment, plan, on.start, request, folder, listener, lambda: False, float("inf"))
    trials: list[Trial] = []
    while (task := next_task(plan, trials, near_the_advice)) is not None:
        trials.append(Trial(len(trials), task, environment.run(task, lambda windows: False), environment.seconds))
    return phases, trials


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 6])  # on 0, nothing near the advice keeps the lag limit
@pytest.mark.parametrize("shorten", [False, True])
def test_every_finalist_has_only_values_that_a_person_would_write(seed: int, shorten: bool, tmp_path: Path):
    phases, trials = rehearsed(seed, tmp_path, shorten)
    space, running = phases.plan.space, phases.plan.running
    best = best_confirmed(phases.plan, trials)
    assert best is not None
    assert not all(is_written(knob, best.settings[knob.name], running[knob.name]) for knob in space.knobs)
    finalists, _ = phases.finalists(trials)
    assert len(finalists) > 1
    assert all(
        is_written(knob, settings[knob.name], running[knob.name])
        for settings in finalists.values()
        for knob in space.knobs
    )


def test_what_is_proved_in_blocks_are_the_written_values_and_they_are_accepted(tmp_path: Path):
    phases, trials = rehearsed(1, tmp_path, shorten=True)
    finalists, _ = phases.finalists(trials)
    judged = contenders(finalists, phases.validate(finalists), phases.request.blocks, phases.plan.lag_bound_ms)
    accepted = [contender for contender in judged if contender.accepted]
    assert accepted
    knobs = {knob.name: knob for knob in phases.plan.space.knobs}
    for contender in accepted:
        assert contender.name != BASELINE
        for name, (before, after) in difference(phases.plan.running, contender.settings).items():
            assert is_written(knobs[name], after, before)
