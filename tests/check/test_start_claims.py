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

CLAIM = re.compile(r"\b(?:does not|cannot|will not|refuses? to|fails? to) start\b")
# Claims that the option file alone does not decide, with what decides them.
OTHERWISE_DECIDED = {
    "buffer-pool-above-memory": "the memory of the machine",
    "galera-binlog-format": "pxc_strict_mode",
    "galera-starts-alone": "which node left last",
    "redo-log-disabled": "how the server stopped",
    "option-file-unreadable": "whether the file can be read",
}
RULES = [rule for rule in load_rules() if rule.status != "retired"]
CLAIMING = [rule for rule in RULES if CLAIM.search(rule.finding) and rule.id not in OTHERWISE_DECIDED]
ABOUT_THE_SERVER = [rule for rule in CLAIMING if not rule.each]


def test_the_claims_are_recognised_by_their_words():
    assert len(ABOUT_THE_SERVER) >= 3
    assert len(CLAIMING) - len(ABOUT_THE_SERVER) >= 6
    claiming = {rule.id for rule in RULES if CLAIM.search(rule.finding)}
    assert not set(OTHERWISE_DECIDED) - claiming, "an exception that no rule claims any more"


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
    answers = [(case.expect, settings.would_start) for case, settings in read_for_one_release([rule])]
    stopped = [would_start for expected, would_start in answers if expected is Verdict.FINDING]
    assert stopped, "a case about one server of one release"
    assert set(stopped) == {False}
    if not rule.each:
        assert {would_start for expected, would_start in answers if expected is Verdict.CLEAR} == {True}


def test_what_stops_a_start_together_is_told_by_one_of_these_rules():
    stopped = [
        case
        for case, settings in read_for_one_release(RULES)
        if any(note.kind is NoteKind.REFUSED_TOGETHER for setting in settings.all for note in setting.notes)
    ]
    assert len(stopped) > len(ABOUT_THE_SERVER)
    for case in stopped:
        findings = check(case.cluster, ABOUT_THE_SERVER, parse_release(case.server)).findings
        assert any(finding.verdict is Verdict.FINDING for finding in findings), case.name
