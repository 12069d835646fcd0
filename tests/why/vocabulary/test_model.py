"""The learnt model: what it knows of words, and what it makes of the reports that were written for each cause."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from advisor.data import read_documents
from advisor.errors import RuleError
from advisor.why.rules.loader import load_causes
from advisor.why.vocabulary import model
from advisor.why.vocabulary.model import load_vocabulary
from advisor.why.vocabulary.terms import terms_of

REPORTS = Path(__file__).resolve().parents[3] / "benchmarks/diagnosis/typical_reports"


def test_the_model_knows_every_cause_and_no_other() -> None:
    assert set(load_vocabulary().causes) == {cause.id for cause in load_causes()}


@pytest.mark.parametrize("file", sorted(REPORTS.glob("*.yaml")), ids=lambda file: file.stem)
def test_reports_written_for_a_cause_point_to_it(file: Path) -> None:
    document: Any = next(iter(read_documents(file)))
    assert len(document["reports"]) >= 10
    vocabulary, right = load_vocabulary(), 0
    for report in document["reports"]:
        chances = vocabulary.probabilities(vocabulary.known_terms(terms_of(report.splitlines())))
        right += document["cause"] in sorted(chances, key=lambda cause: -chances[cause])[:3]
    assert right >= 0.8 * len(document["reports"])


def test_words_that_nobody_learnt_say_nothing() -> None:
    vocabulary = load_vocabulary()
    assert vocabulary.probabilities(vocabulary.known_terms(Counter({"zyzzyva": 3}))) == {}


def test_telling_terms_are_those_of_the_report_that_speak_for_the_cause() -> None:
    vocabulary = load_vocabulary()
    known = vocabulary.known_terms(terms_of(["Waiting for semi-sync ACK from replica", "24 sessions, disk idle"]))
    terms = vocabulary.telling_terms("semisync_ack_latency", known, 3)
    assert any("ack" in term or "semi" in term for term in terms)
    assert set(terms) <= set(known)


def test_a_torn_file_is_refused_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vocabulary.json").write_text('{"causes": [')
    monkeypatch.setattr(model, "folder", lambda _: str(tmp_path))
    with pytest.raises(RuleError, match="vocabulary"):
        load_vocabulary.__wrapped__()
