"""The terminal report: one client is one, and the rest of its time is not called work where sessions were idle."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import RankedCause
from advisor.model.record import replace
from advisor.model.rules import Advice, Risk
from advisor.report.why import markdown, text
from advisor.report.words.layout import Page
from tests.report.diagnosed import diagnosis

PAGE = Page(80, False)


@pytest.mark.parametrize(
    ("clients", "heading"),
    [
        (1.0, "where the client's time goes"),
        (64.0, "where the time of 64 clients goes"),
        (None, "the clients' time goes"),
    ],
)
def test_whose_time_it_is_agrees_in_number(clients: float | None, heading: str) -> None:
    breakdown = replace(diagnosis().time_breakdown, clients=clients)
    assert heading in text.render(replace(diagnosis(), time_breakdown=breakdown), PAGE)


def test_the_rest_is_idle_where_the_process_lists_show_idle_sessions() -> None:
    busy = diagnosis().time_breakdown
    idle = replace(busy, states=(("idle", 1.0), ("updating", 0.001)))
    assert "not broken down, mostly work inside statements" in text.render(diagnosis(), PAGE)
    shown = text.render(replace(diagnosis(), time_breakdown=idle), PAGE)
    assert "not broken down, mostly idle" in shown
    assert "updating" not in shown, "0 % is not worth a word"


def without_anything_to_do(ranked: RankedCause) -> RankedCause:
    return replace(ranked, advice=Advice(risk=(Risk.R2,), costs="a restart"), changes=())


def test_risk_and_costs_are_those_of_something_to_do() -> None:
    bare = replace(diagnosis(), causes=(without_anything_to_do(diagnosis().causes[0]),))
    assert "R2" in text.render(diagnosis(), PAGE)
    assert "R2" not in text.render(bare, PAGE) + markdown.render(bare)


def test_without_a_cause_both_reports_say_so() -> None:
    none = replace(diagnosis(), causes=())
    assert "the evidence does not point to any cause" in text.render(none, PAGE)
    assert "The evidence does not point to any cause." in markdown.render(none)
