"""How long a moment lasts and how much turns differ, on series whose memory is known."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.tune.live.statistics.autocorrelation import autocorrelation_steps, difference_variance, semivariogram


def test_the_variance_of_a_difference_follows_from_the_semivariogram() -> None:
    from scipy.signal import lfilter

    dice = np.random.default_rng(5)
    series = lfilter([1.0], [1.0, -0.9], dice.standard_normal(40_000))
    starts = range(0, 40_000 - 60, 60)
    differences = [series[at + 5 : at + 30].mean() - series[at + 35 : at + 60].mean() for at in starts]
    predicted = difference_variance(semivariogram(list(series), 100), 30, 5)
    assert predicted == pytest.approx(float(np.var(differences)), rel=0.15)


def test_a_moment_is_as_long_as_its_memory_and_gaps_do_not_count() -> None:
    from scipy.signal import lfilter

    dice = np.random.default_rng(7)
    series: list[float | None] = list(lfilter([1.0], [1.0, -0.95], dice.standard_normal(20_000)))
    assert autocorrelation_steps(semivariogram(series, 400)) == pytest.approx(20, rel=0.25)
    gaps = [value if number % 3 else None for number, value in enumerate(series)]
    assert autocorrelation_steps(semivariogram(gaps, 400)) == pytest.approx(20, rel=0.3)
