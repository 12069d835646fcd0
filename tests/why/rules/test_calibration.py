"""The confidence told of an answer keeps the order, is never certain, and leaves candidates as they are."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from advisor.errors import RuleError
from advisor.evidence import read_path
from advisor.model.diagnosis import SURE, RankedCause
from advisor.why import diagnose
from advisor.why.rules import calibration as module
from advisor.why.rules.calibration import Calibration, calibrated, load_calibration
from advisor.why.rules.loader import load_causes

SAMPLES = Path(__file__).parents[1] / "samples"
STEEP = Calibration(base=-1.0, by_signs=1.5, first=0.5)


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
