"""How probable is each hypothesis, if at most one cause is present?

Each confidence is computed separately, so their sum can be any number. Suppose that each cause is present independently
of the others, with its confidence as the probability. Then the probability that *only* cause i is present is
proportional to its odds pᵢ / (1 − pᵢ), and the probability that no cause is present is proportional to 1. The latter is
shown as "something else". So a single candidate keeps its confidence, and each of several rivals gets less.

This ignores that causes can occur together, and a symptom together with its deeper cause. Also, only answers are
calibrated, not candidates below one half. On the 47 open reported cases without an answer, the probabilities are off by
1.57 bits on average; dividing confidences by their sum is off by 1.75. The likeliest hypothesis was right in 29 cases,
where 12 were expected. But the rules were made with those cases in view, so the probabilities stay this cautious.
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
