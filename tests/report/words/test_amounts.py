"""Rates, times and ratios are written with as many figures as they need."""

from __future__ import annotations

import pytest

from advisor.model.measurement import Interval
from advisor.report.words.amounts import duration, rate, ratio


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "?"), (0.0, "0"), (0.26, "0.3"), (9.96, "10"), (12345.6, "12,346"), (-3.0, "-3.0")],
)
def test_rates_have_figures_enough(value: float | None, text: str):
    assert rate(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "?"), (0.0, "0 ms"), (2.34, "2.3 ms"), (12.6, "13 ms"), (999.6, "1.0 s"), (6e4, "60.0 s")],
)
def test_times_are_in_milliseconds_below_a_second(value: float | None, text: str):
    assert duration(value) == text


def test_a_ratio_without_an_interval_is_written_alone():
    assert ratio(Interval(None, 1.5, None)) == "1.50"
    assert ratio(Interval(None, None, None)) == "?"
