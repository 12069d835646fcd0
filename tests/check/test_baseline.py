"""Baselines: the findings that were there before, recognised after lines have moved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.check.baseline import accept, read, record
from advisor.errors import InputError
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict

RULE = Rule("redo-too-small", "t", "redo", Severity.WARNING, "x > 1", "f", "w", ())
FINDING = Finding(RULE, Verdict.FINDING, member="db1", message="m", file="conf/my.cnf", line=12)
JUDGEMENT = Judgement("conf/my.cnf", findings=(FINDING, replace(FINDING, verdict=Verdict.UNKNOWN)))


def test_what_is_recorded_is_accepted_also_when_its_line_has_moved() -> None:
    known = read(record([JUDGEMENT], "conf"), "known.json")
    assert known == {("redo-too-small", "my.cnf", "db1", "")}
    moved = replace(JUDGEMENT, findings=(replace(FINDING, line=40),))
    assert accept(moved, known, "conf").findings[0].suppressed == "in the baseline"


@pytest.mark.parametrize("change", [{"member": "db2"}, {"item": "x"}, {"file": "conf/other.cnf"}])
def test_another_member_item_or_file_is_new(change: dict[str, str]) -> None:
    known = read(record([JUDGEMENT], "."), "known.json")
    other = replace(JUDGEMENT, findings=(replace(FINDING, **change),))  # type: ignore[arg-type]
    assert accept(other, known, ".").findings[0].suppressed == ""


def test_only_findings_are_recorded_not_what_is_unknown_or_suppressed() -> None:
    hidden = replace(JUDGEMENT, findings=(replace(FINDING, suppressed="known"),))
    assert read(record([hidden], "."), "known.json") == frozenset()


@pytest.mark.parametrize("text", ["", "[]", '{"schema": "x"}', '{"schema": "advisor/baseline/1", "findings": [{}]}'])
def test_what_is_no_baseline_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read(text, "known.json")
