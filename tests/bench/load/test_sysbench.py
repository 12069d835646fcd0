"""Shares of threads and rates add up, and sysbench's bins become the percentiles they hold."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.bench.load.latency import latency_ms, middle_ms, parse_bins
from advisor.bench.load.sysbench import share_of


@given(st.integers(0, 10_000), st.integers(1, 9))
def test_shares_add_up_and_differ_by_one_at_most(total, parts):
    shares = [share_of(total, parts, number) for number in range(parts)]
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1


def test_the_bins_span_what_sysbench_counts():
    assert middle_ms(0) == pytest.approx(0.001)
    assert middle_ms(1023) == pytest.approx(100_000)
    assert middle_ms(501) / middle_ms(500) == pytest.approx(1.01817, abs=1e-5)


def test_what_is_unknown_is_not_empty():
    assert parse_bins("unknown") is None
    assert parse_bins("") == {}
    assert parse_bins("3:1,10:25") == {3: 1, 10: 25}


def test_nothing_counted_has_no_latency():
    assert latency_ms(Counter()) == {}


@given(st.lists(st.integers(0, 1023), min_size=1, max_size=300))
def test_a_percentile_is_the_least_bin_with_so_many_at_or_below(bins):
    found = latency_ms(Counter(bins))
    ordered = sorted(bins)
    for name, share in (("p50", 50), ("p95", 95), ("p99", 99)):
        least = next(bin_ for place, bin_ in enumerate(ordered, 1) if 100 * place >= share * len(ordered))
        assert found[name] == pytest.approx(middle_ms(least))
    assert found["max"] == middle_ms(ordered[-1])
    assert found["mean"] == pytest.approx(sum(map(middle_ms, bins)) / len(bins))
