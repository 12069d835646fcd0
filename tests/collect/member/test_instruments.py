"""When wait instruments are on."""

from __future__ import annotations

from itertools import pairwise

import pytest

from advisor.collect.member.instruments import WindowPlan

TICKS = 200


@pytest.mark.parametrize(
    ("seconds", "step", "expected"),
    [(60.0, 0.1, 12.0), (600.0, 2.0, 120.0), (3.0, 0.1, 1.0), (0.5, 0.1, 0.5)],
    ids=["a fifth of the time", "long enough for two process lists", "one window", "all of a short interval"],
)
def test_they_are_on_for_a_fifth_of_the_time(seconds: float, step: float, expected: float) -> None:
    plan = WindowPlan(seconds, step)
    on = sum(plan.due(number / TICKS) for number in range(round(seconds * TICKS))) / TICKS
    assert on == pytest.approx(expected, rel=0.02)


def test_windows_have_no_rhythm() -> None:
    plan = WindowPlan(500.0, 0.1)
    on = [plan.due(number / TICKS) for number in range(500 * TICKS)]
    begins = [number / TICKS for number in range(1, len(on)) if on[number] and not on[number - 1]]
    gaps = {round(later - earlier, 1) for earlier, later in pairwise(begins)}
    assert len(gaps) > 10


def test_a_single_reading_has_them_on() -> None:
    assert WindowPlan(0.0, 1.0).due(0.0)
