"""The search for the largest sustained rate, on clusters whose limit is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.bench.search.threshold_search import find_threshold
from advisor.model.measurement import Probe


def cluster(limit: float, noise: float = 0.0, unknown: float = 0.0, seed: int = 1) -> Callable[[float], Probe]:
    """A cluster that is inside below its limit, which wanders by `noise` (relative) from probe to probe."""
    chance = random.Random(seed)

    def probe(rate: float) -> Probe:
        now = limit * (1 + chance.gauss(0, noise))
        inside = None if chance.random() < unknown else rate <= now
        return Probe(rate, rate, inside, "made up")

    return probe


@given(st.floats(50, 20_000), st.floats(0.5, 2.0))
def test_a_sharp_limit_is_found_from_any_guess_within_a_half_and_confirmed(limit: float, error: float):
    found = find_threshold(cluster(limit), limit * error, 1000.0)
    assert abs(log(found.per_second.mid / limit)) < log(1.1)
    assert found.per_second.low <= limit <= found.per_second.high
    assert found.confirmed is True
    assert len(found.probes) <= 16


def test_a_limit_that_wanders_by_five_percent_is_held_by_the_interval_nearly_always():
    runs = [find_threshold(cluster(1000, 0.05, seed=seed), 1300, 1000.0) for seed in range(60)]
    assert sum(one.per_second.low <= 1000 <= one.per_second.high for one in runs) >= 54
    assert sum(abs(log(one.per_second.mid / 1000)) < log(1.1) for one in runs) >= 54
    assert sum(one.confirmed is True for one in runs) >= 50


def test_a_guess_five_times_too_high_is_recovered_from():
    found = find_threshold(cluster(200), 1000, 1000.0)
    assert found.per_second.mid == pytest.approx(200, rel=0.1)


def test_probes_that_cannot_tell_cost_time_and_nothing_else():
    runs = [find_threshold(cluster(1000, unknown=0.3, seed=seed), 1200, 1000.0) for seed in range(20)]
    assert all(abs(log(one.per_second.mid / 1000)) < log(1.15) for one in runs)


def test_when_no_rate_is_inside_there_is_no_answer():
    found = find_threshold(lambda rate: Probe(rate, rate, False, "m2 lags"), 1000, 1000.0)
    assert found.per_second.mid is None
    assert found.per_second.high == min(one.offered_per_second for one in found.probes)
    assert "no rate was sustained, not even" in found.because
    assert found.confirmed is None


def test_when_no_probe_can_tell_there_is_no_answer():
    found = find_threshold(lambda rate: Probe(rate, rate, None, "?"), 1000, 1000.0, most_probes=5)
    assert found.per_second == found.per_second.__class__(None, None, None)
    assert found.because == "every probe was inconclusive"
    assert len({round(one.offered_per_second) for one in found.probes}) == 3


def test_a_single_probe_that_lies_does_not_move_the_answer_far():
    honest = cluster(1000)
    count = iter(range(100))

    def probe(rate: float) -> Probe:
        found = honest(rate)
        return Probe(rate, rate, False, "a hiccup") if next(count) == 1 and found.inside else found

    found = find_threshold(probe, 700, 1000.0)
    assert found.per_second.mid == pytest.approx(1000, rel=0.1)
    assert found.confirmed is True
