"""Tests for `advisor.history.rates`: across a reset or a gap nothing is known, and nothing is zero."""

from __future__ import annotations

from advisor.history.rates import gap_seconds, growth, total
from advisor.model.monitoring.history import Series


def _series(pairs: list[tuple[float, float]], item: str = "") -> Series:
    return Series("status.Questions", item, [at for at, _ in pairs], [value for _, value in pairs])


def test_a_counter_that_fell_grew_by_an_unknown_amount() -> None:
    assert growth([_series([(0, 10), (1, 15), (2, 3), (3, 4)])]).grown == [5, None, 1]


def test_across_a_gap_the_growth_is_unknown() -> None:
    pairs = [(float(at), float(at)) for at in range(20)] + [(40.0, 40.0), (41.0, 41.0)]
    grown = growth([_series(pairs)]).grown
    assert grown[-2:] == [None, 1]
    assert set(grown[:-2]) == {1}


def test_a_scrape_that_failed_is_no_gap() -> None:
    assert gap_seconds([0, 15, 30, 45]) > 45
    assert gap_seconds([0, 1, 2, 3]) == 3.5
    assert gap_seconds([]) == gap_seconds([7.0]) == 3.0


def test_series_are_added_where_all_of_them_were_read() -> None:
    one, two = _series([(0, 1), (1, 2), (2, 3)], "0"), _series([(0, 10), (2, 30)], "1")
    assert total([one, two]) == ([0, 2], [11, 33])
