"""The fit of confidences: judged on cases it did not see, as simple as it may be, from answers labelled right."""

from __future__ import annotations

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from advisor.data import parse_documents
from advisor.evidence import read_path
from advisor.why import diagnose
from benchmarks.diagnosis import labelled_answers as labelled
from benchmarks.diagnosis.calibrate import (
    OFFERED,
    Judged,
    difference,
    document,
    judge,
    logistic,
    reliability,
    simplest,
)
from benchmarks.diagnosis.labelled_answers import Form, LabelledAnswer, answers_of, labelled_answers

SAMPLES = Path(__file__).parent / "samples"
FIRST = 1.5  # log-odds


def answer(case: str, by_signs: float, right: bool, *, first: bool = True, known: bool = False) -> LabelledAnswer:
    return LabelledAnswer(case, Form.LIVE, "a", by_signs, first, False, None, 1, True, True, right, known)


def answers(count: int = 600) -> list[LabelledAnswer]:
    """First answers are right by 1.5 log-odds more often, those to known cases always; two answers to each case."""
    random = np.random.default_rng(7)
    made = []
    for number in range(count):
        by_signs, first, known = float(random.uniform(0.5, 0.97)), number % 2 == 0, number % 3 == 0
        chance = 1 / (1 + exp(-(0.4 * log(by_signs / (1 - by_signs)) - 0.8 + FIRST * first)))
        right = bool(random.random() < chance) or (known and first)
        made.append(answer(f"case {number // 2}", by_signs, right, first=first, known=known))
    return made


def test_the_fit_finds_what_the_answers_were_made_from() -> None:
    lines = "\n".join(document(OFFERED[2], answers(3000), *[Judged("any", np.full(3000, 0.6))] * 2))
    data = next(parse_documents(lines, "confidence.yaml"))
    assert isinstance(data, dict)
    weights = {name: float(value) for name, value in data["weights"].items()}
    assert weights == pytest.approx({"base": -0.8, "by_signs": 0.4, "first": FIRST}, abs=0.25)
    assert data["fitted"]["answers"] == "3000"


def test_what_is_told_of_new_cases_is_what_holds_of_them() -> None:
    made = answers(3000)
    new = [not one.known for one in made]
    told = judge("told", logistic(OFFERED[2], as_new=True), made)
    for line in list(reliability("title", told, new, made))[1:-1]:
        count, right, expected = (float(word) for word in line.split()[1:4])
        assert abs(right - expected) <= max(3, 0.08 * count)


def test_no_case_is_judged_by_a_fit_that_saw_it() -> None:
    made = answers(60)
    seen: list[tuple[set[str], set[str]]] = []

    def fit(inside: object) -> object:
        def chances(outside: list[LabelledAnswer]) -> np.ndarray:
            seen.append(({one.case for one in inside}, {one.case for one in outside}))  # type: ignore[attr-defined]
            return np.full(len(outside), 0.6)

        return chances

    judge("any", fit, made)  # type: ignore[arg-type]
    assert seen
    assert all(not inside & outside for inside, outside in seen)


def test_the_simplest_that_is_not_worse_is_kept() -> None:
    made = answers()
    constant, good = Judged("constant", np.full(600, 0.5)), judge("good", logistic(OFFERED[2]), made)
    assert simplest([constant, good, good], made) == 1
    assert simplest([Judged("alike", good.chances - 1e-6), good], made) == 0
    assert difference(constant, good, made)[0] > 0


def test_answers_are_labelled_by_what_is_true() -> None:
    found = diagnose(read_path(str(SAMPLES / "hot_row")))
    right = list(answers_of(found, "case", Form.BUNDLE, {"row_lock_contention"}))
    assert right[0].first
    assert right[0].right
    assert right[0].by_signs == found.causes[0].by_signs
    assert not any(one.right for one in answers_of(found, "case", Form.BUNDLE, ()))


def test_only_open_cases_are_read_and_first_looks_are_of_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    monkeypatch.setattr(labelled, "_reported", lambda folder: read.append(folder) or [])
    found = labelled_answers(tmp_path / "none", tmp_path)
    assert read == [labelled.REPORTED, tmp_path / "reported"]
    assert "locked" not in labelled.REPORTED.parts
    assert found
    assert not any(one.known for one in found)
