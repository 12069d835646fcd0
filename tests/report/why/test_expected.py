"""Every form says what corrected a prediction, and the document what it was before."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest

from advisor.model.diagnosis import Diagnosis
from advisor.model.record import replace
from advisor.report.why import document, html, markdown, text
from advisor.report.words.layout import Page
from advisor.why.verified.correction import corrected_by
from advisor.why.verified.pair import VerifiedChange
from tests.report.diagnosed import diagnosis
from tests.why.verified.a_change import CHANGE

FORMS: Final[dict[str, Callable[[Diagnosis], str]]] = {
    "text": lambda found: text.render(found, Page(80, False)),
    "markdown": markdown.render,
    "html": html.render,
}
CALIBRATED: Final = "calibrated on 4 verified changes on this machine"


def corrected() -> Diagnosis:
    """Four changes on this machine gave half of what was predicted."""
    half = VerifiedChange("applier_single_threaded", (), 900.0, 1000.0, 1100.0, 400.0, 500.0, "", "", "")
    return corrected_by([half] * 4, diagnosis())


@pytest.mark.parametrize("form", FORMS)
def test_it_says_on_how_many_changes_it_is_calibrated(form: str) -> None:
    assert CALIBRATED in " ".join(FORMS[form](corrected()).split())
    assert "calibrated on" not in FORMS[form](diagnosis())


def test_the_document_has_both_predictions() -> None:
    told = json.loads(document.render(corrected()))["causes"][0]["predicted_per_second"]
    assert told["calibrated_on"] == 4
    assert told["uncalibrated"] == [9000, 10_400, 12_000]
    assert told["mid"] < 10_400
    plain = json.loads(document.render(diagnosis()))["causes"][0]["predicted_per_second"]
    assert (plain["calibrated_on"], plain["uncalibrated"]) == (0, None)


def test_a_trial_says_whose_advice_it_was() -> None:
    found = json.loads(document.render(replace(diagnosis(), trials=(CHANGE,))))
    assert found["trials"][0]["cause"] == "applier_single_threaded"
