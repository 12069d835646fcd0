"""A rule that says the server does not start, and the reading of the options, agree: both ways, on every case."""

from __future__ import annotations

import re

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.check.cases import read_cases
from advisor.model.options import NoteKind
from advisor.model.rules import Verdict
from advisor.options import resolve

CLAIM = re.compile(r"the server does not start(?: like this)?\.")
RULES = [rule for rule in load_rules() if rule.status != "retired"]
CLAIMING = [rule for rule in RULES if CLAIM.search(rule.finding) and not rule.each]


def read_for_one_release(rules):
    """(case, its settings) of cases about one server of one release that show a file, and no more than that."""
    for rule in rules:
        for case in read_cases(rule):
            releases = parse_release(case.server) if case.server else ()
            member = case.cluster.members[0]
            alone = len(case.cluster.members) == 1 and not (member.variables or member.samples)
            if alone and member.options is not None and len(releases) == 1 and releases[0].series:
                yield case, resolve(member.options, releases[0])


@pytest.mark.parametrize("rule", CLAIMING, ids=lambda rule: rule.id)
def test_what_a_rule_says_of_a_start_the_options_say_too(rule):
    answers = {case.expect: settings.would_start for case, settings in read_for_one_release([rule])}
    assert answers[Verdict.FINDING] is False
    assert answers[Verdict.CLEAR] is True


def test_what_stops_a_start_together_is_told_by_one_of_these_rules():
    stopped = [
        case
        for case, settings in read_for_one_release(RULES)
        if any(note.kind is NoteKind.REFUSED_TOGETHER for setting in settings.all for note in setting.notes)
    ]
    assert len(stopped) > len(CLAIMING)
    for case in stopped:
        findings = check(case.cluster, CLAIMING, parse_release(case.server)).findings
        assert any(finding.verdict is Verdict.FINDING for finding in findings), case.name
