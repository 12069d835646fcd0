"""What readings come to: nothing is made up where a counter is unknown or was set back."""

from __future__ import annotations

import pytest

from advisor.model.record import replace
from advisor.tune.live.traffic.figures import Reading, by_second, figures_of, with_typical_latency


def readings(count: int, **last: object) -> list[Reading]:
    """Two a second: 50 transactions a second of 4 ms, 1.5 syncs and 2 ms of CPU time each."""
    found = [
        Reading(
            at_seconds=100 + 0.5 * number,
            transactions=25.0 * number,
            commits=25.0 * number,
            commit_seconds=0.1 * number,
            buckets={4.0: 24.0 * number, 9.0: 1.0 * number},
            lag_ms=10.0 * number,
            backlog=float(number),
            failures=0.25 * number,
            syncs=37.5 * number,
            cpu_seconds=0.05 * number,
            memory_share=0.5,
        )
        for number in range(count)
    ]
    return [*found[:-1], Reading(**{**vars(found[-1]), **last})]  # type: ignore[arg-type]


def test_counters_become_rates_and_shares() -> None:
    figures = figures_of(readings(21))
    assert figures.seconds == 10
    assert figures.rate == 50
    assert figures.commit_ms == pytest.approx(4.0)
    assert figures.commit_p95_ms == 4.0
    assert figures.syncs_per_transaction == pytest.approx(1.5)
    assert figures.cpu_ms_per_transaction == pytest.approx(2.0)
    assert figures.failed_share == pytest.approx(0.25 / 25.25)
    assert figures.lag_ms == pytest.approx(105.0)


def test_what_is_unknown_at_an_end_or_was_set_back_is_unknown() -> None:
    figures = figures_of(readings(5, syncs=None, cpu_seconds=-1.0, buckets=None))
    assert (figures.syncs_per_transaction, figures.cpu_ms_per_transaction, figures.commit_p95_ms) == (None, None, None)
    assert figures.rate == 50


def test_nothing_is_known_of_one_reading() -> None:
    assert figures_of(readings(1)).rate is None


def test_every_second_has_its_figures() -> None:
    seconds = by_second(readings(21))
    assert len(seconds) == 10
    assert all(second.commit_ms == pytest.approx(4.0) for second in seconds)
    assert [second.seconds for second in seconds] == [1.0] * 10


def test_a_stall_of_one_second_does_not_hide_the_others() -> None:
    seen = readings(21)
    stalled = [
        replace(each, commit_seconds=(each.commit_seconds or 0) + 5.0 * (each.at_seconds > 105)) for each in seen
    ]
    figures = with_typical_latency(figures_of(stalled), stalled)
    assert figures.commit_ms == pytest.approx(14.0)
    assert figures.typical_commit_ms == pytest.approx(4.0, rel=0.5)


def test_where_most_seconds_saw_no_commit_in_progress_the_mean_counts() -> None:
    """The process list of a quiet server: those few seconds that saw one are not typical."""
    seen = [replace(each, commit_seconds=0.1 * (each.at_seconds > 107)) for each in readings(21)]
    figures = with_typical_latency(figures_of(seen), seen)
    assert figures.typical_commit_ms == figures.commit_ms == pytest.approx(0.2)
