"""Tests for `advisor.timeline.change_points`: changed levels are found in noise, and noise alone changes nothing."""

from __future__ import annotations

import random

import pytest

from advisor.timeline.change_points import Size, change_points

SIZE = Size(ratio=1.3, step=5)


def _noise(count: int, seed: int, memory: float) -> list[float]:
    """Readings around 100 that depend on the ones before them."""
    chance = random.Random(seed)
    level, found = 0.0, []
    for _ in range(count):
        level = memory * level + chance.gauss(0, 8)
        found.append(100 + level)
    return found


@pytest.mark.parametrize("memory", [0.0, 0.6, 0.9])
def test_noise_alone_is_no_change(memory: float) -> None:
    assert [change_points(_noise(400, seed, memory), SIZE) for seed in range(15)] == [[]] * 15


def test_a_step_in_noise_is_found_where_it_is() -> None:
    for seed in range(12):
        values = [value * (0.6 if at >= 170 else 1.0) for at, value in enumerate(_noise(400, seed, 0.5))]
        (point,) = change_points(values, SIZE)
        assert abs(point.at - 170) <= 6
        assert point.first <= point.at <= point.last
        assert point.before > 1.3 * point.after


def test_a_short_stop_has_a_beginning_and_an_end() -> None:
    values = [0.0 if 100 <= at < 106 else value for at, value in enumerate(_noise(250, 3, 0.3))]
    assert [point.at for point in change_points(values, SIZE)] == [100, 106]


def test_one_odd_reading_is_no_change() -> None:
    values = _noise(250, 4, 0.3)
    values[120] = 0.0
    assert change_points(values, SIZE) == []


def test_a_change_too_small_to_matter_is_none() -> None:
    assert change_points([100.0] * 100 + [110.0] * 100, SIZE) == []
    assert change_points([0.001] * 100 + [0.1] * 100, SIZE) == []


@pytest.mark.parametrize("values", [[], [1.0], [1.0] * 5, [0.0] * 300])
def test_too_few_or_equal_readings_give_nothing(values: list[float]) -> None:
    assert change_points(values, SIZE) == []
