"""What is maximised: the log of a rate, or minus that of a latency; the constraints are the same."""

from __future__ import annotations

import math

import pytest

from advisor.model.tuning import Objective, Outcome
from advisor.tune.search.scoring import log_value, lower_is_better, score

LATENCY = Objective.LATENCY.value


def test_half_the_latency_is_worth_as_much_as_twice_the_rate():
    slow, fast = (Outcome((100.0,), 20.0, 0.0, latency, objective=LATENCY) for latency in (40.0, 20.0))
    small, large = (Outcome((rate,), 20.0, 0.0) for rate in (100.0, 200.0))
    assert log_value(fast) - log_value(slow) == pytest.approx(math.log(2))
    assert log_value(large) - log_value(small) == pytest.approx(math.log(2))


def test_a_low_latency_that_lags_keeps_no_limit():
    assert score(Outcome((100.0,), 20.0, 0.0, 5.0, objective=LATENCY), 1000.0).feasible
    assert not score(Outcome((100.0,), 5000.0, 0.0, 5.0, objective=LATENCY), 1000.0).feasible
    assert not score(Outcome((100.0,), 20.0, 0.5, 5.0, objective=LATENCY), 1000.0).feasible


def test_a_latency_beside_a_rate_that_is_looked_for_counts_nothing():
    assert log_value(Outcome((100.0,), 20.0, 0.0, 5.0)) == pytest.approx(math.log(100.0))
    assert not lower_is_better([Outcome((100.0,), 20.0, 0.0, 5.0)])
    assert lower_is_better([Outcome((100.0,), 20.0, 0.0, 5.0, objective=LATENCY)])
