"""The answer and how sure it is: drift, noise, validation, the shortest list of changes, what mattered."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.report.importance import effects, importances
from advisor.tune.report.recommendation import baseline_runs, often
from advisor.tune.search.drift import drift_of
from advisor.tune.search.history import scored_trials
from advisor.tune.search.surrogate import fit
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.validation.acceptance import bootstrap, compare, holm, orders, sign_flip_p
from advisor.tune.validation.blocks import BASELINE, BlockRun
from advisor.tune.validation.minimise import OutOfTime, minimise
from advisor.tune.validation.noise import detectable_gain, noise_of, repeats_for


def test_drift_is_followed_and_noise_is_not():
    dice = random.Random(2)
    moments = [(600.0 * n, 7.0 - 0.02 * n + dice.gauss(0, 0.01)) for n in range(12)]
    drift = drift_of(moments)
    assert drift(0.0) - drift(6600.0) == pytest.approx(0.22, abs=0.05)
    still = drift_of([(600.0 * n, 7.0 + dice.gauss(0, 0.03)) for n in range(12)])
    assert max(abs(still(600.0 * n)) for n in range(12)) < 0.03


def test_one_stray_baseline_bends_no_drift():
    moments = [(600.0 * n, 7.0 + 0.001 * (n % 2)) for n in range(12)]
    moments[5] = (3000.0, 6.0)
    assert abs(drift_of(moments)(3000.0)) < 0.1


def test_few_baselines_correct_nothing():
    assert drift_of([(0.0, 7.0), (100.0, 5.0), (200.0, 3.0)])(200.0) == 0.0


def runs(spread: float, count: int, slope_per_hour: float = 0.0) -> list[Trial]:
    dice = random.Random(3)
    found = []
    for number in range(count):
        level = 1000.0 * math.exp(dice.gauss(0, spread) + slope_per_hour * number / 6)
        outcome = Outcome(windows=tuple(level * math.exp(dice.gauss(0, 0.01)) for _ in range(6)))
        found.append(Trial(number, Task(TrialKind.BASELINE, {}), outcome, 600.0 * number))
    return found


def test_noise_between_runs_is_told_from_drift():
    noise = noise_of(runs(0.03, 60, slope_per_hour=0.1))
    assert noise is not None
    assert noise.runs == pytest.approx(0.03, rel=0.3)
    assert noise.windows == pytest.approx(0.01, rel=0.3)
    assert noise.drift_per_hour == pytest.approx(0.1, abs=0.02)
    assert noise_of(runs(0.03, 3)) is None


def test_noise_is_that_of_the_proof_where_it_has_enough_runs():
    search = runs(0.3, 5)
    like = Outcome((1000.0,) * 6, seconds=60.0)
    blocks = [BlockRun(at, name, like) for at in range(6) for name in ("tuned", BASELINE)]
    found = baseline_runs(search, blocks)
    assert [trial.at_seconds for trial in found[:2]] == [2400.0 + 120.0, 2400.0 + 240.0]
    assert len(found) == 6
    assert baseline_runs(search, blocks[:6]) == search, "three are too few"


def test_what_is_said_of_many_runs_is_said_of_the_night_whatever_its_figures():
    runs = [(f"the processors were {90 + at}% busy", "m2 was restarted") for at in range(4)]
    assert often([*runs, (), ("m1 was restarted",), ("m3 was restarted",)]) == [
        "the processors were 93% busy (alike in 4 of 7 runs)",
        "m2 was restarted (alike in 4 of 7 runs)",
    ]
    assert often([]) == []
    assert often([("fsync took 2.5 ms",), *[()] * 3]) == [], "once of four"


def test_the_gain_that_can_be_seen_is_seen_in_four_of_five_simulated_nights():
    spread, repeats = 0.03, 6
    gain = detectable_gain(spread, repeats)
    dice = random.Random(5)

    def mean(level: float) -> float:
        return sum(dice.gauss(level, spread) for _ in range(repeats)) / repeats

    wide = 1.96 * spread * math.sqrt(2 / repeats)
    seen = sum(mean(math.log1p(gain)) - mean(0.0) > wide for _ in range(4000)) / 4000
    assert seen == pytest.approx(0.8, abs=0.03)
    assert repeats_for(gain, spread) == repeats


def test_a_real_gain_is_accepted_and_none_is_not():
    dice = random.Random(4)
    blocks = [1000.0 * math.exp(dice.gauss(0, 0.2)) for _ in range(8)]  # the machine's mood, alike for all in a block

    def like(ratio: float) -> list[float]:
        return [rate * ratio * math.exp(dice.gauss(0, 0.02)) for rate in blocks]

    others = {"better": like(1.3), "same": like(1.0), "barely": like(1.02), "late": like(1.3)}
    lags = {"better": [100.0] * 8, "late": [990.0, 1100.0] * 4}
    found = {one.name: one for one in compare(blocks, others, lags, 1000.0)}
    assert found["better"].accepted
    assert found["better"].ratio.low < 1.3 < found["better"].ratio.high
    assert not found["same"].accepted
    assert "not surely 3%" in found["barely"].why_not
    assert found["late"].why_not == "in a block its lag was outside the bound"


def test_too_few_blocks_prove_nothing():
    (one,) = compare([1000.0] * 4, {"better": [1500.0, 1490.0, 1510.0, 1505.0]}, {}, 1000.0)
    assert not one.accepted
    assert one.why_not == "4 blocks, 6 are wanted"


def test_the_interval_holds_the_truth_as_often_as_it_says():
    dice = random.Random(6)
    held = 0
    for seed in range(200):
        low, high = bootstrap([dice.gauss(0.1, 0.05) for _ in range(12)], seed, draws=1000)
        held += low <= 0.1 <= high
    assert 0.86 <= held / 200 <= 0.99


def test_p_values_are_exact_and_corrected_for_being_several():
    assert sign_flip_p([0.1] * 6) == pytest.approx(1 / 64)
    assert sign_flip_p([0.1, -0.1]) == pytest.approx(0.75)
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})


def test_every_block_has_every_configuration_once_in_an_order_of_its_own():
    found = orders(["original", "advice", "best"], 6, random.Random(1))
    assert all(sorted(block) == ["advice", "best", "original"] for block in found)
    assert len({tuple(block) for block in found}) > 1


def test_the_winner_keeps_only_the_changes_it_needs(space_of):
    space = space_of("group_replication", "mysql-9.7.4")
    encoder = Encoder(space)
    running, winner = (encoder.settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    needed = {"replica_parallel_workers", "innodb_redo_log_capacity"}
    measured = 0

    def measure(first, second):
        nonlocal measured
        measured += 1
        return 0.2 * len(needed & set(difference(first, second))), 0.02

    short = minimise(space, running, winner, measure)
    assert set(difference(running, short.settings)) == needed
    assert measured < len(difference(running, winner))  # fewer than one by one
    assert sum(not step.kept for step in short.steps) >= len(needed)


def test_when_the_time_is_over_what_was_put_back_until_then_stays_back(space_of):
    space = space_of("group_replication", "mysql-9.7.4")
    encoder = Encoder(space)
    running, winner = (encoder.settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    measured: list[set[str]] = []

    def measure(first, second):
        if measured:
            raise OutOfTime
        measured.append(set(difference(first, second)))
        return 0.0, 0.005

    short = minimise(space, running, winner, measure)
    assert measured[0]
    assert set(difference(running, short.settings)) == set(difference(running, winner)) - measured[0]
    assert len(short.steps) == 1


def test_a_reversion_that_cannot_run_is_not_kept(space_of):
    space = space_of("standalone", "mysql-9.7.4")
    encoder = Encoder(space)
    running, winner = (encoder.settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    assert minimise(space, running, winner, lambda first, second: None).settings == winner


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


def test_the_surrogate_foretells_what_it_has_not_seen_and_knows_where_it_knows_nothing():
    dice = np.random.default_rng(0)
    points = dice.random((60, 12))

    def truth(at):
        return np.sin(4 * at[:, 0]) + at[:, 1]

    model = fit(points, truth(points) + 0.02 * dice.standard_normal(60))
    new = dice.random((200, 12))
    mean, spread = model.predict(new)
    assert np.corrcoef(mean, truth(new))[0, 1] > 0.98
    assert np.mean(np.abs(mean - truth(new)) < 2.5 * spread + 0.05) > 0.9
    far = model.predict(np.full((1, 12), 5.0))[1]
    assert far[0] > 2 * np.median(spread)
