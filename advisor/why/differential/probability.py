"""How probable is each hypothesis, if one cause at most is at work?

Confidences are those of causes judged one by one, and add up to anything. If each cause were at work independently of
the others, with its confidence as the probability, then *only* cause i is at work with a probability proportional to
its odds pᵢ / (1 − pᵢ), and none of them in proportion to 1. The share of "none of them" is what stands for something
else. So a single candidate keeps its confidence, and of several that contradict each other each gets less.

What this leaves out: causes do occur together, and a symptom with the deeper cause that makes it; and only answers are
calibrated, not the candidates below one half. Of the 47 open reported cases in which nothing decides, it is off by 1.57
bits on average, where dividing by the sum is off by 1.75. The likeliest hypothesis was right in 29, where 12 were
expected; but the rules were made with those cases in view, so it stays as cautious as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from advisor.model.diagnosis import Differential, Hypothesis, RankedCause
from advisor.why.confidence import MOST

MOST_LISTED = 5  # more is not looked into


def differential_of(candidates: Sequence[RankedCause]) -> Differential | None:
    """The likeliest candidates in their order, each with its probability; None without candidates."""
    if not candidates:
        return None
    odds = [_odds(each.confidence) for each in candidates]
    of_all = 1 + sum(odds)
    listed = sorted(range(len(candidates)), key=lambda place: -odds[place])[:MOST_LISTED]
    hypotheses = tuple(Hypothesis(candidates[place], odds[place] / of_all) for place in sorted(listed))
    rest = 1 - sum(each.probability for each in hypotheses)
    return Differential(hypotheses, rest, doubt_bits([*(each.probability for each in hypotheses), rest]))


def doubt_bits(probabilities: Sequence[float]) -> float:
    """The entropy: how many yes-or-no questions with sure answers it takes on average to know which one it is."""
    return -sum(share * log2(share) for share in probabilities if share > 0)


def _odds(confidence: float) -> float:
    return min(confidence, MOST) / (1 - min(confidence, MOST))
