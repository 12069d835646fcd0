"""Probabilities of hypotheses: one candidate keeps its confidence, several share what there is, the order stays."""

from __future__ import annotations

import itertools

import pytest

from advisor.model.diagnosis import Differential, RankedCause
from advisor.why.differential.probability import MOST_LISTED, differential_of, doubt_bits
from advisor.why.rules.loader import load_causes


def differential(*confidences: float) -> Differential:
    """The differential of the first causes, with these confidences."""
    named = zip(load_causes(), confidences, strict=False)
    found = differential_of([RankedCause(cause, "m1", value, ()) for cause, value in named])
    assert found is not None
    return found


def test_nothing_to_choose_from_is_no_differential() -> None:
    assert differential_of([]) is None


@pytest.mark.parametrize("confidence", [0.01, 0.2, 0.45, 0.97])
def test_a_single_candidate_keeps_its_confidence(confidence: float) -> None:
    alone = differential(confidence)
    assert alone.hypotheses[0].probability == pytest.approx(confidence)
    assert alone.rest == pytest.approx(1 - confidence)


def test_it_is_what_independent_causes_leave_if_one_at_most_is_at_work() -> None:
    """Every combination of three causes counted out, and those with two or three of them dropped."""
    confidences = (0.45, 0.3, 0.1)
    weights = {}
    for present in itertools.product((0, 1), repeat=3):
        weight = 1.0
        for at_work, likely in zip(present, confidences, strict=True):
            weight *= likely if at_work else 1 - likely
        if sum(present) <= 1:
            weights[present] = weight
    counted = [weights[one] / sum(weights.values()) for one in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))]
    found = differential(*confidences)
    assert [*(each.probability for each in found.hypotheses), found.rest] == pytest.approx(counted)


def test_five_are_listed_in_their_order_and_the_others_are_something_else() -> None:
    found = differential(0.2, 0.1, 0.45, 0.05, 0.3, 0.25, 0.15)
    assert [each.ranked.confidence for each in found.hypotheses] == [0.2, 0.45, 0.3, 0.25, 0.15]
    assert len(found.hypotheses) == MOST_LISTED
    assert sum(each.probability for each in found.hypotheses) + found.rest == pytest.approx(1)
    assert found.rest > differential(0.2, 0.45, 0.3, 0.25, 0.15).rest * 0.9


def test_doubt_is_that_of_a_coin_of_a_die_and_of_what_is_known() -> None:
    assert doubt_bits([0.5, 0.5]) == pytest.approx(1)
    assert doubt_bits([1 / 8] * 8) == pytest.approx(3)
    assert doubt_bits([1.0, 0.0]) == 0
