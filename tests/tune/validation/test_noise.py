"""Noise between runs, drift, and the gain that so many runs detect."""

from __future__ import annotations

import math
import random

import pytest

from advisor.tune.validation.noise import detectable_gain, noise_of, repeats_for
from tests.tune.starting_points import baseline_trials


def test_noise_between_runs_is_told_from_drift():
    noise = noise_of(baseline_trials(0.03, 60, slope_per_hour=0.1))
    assert noise is not None
    assert noise.runs == pytest.approx(0.03, rel=0.3)
    assert noise.windows == pytest.approx(0.01, rel=0.3)
    assert noise.drift_per_hour == pytest.approx(0.1, abs=0.02)
    assert noise_of(baseline_trials(0.03, 3)) is None


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
