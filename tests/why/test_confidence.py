"""How sure one may be: more agreement never lowers it, and what cannot decide stays below one half."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from advisor.errors import RuleError
from advisor.evidence import read_path
from advisor.model.diagnosis import SURE, RankedCause
from advisor.why import confidence as module
from advisor.why import diagnose
from advisor.why.confidence import (
    MOST,
    UNDECIDED,
    Calibration,
    EvidenceKind,
    Weight,
    calibrated,
    confidence,
    load_calibration,
)
from advisor.why.rules.loader import load_causes

SAMPLES = Path(__file__).parent / "samples"
STEEP = Calibration(base=-1.0, by_signs=1.5, first=0.5)


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


def ranked(*values: float) -> list[RankedCause]:
    """Causes in this order, with these confidences by their signs."""
    return [RankedCause(cause, "m1", value, ()) for cause, value in zip(load_causes(), values, strict=False)]


def told(by: Calibration, *values: float) -> list[float]:
    return [each.confidence for each in calibrated(ranked(*values), by)]


@pytest.mark.parametrize("by", [load_calibration(), STEEP, Calibration(5, 1, 1), Calibration(-5, 1, 1)])
def test_answers_stay_answers_in_their_order_and_candidates_stay_as_they_are(by: Calibration) -> None:
    for values in itertools.product((0.97, 0.8, 0.5, 0.45, 0.1), repeat=3):
        after = told(by, *values)
        assert [value >= SURE for value in after] == [value >= SURE for value in values]
        assert [new for new in after if new < SURE] == [value for value in values if value < SURE]
        answers = [new for new in after if new >= SURE]
        assert answers == sorted(answers, reverse=True)
        assert all(value < 0.97 for value in answers)


def test_a_likelier_answer_is_told_with_more_and_the_first_with_most() -> None:
    assert told(STEEP, 0.9)[0] > told(STEEP, 0.7)[0]
    first, second = told(STEEP, 0.8, 0.8)
    assert first > second > SURE
    assert told(STEEP, 0.4, 0.8)[1] == first  # a candidate before it is no answer


def test_a_diagnosis_tells_what_the_shipped_weights_give_and_keeps_what_the_signs_gave() -> None:
    found = diagnose(read_path(str(SAMPLES / "hot_row")))
    first = found.causes[0]
    assert first.confidence == load_calibration().told(first.by_signs, first=True) != first.by_signs
    assert all(each.confidence == each.by_signs for each in found.causes if each.confidence < SURE)


def test_weights_that_would_turn_the_order_round_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "folder", lambda kind: str(tmp_path))
    for weights in ("base: 0\n  by_signs: -1\n  first: 0", "base: 0\n  by_signs: much\n  first: 0", "base: 0"):
        (tmp_path / "confidence.yaml").write_text(f"weights:\n  {weights}\n")
        with pytest.raises(RuleError, match=r"by_signs|much"):
            load_calibration.__wrapped__()
