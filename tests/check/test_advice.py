"""Advice that is followed: the fixed file starts, and the rule that gave it is clear. All rules × all releases."""

import pytest

from advisor.catalog import all_releases, as_pxc, canonical
from advisor.check import check, load_rules
from advisor.check.cases import read_cases
from advisor.conditions import satisfies
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.model.rules import Verdict
from advisor.model.server import Family
from advisor.options import read_file, resolve
from advisor.options.edit.edits import plan_edits

RULES = [rule for rule in load_rules() if rule.advice and rule.status != "retired"]
CHANGING = [rule for rule in RULES if any(advice.set or advice.remove for advice in rule.advice)]
RELEASES = [*all_releases(), *(as_pxc(r) for r in all_releases() if r.family == "mysql")]
BY_FAMILY = [[release for release in all_releases() if release.family == family] for family in Family]
# `make rest` takes them all.
OLDEST_AND_NEWEST = [*(releases[place] for releases in BY_FAMILY for place in (0, -1)), RELEASES[-1]]


def releases_of(rule):
    """The releases that a rule is about; a rule on what is new may be about a single one."""
    families = {family: str(rule.applies[family]) for family in Family if family in rule.applies}
    return [r for r in RELEASES if not families or (r.family in families and satisfies(r.version, families[r.family]))]


def option_files(rule):
    """The option file of every member of a rule's cases, with the case's cluster around it."""
    for case in read_cases(rule):
        for member in case.cluster.members:
            if member.options is not None:
                yield case, member


def findings_on(rule, cluster, name, release):
    findings = check(cluster, [rule], [release]).findings
    return [f for f in findings if f.verdict is Verdict.FINDING and (f.member == name or rule.scope == "cluster")]


def with_options(cluster, name, reading, changes=()):
    """The cluster with one member's files changed and its running values gone, as after a restart."""
    changed = {canonical(change.name, family) for change in changes for family in Family}

    def follow(member):
        running = {k: v for k, v in member.variables.items() if not {canonical(k, f) for f in Family} & changed}
        return replace(member, options=reading, server="", variables=running)

    members = (follow(m) if m.name == name else replace(m, server="") for m in cluster.members)
    return Cluster(cluster.path, tuple(members), cluster.topology)


def as_text(case_member):
    lines, group = [], None
    for argument in case_member.options.arguments:
        if argument.group != group:
            group = argument.group
            lines.append(f"[{group}]")
        lines.append(argument.text.removeprefix("--"))
    return "\n".join(lines) + "\n"


def followed(rule, releases, path):
    """(place, started before, starts after, items found again) for every finding with changes, followed."""
    for case, member in option_files(rule):
        for release in releases:
            path.write_text(as_text(member))
            before = read_file(str(path))
            cluster = with_options(case.cluster, member.name, before)
            started = resolve(before, release).would_start
            for finding in findings_on(rule, cluster, member.name, release):
                if not finding.changes:
                    continue
                path.write_text(as_text(member))
                for edit in plan_edits(before, finding.changes, release):
                    path.write_bytes(edit.after)
                after = read_file(str(path))
                following = with_options(case.cluster, member.name, after, finding.changes)
                again = {f.item for f in findings_on(rule, following, member.name, release)}
                place = f"{case.name} on {release.label}: {[(c.name, c.value) for c in finding.changes]}"
                yield place, release, started, resolve(after, release).would_start, finding.item in again


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_following_the_advice_gives_a_file_that_starts_and_clears_the_rule(rule, tmp_path):
    for place, _, started, starts, found_again in followed(rule, OLDEST_AND_NEWEST, tmp_path / "my.cnf"):
        assert starts is not False or started is False, place
        assert not found_again, place


@pytest.mark.gate
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_so_it_does_on_every_release(rule, tmp_path):
    releases, starting = set(), set()
    for place, release, started, starts, found_again in followed(rule, RELEASES, tmp_path / "my.cnf"):
        assert starts is not False or started is False, place
        assert not found_again, place
        releases.add(release.label)
        if starts is not False:
            starting.add(release.label)
    if rule in CHANGING:
        assert len(releases) >= min(2, len(releases_of(rule))), "the cases show it on one release alone"
        assert starting, f"followed on {len(releases)} releases, and on none the file starts"


def test_most_rules_with_advice_change_settings():
    # `make rest` judges each of them above on two releases at least: some 2,400 pairs of rule and release.
    assert len(CHANGING) >= 135
