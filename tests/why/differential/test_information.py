"""Expected information: a sure answer settles all of a coin, an unsure one less, what is known beforehand nothing."""

from __future__ import annotations

from math import log2

import pytest

from advisor.why.differential.asking import Asking
from advisor.why.differential.information import expected_bits

SURE = Asking("sure", "", 1.0, 1.0, 1.0)


def asking(yes: float, no: float) -> Asking:
    return Asking("unsure", "", 1.0, yes, no)


def test_a_sure_answer_settles_a_coin() -> None:
    assert expected_bits([0.5, 0.5], [{0}], SURE) == pytest.approx(1)
    assert expected_bits([0.5, 0.5], [{0, 1}], SURE) == 0, "it says yes whatever is true"


def test_an_answer_that_is_wrong_as_often_as_right_tells_nothing() -> None:
    assert expected_bits([0.3, 0.7], [{0}], asking(0.5, 0.5)) == pytest.approx(0)


def test_it_is_the_channel_of_the_text_books() -> None:
    """A binary symmetric channel with an even source: 1 − h(ε) bits."""
    right = 0.9
    lost = -(right * log2(right) + (1 - right) * log2(1 - right))
    assert expected_bits([0.5, 0.5], [{0}], asking(right, right)) == pytest.approx(1 - lost)


def test_halving_tells_most_and_more_trust_tells_more() -> None:
    probabilities = [0.25, 0.25, 0.25, 0.25]
    half, quarter = ([{0, 1}], [{0}])
    assert expected_bits(probabilities, half, SURE) > expected_bits(probabilities, quarter, SURE)
    assert expected_bits(probabilities, half, asking(0.9, 0.9)) > expected_bits(probabilities, half, asking(0.7, 0.9))


def test_naming_one_of_several_tells_more_than_yes_or_no() -> None:
    probabilities = [0.25, 0.25, 0.25, 0.25]
    assert expected_bits(probabilities, [{0}, {1}, {2}], SURE) == pytest.approx(2)
    assert expected_bits(probabilities, [{0}], SURE) < 1
