"""How probable is each cause, judged by the signs and the words of a report together?

The log-odds by the signs and the log-probability by the words are added, each with a fitted weight, and scaled so that
the probabilities of all causes that can apply sum to one: exactly one cause is assumed to be the main one. Signs and
words come from the same report, so their weights are not one. A cause without a sign keeps a chance (`unseen`). The
weights are fitted on reports for which no sign had been written yet, with words learnt from other reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

from advisor.model.record import record, replace

_LEAST_BY_SIGNS, _MOST_BY_SIGNS = 0.001, 0.95


@record
class Mixture:
    """The weights of signs and words, and what a cause keeps without any sign or any word.

    A report of `half_at` known terms gives its words half of their weight: a few words may stand there for any reason.
    As the words gain weight, that of the signs falls from `signs_alone` to `signs`: they were read from the same words.
    """

    signs_alone: float
    signs: float
    words: float
    half_at: float
    unseen: float
    unsaid: float

    def of_report(self, terms: int) -> Mixture:
        """The weights for a report of so many known terms."""
        share = terms / (terms + self.half_at)
        signs = self.signs_alone + (self.signs - self.signs_alone) * share
        return replace(self, signs=signs, words=self.words * share)


@record
class Seen:
    """What the signs say of a cause: its confidence by them, and the share of belief that signs against it leave."""

    confidence: float = 0.0
    left: float = 1.0


def posterior(by_signs: Mapping[str, Seen], by_words: Mapping[str, float], mixture: Mixture) -> dict[str, float]:
    """The probability of each cause of `by_signs`; they sum to one."""
    scores = {cause: _score(seen, by_words.get(cause, 0.0), mixture) for cause, seen in by_signs.items()}
    most = max(scores.values(), default=0.0)
    parts = {cause: exp(score - most) for cause, score in scores.items()}
    of_all = sum(parts.values())
    return {cause: part / of_all for cause, part in parts.items()}


def _score(signs: Seen, by_words: float, mixture: Mixture) -> float:
    """The score of a cause. Signs against it reduce what its words say, and the chance it keeps without any sign."""
    seen = min(_MOST_BY_SIGNS, max(mixture.unseen * signs.left, signs.confidence, _LEAST_BY_SIGNS))
    return mixture.signs * log(seen / (1 - seen)) + mixture.words * log(by_words * signs.left + mixture.unsaid)
