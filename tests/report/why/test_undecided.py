"""Where nothing decides, every form shows the hypotheses with probabilities that add up, and what to look at next."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

import pytest

from advisor.model.diagnosis import Diagnosis
from advisor.model.record import replace
from advisor.report.why import document, html, markdown, text
from advisor.report.words.layout import Page
from advisor.why.differential.choice import best_observation
from advisor.why.differential.probability import differential_of
from tests.report.diagnosed import diagnosis

PAGE = Page(80, False)
FORMS: Final[dict[str, Callable[[Diagnosis], str]]] = {
    "text": lambda found: text.render(found, PAGE),
    "markdown": markdown.render,
    "html": html.render,
}


def undecided() -> Diagnosis:
    """The same cluster with less evidence: 0.45 and 0.3 for its two causes."""
    causes = tuple(replace(cause, confidence=min(cause.confidence, 0.45)) for cause in diagnosis().causes)
    differential = differential_of(causes)
    assert differential is not None
    best = best_observation(differential, collected=True)
    return replace(diagnosis(), causes=causes, differential=differential, next=best)


def shown(form: str, found: Diagnosis) -> str:
    plain = FORMS[form](found).replace("<wbr>", "")
    if form == "html":
        plain = re.sub(r"<[^>]+>", " ", plain.partition("<body")[2])
    return " ".join(plain.replace("\\", "").replace(" %", "%").split())


@pytest.mark.parametrize("form", FORMS)
def test_each_hypothesis_has_its_probability_and_what_speaks_for_it(form: str) -> None:
    """Odds of 0.818 and 0.429 to 1 for something else: 36 %, 19 % and 45 %."""
    seen = shown(form, undecided())
    for part in ("36%", "19%", "45%", "replica_parallel_workers = 1", "a round trip takes 4 ms"):
        assert part in seen
    assert "omething else" in seen
    assert "confidence 0.87" not in seen


@pytest.mark.parametrize("form", FORMS)
def test_the_observation_says_what_it_takes_and_how_much_of_the_doubt_it_settles(form: str) -> None:
    found = undecided()
    assert found.next is not None
    seen = shown(form, found)
    assert found.next.need[1:] in seen
    assert f"would settle {found.next.settles * 100:.0f}% of the doubt" in seen
    assert found.next.takes in seen


def test_the_look_that_is_told_as_the_next_is_not_told_again_as_what_would_prove_us_wrong() -> None:
    found = undecided()
    first = found.causes[0]
    own = replace(found, next=replace(found.next, need=first.cause.settles, command=first.cause.command))
    assert "find out" in text.render(found, PAGE)
    assert "find out" not in text.render(own, PAGE)
    assert text.render(own, PAGE).count(first.cause.command) == 1


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_has_a_confidence_and_no_probability_of_something_else(form: str) -> None:
    seen = shown(form, diagnosis())
    assert "omething else" not in seen
    assert "of the doubt" not in seen


@pytest.mark.parametrize("form", FORMS)
def test_hypotheses_that_no_sign_points_to_are_shown_too(form: str) -> None:
    """As where a wait has several possible causes: the list of causes is empty, the differential is not."""
    found = replace(undecided(), causes=())
    assert "36%" in shown(form, found)
    assert "does not point to any" not in shown(form, found)


def test_lines_of_the_terminal_fit() -> None:
    assert max(map(len, text.render(undecided(), PAGE).splitlines())) <= 80


def test_the_document_has_hypotheses_that_add_up_and_the_bits() -> None:
    found = json.loads(document.render(undecided()))
    differential = found["differential"]
    likely = [each["probability"] for each in differential["hypotheses"]]
    assert sum(likely) + differential["something_else"] == pytest.approx(1, abs=0.002)
    assert [each["cause"] for each in differential["hypotheses"]] == ["applier_single_threaded", "network_latency"]
    assert differential["hypotheses"][0]["because"][0]["says"] == "replica_parallel_workers = 1"
    assert found["next"]["bits"] == pytest.approx(found["next"]["settles"] * differential["doubt_bits"], abs=0.002)
    answered = json.loads(document.render(diagnosis()))
    assert answered["differential"] is None
    assert (answered["next"]["bits"], answered["next"]["yes_for"]) == (None, [])
