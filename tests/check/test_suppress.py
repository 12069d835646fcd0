"""Accepted findings: by line, file, pattern or everywhere; for a reason, until a day."""

from __future__ import annotations

import os

import pytest

from advisor.check.suppress import suppress
from advisor.model.evidence import Fact
from advisor.model.options import Suppression
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict

RULE = Rule("redo-too-small", "t", "redo", Severity.WARNING, "x > 1", "f", "w", ())
FINDING = Finding(
    RULE,
    Verdict.FINDING,
    message="m",
    because=(Fact("innodb_log_file_size", 1, "bytes", "conf/my.cnf:12"), Fact("b", 2, "", "conf/my.cnf:20")),
    file="conf/my.cnf",
    line=12,
)
JUDGEMENT = Judgement("conf/my.cnf", findings=(FINDING,))


def reason(*suppressions: Suppression) -> str:
    """The reason the finding is suppressed for on 2026-06-15, "" when it is not."""
    return suppress(JUDGEMENT, suppressions, [RULE], "2026-06-15").findings[0].suppressed


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("conf/my.cnf", 12),
        ("conf/my.cnf", 20),  # a fact it rests on
        ("conf/my.cnf", 0),
        ("", 0),
        (os.path.abspath("conf/*.cnf"), 0),
    ],
)
def test_it_covers_what_it_names(file: str, line: int) -> None:
    assert reason(Suppression("redo-too-small", file, line, "known")) == "known"


@pytest.mark.parametrize(
    ("rule", "file", "line"),
    [("redo-too-small", "conf/my.cnf", 13), ("redo-too-small", "other.cnf", 0), ("redo-too-small", "/x/*.cnf", 0)],
)
def test_it_covers_nothing_else(rule: str, file: str, line: int) -> None:
    assert reason(Suppression(rule, file, line, "known")) == ""


def test_it_ends_after_its_day() -> None:
    assert reason(Suppression("redo-too-small", "", 0, "known", "2026-06-15")) == "known"
    assert reason(Suppression("redo-too-small", "", 0, "known", "2026-06-14")) == ""


@pytest.mark.parametrize(
    ("suppression", "problem"),
    [
        (Suppression("redo-small", "a.cnf", 3), "a.cnf:3: ignoring redo-small has no effect: there is no such rule"),
        (Suppression("redo-too-small", "", 0, "", "soon"), "until=soon is not a date such as 2027-01-31"),
        (Suppression("redo-too-small", "", 0, "", "2026-01-01"), "it expired on 2026-01-01"),
    ],
)
def test_one_without_effect_is_told(suppression: Suppression, problem: str) -> None:
    [told] = suppress(JUDGEMENT, [suppression, suppression], [RULE], "2026-06-15").problems
    assert problem in told


def test_one_without_a_reason_is_still_marked() -> None:
    assert reason(Suppression("redo-too-small", "", 0)) == "no reason given"
