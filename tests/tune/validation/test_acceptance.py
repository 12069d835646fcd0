"""What blocks prove, and what may be chance: intervals, p-values, verdicts."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from advisor.tune.validation.acceptance import compare, holm, mean_interval, ratio_to, sign_flip_p


def test_a_real_gain_is_accepted_and_none_is_not():
    dice = random.Random(4)
    blocks = [1000.0 * math.exp(dice.gauss(0, 0.2)) for _ in range(8)]  # the machine's mood, alike for all in a block

    def like(ratio: float) -> list[float]:
        return [rate * ratio * math.exp(dice.gauss(0, 0.02)) for rate in blocks]

    others = {"better": like(1.3), "same": like(1.0), "barely": like(1.02), "late": like(1.3)}
    lags = {"better": [100.0] * 8, "late": [990.0, 1100.0] * 4}
    found = {one.name: one for one in compare(blocks, others, lags, 1000.0)}
    assert found["better"].accepted
    assert found["better"].ratio.low < 1.3 < found["better"].ratio.high
    assert not found["same"].accepted
    assert "not significantly above 3%" in found["barely"].why_not
    assert found["late"].why_not == "its lag exceeded the limit in at least one block"


def test_too_few_blocks_prove_nothing():
    (one,) = compare([1000.0] * 4, {"better": [1500.0, 1490.0, 1510.0, 1505.0]}, {}, 1000.0)
    assert not one.accepted
    assert one.why_not == "it ran in 4 blocks, but at least 6 are needed"


def test_the_interval_holds_the_truth_as_often_as_it_says():
    dice = random.Random(6)
    held = 0
    for seed in range(200):
        low, high = mean_interval([dice.gauss(0.1, 0.05) for _ in range(12)], seed, resamples=1000)
        held += low <= 0.1 <= high
    assert 0.86 <= held / 200 <= 0.99


def test_p_values_are_exact_and_corrected_for_being_several():
    assert sign_flip_p([0.1] * 6) == pytest.approx(1 / 64)
    assert sign_flip_p([0.1, -0.1]) == pytest.approx(0.75)
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})


def test_what_never_varies_and_what_is_too_little_has_an_interval_all_the_same():
    assert mean_interval([0.1] * 6) == (0.1, 0.1)
    assert mean_interval([0.1] * 5 + [0.1 + 1e-16])[0] == pytest.approx(0.1)
    assert mean_interval([0.1]) == (-math.inf, math.inf)
    assert sign_flip_p([0.0] * 6) == 1.0
    assert sign_flip_p([0.1]) == sign_flip_p([]) == 1.0, "one block says nothing"


def test_a_seed_gives_the_same_interval_and_p_value_again():
    dice = random.Random(1)
    values = [dice.gauss(0.1, 0.2) for _ in range(16)]  # too many for every sign flip
    assert mean_interval(values, 3) == mean_interval(values, 3) != mean_interval(values, 4)
    assert sign_flip_p(values, 3) == sign_flip_p(values, 3)


def test_blocks_of_recorded_runs_have_the_ratios_they_were_reported_with(checkout: Path):
    compared = 0
    for file in sorted((checkout / "docs/tuning-proofs").glob("*.json")):
        first, *others = json.loads(file.read_text(encoding="utf-8"))["contenders"] or [None]
        for other in others:
            again = ratio_to(*([rate or 0.0 for rate in run["rates"]] for run in (first, other)))
            told = other["ratio"]
            noise = 0.03 * (told["high"] - told["low"])  # of ten thousand resamples, from one seed to another
            assert again.mid == pytest.approx(told["mid"])
            assert (again.low, again.high) == pytest.approx((told["low"], told["high"]), abs=noise)
            compared += 1
    assert compared >= 5
