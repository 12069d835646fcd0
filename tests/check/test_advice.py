"""Advice that is followed: the fixed file starts, and the rule that gave it is clear. All rules × all releases."""

import pytest

from advisor.catalog import all_releases, as_pxc, canonical
from advisor.check import check, load_rules
from advisor.check.cases import read_cases
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.model.rules import Verdict
from advisor.model.server import Family
from advisor.options import read_file, resolve
from advisor.options.edit.edits import plan_edits

RULES = [rule for rule in load_rules() if rule.advice and rule.status != "retired"]
RELEASES = [*all_releases(), *(as_pxc(r) for r in all_releases() if r.family == "mysql")]


def option_files(rule):
    """The option file of every member of a rule's cases, with the case's cluster around it."""
    for case in read_cases(rule):
        for member in case.cluster.members:
            if member.options is not None:
                yield case, member


def told(rule, cluster, name, release):
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


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_following_the_advice_gives_a_file_that_starts_and_clears_the_rule(rule, tmp_path):
    path = tmp_path / "my.cnf"
    for case, member in option_files(rule):
        for release in RELEASES:
            path.write_text(as_text(member))
            before = read_file(str(path))
            cluster = with_options(case.cluster, member.name, before)
            findings = told(rule, cluster, member.name, release)
            started = resolve(before, release).would_start
            for finding in findings:
                if not finding.changes:
                    continue
                path.write_text(as_text(member))
                place = f"{case.name} on {release.label}: {[(c.name, c.value) for c in finding.changes]}"
                for edit in plan_edits(before, finding.changes, release):
                    path.write_bytes(edit.after)
                after = read_file(str(path))
                starts = resolve(after, release).would_start
                assert starts is not False or started is False, place
                following = with_options(case.cluster, member.name, after, finding.changes)
                still = told(rule, following, member.name, release)
                assert finding.item not in {f.item for f in still}, place
