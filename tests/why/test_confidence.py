"""How sure one may be: more agreement never lowers it, and what cannot decide stays below one half."""

from __future__ import annotations

import itertools

import pytest

from advisor.model.diagnosis import SURE
from advisor.why.confidence import MOST, UNDECIDED, EvidenceKind, Weight, confidence


def sign(
    strength: float, kind: EvidenceKind = EvidenceKind.MEASURED, root: str = "a", *, separates: bool = False
) -> Weight:
    return Weight(strength, separates, kind, frozenset({root}))


ALL = [
    Weight(strength, separates, kind, frozenset({root}))
    for strength, separates, kind, root in itertools.product((0.3, 0.9), (True, False), EvidenceKind, ("a", "b"))
]


def test_no_sign_is_no_confidence() -> None:
    assert confidence([], [])[0] == 0


@pytest.mark.parametrize("seen", [list(pair) for pair in itertools.combinations(ALL, 2)])
def test_a_further_sign_never_lowers_it(seen: list[Weight]) -> None:
    assert confidence(seen, [])[0] >= confidence(seen[:1], [])[0] - 1e-12


def test_signs_take_away_doubt_one_after_the_other() -> None:
    assert confidence([sign(0.5, separates=True), sign(0.5, root="b")], [])[0] == pytest.approx(0.75)


def test_what_speaks_against_lowers_it() -> None:
    assert confidence([sign(0.8, separates=True)], [0.9])[0] == pytest.approx(0.08)


def test_settings_alone_never_decide() -> None:
    value, why = confidence(
        [sign(0.9, EvidenceKind.SETTINGS, separates=True), sign(0.9, EvidenceKind.SETTINGS, "b", separates=True)], []
    )
    assert UNDECIDED < value < SURE
    assert why == "settings alone do not show what limits the rate"


def test_totals_since_the_start_never_decide() -> None:
    value, why = confidence(
        [sign(0.9, EvidenceKind.SINCE_START, separates=True), sign(0.9, EvidenceKind.SETTINGS, "b")], []
    )
    assert UNDECIDED < value < SURE
    assert why == "totals since the server started"


def test_one_sign_that_other_causes_show_too_does_not_decide() -> None:
    assert UNDECIDED < confidence([sign(0.9)], [])[0] < SURE


def test_candidates_keep_their_order_below_one_half() -> None:
    assert confidence([sign(0.6)], [])[0] < confidence([sign(0.9)], [])[0] < confidence([sign(0.99)], [])[0] < SURE


def test_two_signs_of_the_same_fact_do_not_decide_and_of_two_facts_do() -> None:
    assert confidence([sign(0.9), sign(0.9)], [])[0] < SURE
    assert confidence([sign(0.9), sign(0.9, root="b")], [])[0] > 0.9


def test_nothing_is_certain() -> None:
    assert confidence([sign(0.99, separates=True)] * 5, [])[0] == MOST
