"""Latency is corrected for the rate only where the rate makes it."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.tune.live.statistics.equal_rate import rate_slope
from tests.tune.live.simulated_traffic import Traffic


def test_latency_that_makes_the_rate_low_is_not_corrected_for_the_rate() -> None:
    rates, latencies = Traffic(1, 3600, closed=True).seconds(np.zeros(3600))
    assert rate_slope(list(latencies), list(rates)) == 0.0
    rates, latencies = Traffic(1, 3600).seconds(np.zeros(3600))
    assert rate_slope(list(latencies), list(rates)) == pytest.approx(0.5, abs=0.15)
