"""How likely is each cause, judged by the words alone? A linear model over terms, learnt from labelled reports.

Term weights are tf-idf (1 + log of the count, times the term's idf, of length 1), the probabilities the softmax of a
multinomial logistic regression. Words that the model does not know say nothing.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import exp, log, sqrt
from typing import Final

from advisor.data import folder
from advisor.errors import RuleError
from advisor.model.record import record
from advisor.why.vocabulary.posterior import Mixture

_FILE: Final = "vocabulary.json"
_HUNDREDTHS: Final = 100.0
_FEWEST_TERMS: Final = 3  # one known word is no report


# What one term says: its idf, and positions of causes with hundredths of log-odds in turn, [3, 125, 17, -40]. They stay
# as they are read: a report has some dozens of the 30,000 terms.
TermWeights = tuple[float, list[int]]


@record
class Vocabulary:
    """The learnt model. `base` are the log-odds of each of `causes` before any word is read."""

    causes: tuple[str, ...]
    base: tuple[float, ...]
    terms: dict[str, TermWeights]
    mixture: Mixture

    def known_terms(self, counts: Counter[str]) -> dict[str, float]:
        """The tf-idf weight of every term that the model knows, together of length 1."""
        raw = {term: (1 + log(count)) * self.terms[term][0] for term, count in counts.items() if term in self.terms}
        length = sqrt(sum(weight * weight for weight in raw.values()))
        return {term: weight / length for term, weight in raw.items()} if len(raw) >= _FEWEST_TERMS else {}

    def probabilities(self, known: dict[str, float]) -> dict[str, float]:
        """P(cause | words) for every cause; nothing where too few words are known."""
        if not known:
            return {}
        scores = list(self.base)
        for term, weight in known.items():
            for place, log_odds in _by_cause(self.terms[term]):
                scores[place] += weight * log_odds
        most = max(scores)
        parts = [exp(score - most) for score in scores]
        return {cause: part / sum(parts) for cause, part in zip(self.causes, parts, strict=True)}

    def telling_terms(self, cause: str, known: dict[str, float], at_most: int) -> tuple[str, ...]:
        """The terms that speak most for a cause, strongest first; a term that is part of an earlier one is left out."""
        place = self.causes.index(cause)
        parts = {term: weight * dict(_by_cause(self.terms[term])).get(place, 0.0) for term, weight in known.items()}
        told: list[str] = []
        for term in sorted((term for term, part in parts.items() if part > 0), key=lambda term: -parts[term]):
            if len(told) < at_most and not any(set(term.split()) & set(other.split()) for other in told):
                told.append(term)
        return tuple(told)


@lru_cache(maxsize=1)
def load_vocabulary() -> Vocabulary:
    """The shipped model; RuleError when its file is not what `python -m benchmarks.diagnosis.vocabulary` writes."""
    path = os.path.join(folder("rules"), _FILE)
    try:
        with open(path, encoding="utf-8") as file:
            stated = json.load(file)
        base = tuple(float(value) for value in stated["base"])
        return Vocabulary(tuple(stated["causes"]), base, dict(stated["terms"]), Mixture(**stated["mixture"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuleError(f"the vocabulary cannot be read: {error}", file=path) from None


def _by_cause(weights: TermWeights) -> Iterator[tuple[int, float]]:
    """The positions of causes, each with the log-odds that the term adds to it."""
    _, stated = weights
    return ((place, value / _HUNDREDTHS) for place, value in zip(stated[::2], stated[1::2], strict=True))
