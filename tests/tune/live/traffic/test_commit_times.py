"""How long commits take, from histograms and from the ages of those in progress."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.tune.live.traffic.commit_times import age_percentile, first_word, histogram_percentile


def in_progress(durations_ms: np.ndarray, every_ms: float, length_ms: float) -> tuple[list[float], int]:
    """The ages that looks see, if commits begin at random times."""
    dice = np.random.default_rng(2)
    begun = np.sort(dice.random(len(durations_ms)) * length_ms)
    looks = np.arange(every_ms, length_ms, every_ms)
    ages = [look - begun[(begun <= look) & (look < begun + durations_ms)] for look in looks]
    return [float(age) for found in ages for age in found], len(looks)


@pytest.mark.parametrize("mean_ms", [2.0, 20.0])
def test_ages_of_commits_in_progress_give_their_95th_percentile(mean_ms: float) -> None:
    dice = np.random.default_rng(1)
    durations = dice.exponential(mean_ms, 20_000)
    ages, looks = in_progress(durations, 100.0, 100_000.0)
    found = age_percentile(ages, looks, len(durations) / 100_000.0, 0.05)
    assert found == pytest.approx(float(np.percentile(durations, 95)), rel=0.25)


def test_their_mean_follows_from_how_many_are_in_progress() -> None:
    durations = np.random.default_rng(1).exponential(8.0, 20_000)
    ages, looks = in_progress(durations, 100.0, 100_000.0)
    assert len(ages) / looks / (len(durations) / 100_000.0) == pytest.approx(8.0, rel=0.1)


def test_commits_that_hang_are_seen_before_they_end() -> None:
    hanging = [float(age) for age in range(0, 3000, 100)] * 4  # four commits, looked at for three seconds
    assert age_percentile(hanging, 30, 0.004, 0.05) >= 2900


def test_no_commit_ever_seen_in_progress_takes_no_time() -> None:
    assert age_percentile([], 50, 0.05, 0.05) == 0.0


def test_a_percentile_of_a_histogram_is_the_upper_bound_of_its_bucket() -> None:
    assert histogram_percentile({1.0: 90, 2.0: 5, 10.0: 5}, 0.95) == 2.0
    assert histogram_percentile({1.0: 90, 2.0: 4, 10.0: 6}, 0.95) == 10.0
    assert histogram_percentile({1.0: 0.0}, 0.95) is None
    assert histogram_percentile({1.0: -3, 2.0: 5}, 0.95) is None  # the histogram was emptied meanwhile


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("COMMIT", "COMMIT"),
        ("EXECUTE UPDATE `t1` SET `k` = ?", "UPDATE"),
        ("  /* app:shop */ insert into t values (1)", "INSERT"),
        ("/* a */ /* b */commit", "COMMIT"),
        ("", ""),
    ],
)
def test_the_first_word_tells_what_a_statement_does(statement: str, word: str) -> None:
    assert first_word(statement) == word
