"""The first cause with its strongest evidence and what would prove it wrong, the others in brief, in every form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from advisor.model.diagnosis import Diagnosis, SeenSign
from advisor.model.record import replace
from advisor.report.why import html, markdown, text
from advisor.report.why.hypotheses import further_causes, other_observation, refutation, speaking_for
from advisor.report.words.layout import Page
from tests.report.diagnosed import diagnosis

PAGE = Page(80, False)
FORMS: Final[dict[str, Callable[[Diagnosis], str]]] = {
    "text": lambda found: text.render(found, PAGE),
    "markdown": markdown.render,
    "html": html.render,
}


def with_signs(*signs: SeenSign) -> Diagnosis:
    first = replace(diagnosis().causes[0], signs=signs)
    return replace(diagnosis(), causes=(first, *diagnosis().causes[1:]))


def test_the_strongest_evidence_comes_first() -> None:
    first = with_signs(
        SeenSign("weak", 0.2, ()), SeenSign("no", 0.9, (), speaks_for=False), SeenSign("strong", 0.8, ())
    )
    assert [sign.says for sign in speaking_for(first.causes[0])] == ["strong", "weak"]


def test_what_would_prove_it_wrong_has_a_look_a_doubt_and_what_is_left_open() -> None:
    wrong = refutation(diagnosis().causes[0], diagnosis())
    assert wrong.find_out == "whether the backlog shrinks with several workers"
    assert wrong.command == "SHOW REPLICA STATUS\\G"
    assert wrong.against == "only half of it waits"
    assert wrong.left == "of the time of the appliers of db2, 70 % is explained by this cause, 30 % is unexplained"


def test_what_a_cause_does_not_explain_is_named() -> None:
    first = diagnosis().causes[0]
    half = replace(first, cause=replace(first.cause, explains={"appliers": ("redo_sync",)}))
    assert "20 % is “writes and syncs the binary log”" in refutation(half, diagnosis()).left
    assert refutation(half, replace(diagnosis(), profile=())).left == ""


def test_an_observation_that_was_told_is_not_told_again() -> None:
    assert other_observation(diagnosis()) == diagnosis().next
    first = diagnosis().causes[0]
    same = replace(
        diagnosis(), causes=(replace(first, cause=replace(first.cause, settles="whether the backlog shrinks")),)
    )
    assert other_observation(same) is None


def test_what_is_hardly_likely_is_no_hypothesis() -> None:
    first, second = diagnosis().causes
    assert further_causes(replace(diagnosis(), causes=(first, replace(second, confidence=0.05)))) == []


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_parts_in_the_same_order(form: str) -> None:
    shown = " ".join(FORMS[form](diagnosis()).replace("\\", "").replace("<wbr>", "").split())
    rest = shown.partition('id="reply"')[2] or shown  # a page has a heading that names the cause
    for part in (
        "Copies replay changes one by one.",  # the reply
        "Held back by flow control",  # the profile
        "replica_parallel_workers = 1",
        "hat would prove us wrong",
        "several workers",
        "urther hypotheses",
        "The round trip between the servers is long",
        "a round trip takes 4 ms",
        "he round trip between the servers",
        "a single applier worker",  # the ceilings
        "flow control of the group",  # the time breakdown
    ):
        before, found, rest = rest.partition(part)
        assert found, f"{part} is not after {before[:80]}"


@pytest.mark.parametrize("form", FORMS)
def test_three_signs_are_in_sight(form: str) -> None:
    many = with_signs(*(SeenSign(f"sign number {at}", 0.9 - at / 10, ()) for at in range(5)))
    seen, _, rest = FORMS[form](many).partition("2 more")
    assert "sign number 2" in seen
    assert "sign number 3" not in seen
    assert rest


def test_lines_of_the_terminal_fit() -> None:
    long = SeenSign("a long sentence " * 20, 0.9, ())
    second = replace(diagnosis().causes[1], signs=(long,))
    found = replace(diagnosis(), causes=(replace(diagnosis().causes[0], signs=(long,)), second))
    assert max(map(len, text.render(found, PAGE).splitlines())) <= 80
