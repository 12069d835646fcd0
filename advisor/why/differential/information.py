"""How much of the doubt does an observation settle? Its expected information about the hypotheses, in bits.

The mutual information of hypothesis and answer: the entropy of the answer, less the entropy that remains if the
truth is known. An observation that can be wrong settles less. If its answer is known beforehand, it settles nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from advisor.why.differential.asking import Asking
from advisor.why.differential.probability import doubt_bits


def expected_bits(probabilities: Sequence[float], told_apart: Sequence[Collection[int]], asking: Asking) -> float:
    """What an observation tells that can name one of several groups of hypotheses, or none of them.

    `told_apart`: the groups, by the places of hypotheses in `probabilities`; a yes-or-no question has one. A group that
    is true is named with `asking.yes`; where no group is true, none is named with `asking.no`, else any of them.
    """
    answers = [0.0] * (len(told_apart) + 1)  # the last: none of them
    remaining = 0.0
    for place, probability in enumerate(probabilities):
        chances = _chances(place, told_apart, asking)
        answers = [total + probability * chance for total, chance in zip(answers, chances, strict=True)]
        remaining += probability * doubt_bits(chances)
    return max(0.0, doubt_bits(answers) - remaining)


def _chances(place: int, told_apart: Sequence[Collection[int]], asking: Asking) -> list[float]:
    """How likely each answer is where the hypothesis at this place is true."""
    own = next((number for number, group in enumerate(told_apart) if place in group), None)
    if own is None:
        return [(1 - asking.no) / len(told_apart)] * len(told_apart) + [asking.no]
    return [asking.yes if number == own else 0.0 for number in range(len(told_apart))] + [1 - asking.yes]
