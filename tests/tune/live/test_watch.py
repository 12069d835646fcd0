"""What a watch says of the traffic, and by which figure turns are planned."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.errors import UsageError
from advisor.tune.live.statistics.verdict import Measure
from advisor.tune.live.traffic.figures import Reading
from advisor.tune.live.watch import describe


def readings(seconds: int, latency_ms: float = 5.0, per_second: float = 50.0, **others: object) -> list[Reading]:
    """Two a second; the time of commits varies by a tenth from reading to reading."""
    dice = np.random.default_rng(1)
    found, commit_seconds = [], 0.0
    for number in range(2 * seconds + 1):
        commits = per_second * 0.5 * number
        found.append(
            Reading(
                at_seconds=0.5 * number,
                transactions=commits,
                commits=commits,
                commit_seconds=commit_seconds,
                syncs=1.5 * commits,
                **others,  # type: ignore[arg-type]
            )
        )
        commit_seconds += per_second * 0.5 * latency_ms / 1000 * math.exp(0.1 * dice.standard_normal())
    return found


def test_it_says_what_could_be_shown_in_how_long() -> None:
    seen = describe(readings(300), 1800.0, 3)
    assert seen.measure is Measure.COMMIT_LATENCY
    assert seen.figures.rate == 50
    effects = [effect for _, effect in seen.detectable]
    assert seen.detectable[0][0] == 1800.0
    assert all(effect is not None and effect < 0.1 for effect in effects)
    assert effects == sorted(effects, reverse=True)


def test_where_latency_is_known_in_few_seconds_turns_are_planned_by_another_figure() -> None:
    seen = readings(300)
    sparse = [
        Reading(**{**vars(each), "commit_seconds": math.floor((each.commit_seconds or 0) * 2) / 2}) for each in seen
    ]
    found = describe(sparse, 1800.0, 3)
    assert found.measure is Measure.SYNCS_PER_TRANSACTION
    assert Measure.COMMIT_LATENCY in found.measures


def test_a_watch_without_users_is_refused() -> None:
    with pytest.raises(UsageError, match="no transaction was committed"):
        describe(readings(60, per_second=0.0), 1800.0, 3)
