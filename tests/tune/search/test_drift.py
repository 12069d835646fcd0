"""Drift is followed, noise and strays are not."""

from __future__ import annotations

import random

import pytest

from advisor.tune.search.drift import drift_of


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
