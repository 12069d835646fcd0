"""Signs and words together: what both say counts most, and what is refuted stays behind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.why.vocabulary.posterior import Mixture, Seen, posterior

MIXTURE = Mixture(signs_alone=1.0, signs=1.0, words=1.5, half_at=30, unseen=0.1, unsaid=0.003)
SHARES = st.floats(0, 1)


@given(st.dictionaries(st.sampled_from("abcdef"), st.tuples(SHARES, SHARES, SHARES), min_size=1))
def test_the_probabilities_sum_to_one(said: dict[str, tuple[float, float, float]]) -> None:
    seen = {cause: Seen(confidence, left) for cause, (confidence, left, _) in said.items()}
    chances = posterior(seen, {cause: words for cause, (_, _, words) in said.items()}, MIXTURE)
    assert sum(chances.values()) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in chances.values())


def test_a_cause_by_signs_and_words_comes_before_one_by_either_alone() -> None:
    chances = posterior({"both": Seen(0.6), "signs": Seen(0.6), "words": Seen()}, {"both": 0.5, "words": 0.5}, MIXTURE)
    assert max(chances, key=lambda cause: chances[cause]) == "both"
    assert chances["both"] > chances["signs"]
    assert chances["both"] > chances["words"]


def test_words_do_not_bring_back_what_evidence_refutes() -> None:
    words = {"refuted": 0.6, "possible": 0.3}
    refuted = posterior({"refuted": Seen(0.0, 0.05), "possible": Seen()}, words, MIXTURE)
    untouched = posterior({"refuted": Seen(), "possible": Seen()}, words, MIXTURE)
    assert untouched["refuted"] > 0.5 > refuted["refuted"]


def test_the_fewer_words_a_report_has_the_more_its_signs_count() -> None:
    mixture = Mixture(signs_alone=1.0, signs=0.2, words=1.5, half_at=15, unseen=0.1, unsaid=0.003)
    assert (mixture.of_report(0).signs, mixture.of_report(0).words) == (1.0, 0.0)
    halfway = mixture.of_report(15)
    assert (halfway.signs, halfway.words) == (pytest.approx(0.6), pytest.approx(0.75))
    seen, words = {"signs": Seen(0.7), "words": Seen()}, {"words": 0.6, "signs": 0.01}
    few, many = (posterior(seen, words, mixture.of_report(terms)) for terms in (2, 150))
    assert few["signs"] > 0.5 > many["signs"]
