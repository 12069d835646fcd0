"""What counts as steady: synthetic series with a known truth, and what real clusters did."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from advisor.bench.measure.steady import change_in, growth_of, unsteady_because
from advisor.model.measurement import Phase, Second
from advisor.model.progress import Progress
from advisor.model.server import Role


def seconds(rates: list[float], backlogs: list[int | None]) -> list[Second]:
    """A run with one source and one replica, a second each."""
    return [
        Second(
            float(at),
            Phase.WARM_UP,
            (
                Progress("m1", Role.SOURCE, float(at), 1.0, committed_per_second=rate),
                Progress("m2", Role.REPLICA, float(at), 1.0, applied_per_second=rate, backlog=backlog),
            ),
        )
        for at, (rate, backlog) in enumerate(zip(rates, backlogs, strict=True))
    ]


def noise(count: int, mean: float, deviation: float, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [chance.gauss(mean, deviation) for _ in range(count)]


def share_with_a_change(count: int, late: float) -> float:
    """How often a change is seen among 200 series of mean 100, deviation 10, `late` more in their second half."""
    found = 0
    for seed in range(200):
        values = noise(count, 100, 10, seed)
        found += change_in([v + (late if at >= count // 2 else 0) for at, v in enumerate(values)], 5) is not None
    return found / 200


def test_a_step_of_three_deviations_is_seen_in_twenty_seconds_nearly_always_and_noise_seldom_taken_for_one():
    assert share_with_a_change(20, 30) > 0.95
    assert share_with_a_change(20, 0) < 0.2


def test_a_change_too_small_to_matter_is_none():
    values = [100 + 0.01 * at for at in range(30)]
    assert change_in(values, 5) is None
    assert change_in(values, 0.01) is not None


def test_throughput_that_still_rises_is_not_steady_and_is_said_in_figures():
    rates = [100.0 * at for at in range(1, 11)]
    assert unsteady_because(seconds(rates, [0] * 10)).startswith("throughput went from ")


def test_a_backlog_that_grows_evenly_is_steady():
    rates = noise(20, 1000, 20, 1)
    assert unsteady_because(seconds(rates, [300 * at for at in range(20)])) == ""


def test_a_backlog_that_begins_to_grow_is_not_steady():
    rates = noise(20, 1000, 20, 1)
    backlogs: list[int | None] = [0] * 10 + [400 * at for at in range(1, 11)]
    assert "the backlog of m2 changed by +0 tx/s, then by +400 tx/s" in unsteady_because(seconds(rates, backlogs))


def test_a_few_seconds_say_nothing_and_no_commits_are_not_steady():
    assert unsteady_because(seconds([100.0] * 5, [0] * 5)) == "5 seconds are too few to tell"
    assert unsteady_because(seconds([0.0] * 10, [0] * 10)) == "no transaction was committed"


def test_growth_is_measured_across_moments_at_which_the_backlog_is_unknown():
    assert growth_of("m2", seconds([1.0] * 4, [0, None, 20, 30])) == [10.0, 10.0]


@pytest.mark.parametrize(
    ("case", "changes"),
    [
        ("0_gr_healthy", False),
        ("1_gr_flowcontrol_throttled", True),  # 1,572 down to 22 tx/s
        ("6a_galera_1thread_durable_node", False),
        ("6c_galera_control", False),
    ],
)
def test_what_real_clusters_did(shared: Path, case: str, changes: bool):
    rates = json.loads((shared / "cases/recorded" / case / "series.json").read_text())["result"]["per_sec"]
    assert (change_in(rates, 0.05 * sum(rates) / len(rates)) is not None) is changes
