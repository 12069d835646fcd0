"""Two configurations in turns, with a known ratio."""

from __future__ import annotations

import random

import pytest

from advisor.bench.statistics.paired_runs import order, ratio_interval


def test_the_order_within_pairs_alternates():
    assert order(4) == "ABBAABBA"
    assert order(1) == "AB"


def test_an_even_drift_cancels():
    """Every run is 2 % faster than the one before; B is 1.5 times A."""
    speeds = [1000 * 1.02**turn for turn in range(8)]
    a = [speed for speed, turn in zip(speeds, order(4), strict=True) if turn == "A"]
    b = [speed * 1.5 for speed, turn in zip(speeds, order(4), strict=True) if turn == "B"]
    assert ratio_interval(a, b).mid == pytest.approx(1.5, rel=1e-9)


def test_the_interval_holds_the_true_ratio_in_nineteen_of_twenty():
    chance, held = random.Random(3), 0
    for _ in range(400):
        drift = [chance.uniform(500, 2000) for _ in range(4)]
        a = [speed * chance.lognormvariate(0, 0.05) for speed in drift]
        b = [1.2 * speed * chance.lognormvariate(0, 0.05) for speed in drift]
        found = ratio_interval(a, b)
        held += found.low <= 1.2 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_what_cannot_be_known_is_none():
    assert ratio_interval([], []).mid is None
    assert ratio_interval([1.0], [2.0]).mid == pytest.approx(2.0)
    assert ratio_interval([1.0], [2.0]).low is None
    assert ratio_interval([0.0, 1.0], [1.0, 1.0]).mid is None
