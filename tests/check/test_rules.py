"""Every rule: its cases hold, its names mean something, it is silent on untouched servers, it gives its sources."""

from collections import Counter

import pytest

from advisor.catalog import all_releases, load, spelling
from advisor.check import check, load_rules
from advisor.check.advice import choose_advice
from advisor.check.cases import read_cases, run_case
from advisor.check.lint import lint
from advisor.check.message import used_names
from advisor.conditions import satisfies
from advisor.model.evidence import Cluster, Member
from advisor.model.rules import Severity, TakesEffect, Verdict
from advisor.model.server import Role, Topology
from advisor.options import read_text

RULES = load_rules()
LIVE = [rule for rule in RULES if rule.status != "retired"]
by_id = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


def test_there_are_at_least_eighty_rules():
    assert len(LIVE) >= 80


@by_id
def test_every_name_in_a_rule_means_something(rule):
    lint(rule)


@by_id
def test_the_cases_of_a_rule_hold(rule):
    problems = {case.name: run_case(rule, case) for case in read_cases(rule)}
    assert {name: told for name, told in problems.items() if told} == {}


@by_id
def test_a_rule_shows_a_finding_a_clear_and_an_unknown(rule):
    if rule.status == "retired":
        return
    shown = Counter(case.expect for case in read_cases(rule))
    assert {Verdict.FINDING, Verdict.CLEAR, Verdict.UNKNOWN} <= set(shown)


@by_id
def test_a_rule_says_why_and_where_from(rule):
    assert all(link.startswith("https://") for link in rule.see)
    assert len(rule.why) > 60
    assert not rule.default_hazard or rule.severity is Severity.INFO
    assert all(advice.risk for advice in rule.advice)


@pytest.mark.parametrize("release", all_releases(), ids=lambda release: release.label)
@pytest.mark.parametrize("topology", [None, *Topology], ids=str)
def test_untouched_defaults_are_no_warning(release, topology):
    """An empty file, as any topology: nothing above info, and info only where the default is a documented hazard."""
    member = Member("server", options=read_text("[mysqld]\n", "my.cnf"))
    judgement = check(Cluster("my.cnf", (member,), topology), LIVE, [release])
    fired = [f for f in judgement.findings if f.verdict is Verdict.FINDING]
    loud = [f.rule.id for f in fired if f.severity is not Severity.INFO and topology in (None, Topology.STANDALONE)]
    assert loud == []
    assert [f.rule.id for f in fired if not f.rule.default_hazard and topology is None] == []
    assert [f.message for f in judgement.findings if f.verdict is Verdict.BROKEN] == []


@pytest.mark.parametrize("release", all_releases(), ids=lambda release: release.label)
@pytest.mark.parametrize("role", list(Role), ids=str)
def test_no_rule_breaks_whatever_the_role(release, role):
    member = Member("server", role=role, options=read_text("[mysqld]\n", "my.cnf"))
    for topology in (None, *Topology):
        judgement = check(Cluster("my.cnf", (member,), topology), LIVE, [release])
        assert [f.message for f in judgement.findings if f.verdict is Verdict.BROKEN] == []


def speaks_of(rule, release):
    """Whether a rule has anything to say about a release."""
    constraint = rule.applies.get(str(release.family), "" if not {"mysql", "mariadb"} & set(rule.applies) else None)
    return constraint is not None and satisfies(release.version, str(constraint))


@by_id
def test_advice_names_settings_its_releases_have(rule):
    """Or names one its condition hangs on: then the rule cannot fire where the setting is absent."""
    for release in all_releases():
        advice = choose_advice(rule, release) if speaks_of(rule, release) else None
        for name in advice.set if advice else ():
            if name == "item" or name.startswith(("galera.", "wsrep_")):
                continue
            told = spelling(name, release)
            assert told or name in used_names(rule), f"{name} on {release.label}"
            variable = load(release).get(told) if told else None
            if advice.takes_effect is TakesEffect.AT_ONCE and variable is not None:
                assert variable.dynamic, f"{told} is not dynamic on {release.label}"
