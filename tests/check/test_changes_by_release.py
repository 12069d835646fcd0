"""Every change that a finding advises is an option, with a value it takes, of every release that the change is for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.catalog import all_releases, as_percona, as_pxc, load, parse_release
from advisor.check import check, load_rules
from advisor.check.advice import AdvisedChanges, changes_for_all
from advisor.check.cases import read_cases
from advisor.model.evidence import Cluster
from advisor.model.options import REFUSED_ALONE
from advisor.model.record import replace
from advisor.model.rules import Change, Finding, TakesEffect, Verdict
from advisor.model.server import Release, Role
from advisor.options import read_text, resolve
from advisor.report.words.labels import only_in

RULES = load_rules()
CHANGING = [rule for rule in RULES if rule.status != "retired" and any(a.set or a.remove for a in rule.advice)]
OF_MYSQL = [release for release in all_releases() if release.family == "mysql"]
ERAS = {release.label: release for release in (*all_releases(), *map(as_pxc, OF_MYSQL), *map(as_percona, OF_MYSQL))}
MYSQL_5_7, MYSQL_8_0_26 = ERAS["mysql 5.7.22–5.7.44"], ERAS["mysql 8.0.26"]
SERIAL_REPLICA = (
    "[mysqld]\nserver_id = 2\nlog_bin = binlog\nlog_slave_updates\ngtid_mode = ON\nenforce_gtid_consistency\n"
)


def unfit(finding: Finding, releases: dict[str, Release]) -> Iterator[str]:
    """The changes that a release they are for does not have, or whose value it refuses."""
    for change in finding.changes:
        for label in change.releases or finding.holds_for:
            release = releases.get(label) or parse_release(label.replace(" ", "-"))[0]
            if change.value is None or change.name.startswith("galera.") or load(release).maybe(change.name):
                continue
            written = read_text(f"[mysqld]\n{change.name} = {change.value}\n", "my.cnf")
            refused = [
                note.message
                for setting in resolve(written, release).all
                for note in setting.notes
                if note.kind in REFUSED_ALONE
            ]
            if load(release).get(change.name) is None or refused:
                yield f"{finding.rule.id}: {change.name} = {change.value} on {label} {refused}"


def found(cluster: Cluster, rules=RULES, releases=()) -> list[Finding]:
    return [f for f in check(cluster, rules, releases).findings if f.verdict is Verdict.FINDING]


def replica_of(text: str) -> Cluster:
    case = next(case for rule in RULES if rule.id == "applier-single-threaded" for case in read_cases(rule))
    member = replace(case.cluster.members[0], options=read_text(text, "my.cnf"), role=Role.REPLICA, server="")
    return Cluster("my.cnf", (member,))


@pytest.mark.parametrize("rule", CHANGING, ids=lambda rule: rule.id)
def test_what_a_rule_advises_for_several_releases_all_of_them_take(rule):
    for case in read_cases(rule):
        members = tuple(replace(member, server="") for member in case.cluster.members)
        for finding in found(replace(case.cluster, members=members), [rule], all_releases()):
            assert not list(unfit(finding, ERAS)), case.name


def test_so_do_the_releases_that_a_published_file_may_be_for(shared: Path):
    told = 0
    for file in sorted((shared / "corpus").glob("*.cnf"))[::6]:
        cluster = replica_of(file.read_text(encoding="utf-8", errors="replace"))
        for finding in found(cluster):
            told += len(finding.holds_for) > 1 and bool(finding.changes)
            assert not list(unfit(finding, ERAS)), file.name
    assert told > 20


def test_a_serial_replica_of_an_unknown_release_gets_the_names_that_all_its_releases_take():
    (finding,) = [f for f in found(replica_of(SERIAL_REPLICA)) if f.rule.id == "applier-single-threaded"]
    assert "mysql 5.7.22–5.7.44" in finding.holds_for
    assert "mysql 8.0.26" in finding.holds_for
    assert {change.name for change in finding.changes} == {
        "slave_parallel_workers", "slave_parallel_type", "slave_preserve_commit_order"
    }  # fmt: skip
    assert not any(change.releases for change in finding.changes)


def test_the_newest_name_stays_where_the_release_is_known():
    (finding,) = [
        f for f in found(replica_of(SERIAL_REPLICA), releases=[MYSQL_8_0_26]) if f.rule.id == "applier-single-threaded"
    ]
    assert finding.changes[0].name == "replica_parallel_workers"


def of(release: Release, name: str, value: str | None, line: int = 0) -> AdvisedChanges:
    return AdvisedChanges(release.label, release, (Change(name, value, TakesEffect.SERVER_RESTART, line=line),))


def test_names_without_one_in_common_are_said_by_release():
    newest = ERAS["mysql 9.7"]
    old, new = "group_replication_ip_whitelist", "group_replication_ip_allowlist"
    changes = changes_for_all([of(MYSQL_5_7, old, "10.0.0.0/8"), of(newest, new, "10.0.0.0/8")])
    assert [(change.name, change.releases) for change in changes] == [
        (new, ("mysql 9.7",)),
        (old, ("mysql 5.7.22–5.7.44",)),
    ]


def test_values_that_differ_are_said_by_release():
    changes = changes_for_all([of(MYSQL_5_7, "sync_binlog", "1"), of(MYSQL_8_0_26, "sync_binlog", "2")])
    assert [(change.value, change.releases) for change in changes] == [
        ("2", ("mysql 8.0.26",)),
        ("1", ("mysql 5.7.22–5.7.44",)),
    ]


def test_a_removal_of_several_lines_stays_so():
    changes = changes_for_all([of(MYSQL_5_7, "sync_binlog", None, 3), of(MYSQL_8_0_26, "sync_binlog", None, 3)])
    assert [(change.value, change.releases) for change in changes] == [(None, ())]


def test_a_report_says_which_releases_a_change_is_for():
    change = Change("sync_binlog", "1", TakesEffect.AT_ONCE)
    assert only_in(change) == ""
    limited = replace(change, releases=("mysql 5.7.22–5.7.44", "mysql 8.0.26"))
    assert only_in(limited) == " in mysql 5.7.22–5.7.44, 8.0.26"
