"""Rules that are judged once per option: the line they point at, the change they ask for, what becomes of the file."""

from __future__ import annotations

from pathlib import Path

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.model.evidence import Cluster, Member
from advisor.model.rules import Change, Finding, Judgement, Rule, TakesEffect, Verdict
from advisor.options import read_file, read_text
from advisor.options.edit.edits import plan_edits

RULES = {rule.id: rule for rule in load_rules()}


def judged(text: str, server: str, *ids: str) -> Judgement:
    cluster = Cluster("my.cnf", (Member("server", options=read_text(text, "my.cnf")),))
    rules: list[Rule] = [RULES[rule] for rule in ids]
    return check(cluster, rules, parse_release(server))


def found(text: str, server: str, *ids: str) -> list[Finding]:
    return [f for f in judged(text, server, *ids).findings if f.verdict is Verdict.FINDING]


def test_each_line_at_fault_is_a_finding_of_its_own_at_its_place() -> None:
    findings = found("[mysqld]\nquery_cache_size=0\nport=1\nquery_cache_type=0\n", "mysql 8.0.36", "option-removed")
    assert [(f.file, f.line) for f in findings] == [("my.cnf", 2), ("my.cnf", 4)]


def test_a_line_that_is_at_fault_in_some_releases_is_one_uncertain_finding() -> None:
    (finding,) = found("[mysqld]\nexpire_logs_days=7\n", "mysql", "option-replaced")
    assert not finding.certain
    assert set(finding.holds_for) == {"mysql 8.4", "mysql 9.7"}


def test_a_rule_of_one_family_does_not_apply_to_the_other_even_without_items() -> None:
    judgement = judged("[mysqld]\nport=1\n", "mysql 8.4.3", "option-ignored")
    assert judgement.counts == {Verdict.NOT_APPLICABLE: 1}


def test_the_change_is_about_the_line_and_carries_the_new_name() -> None:
    (finding,) = found("[mysqld]\nslave-parallel-workers=4\n", "mysql 8.4.3", "option-respelt")
    (change,) = finding.changes
    assert (change.name, change.value, change.file, change.line, change.respell) == (
        "replica_parallel_workers", "4", "my.cnf", 2, True,
    )  # fmt: skip


def test_a_secret_under_a_wrong_name_is_told_and_not_changed() -> None:
    (finding,) = found("[mysqld]\nReport_Password=hunter2\n", "mysql 8.4.3", "option-renamed")
    assert finding.changes == ()
    assert "hunter2" not in repr(finding)


def test_a_fault_that_is_a_finding_is_not_told_again_as_a_problem() -> None:
    text = "port=1\n[mysqld]\n"
    assert judged(text, "mysql 8.4.3", "option-file-unreadable").problems == ()
    assert len(judged(text, "mysql 8.4.3", "option-removed").problems) == 1


def test_an_upgraded_file_starts_after_its_changes_with_everything_else_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "my.cnf"
    path.write_text(
        "[mysqld]\n# keep\nskip-name-resolve\nlog-slave-updates\nexpire_logs_days = 7\nquery_cache_size=0\n"
    )
    reading, (release,) = read_file(str(path)), parse_release("mysql 8.4.3")
    cluster = Cluster(str(path), (Member("server", options=reading),))
    startup = [rule for rule in RULES.values() if rule.area == "startup"]
    changes: list[Change] = [change for f in check(cluster, startup, [release]).findings for change in f.changes]
    (edit,) = plan_edits(reading, changes, release)
    assert edit.after == (
        b"[mysqld]\n# keep\nskip-name-resolve\nlog-replica-updates = ON\nbinlog_expire_logs_seconds = 604800\n"
    )


def test_a_change_takes_effect_at_once_only_where_no_possible_release_needs_a_restart() -> None:
    """SET GLOBAL innodb_doublewrite is refused by 10.11.19 and accepted from 11.4 on."""
    (finding,) = found("[mariadb]\ninnodb_doublewrite=OFF\n", "mariadb", "doublewrite-off")
    assert finding.certain
    assert [change.takes_effect for change in finding.changes] == [TakesEffect.SERVER_RESTART]
    (newest,) = found("[mariadb]\ninnodb_doublewrite=OFF\n", "mariadb-11.8.6", "doublewrite-off")
    assert [change.takes_effect for change in newest.changes] == [TakesEffect.AT_ONCE]


def test_a_limit_that_differs_by_release_is_named_with_the_release() -> None:
    """MySQL 5.7.22 takes 524288 for table_open_cache = 2048M, MariaDB 10.11.19 takes 1048576."""
    file = read_text("[mysqld]\ntable_open_cache = 2048M\n", "my.cnf")
    cluster = Cluster("my.cnf", (Member("server", options=file),))
    both = (*parse_release("mysql-8.4"), *parse_release("mariadb-10.11"))
    (finding,) = check(cluster, [RULES["value-clamped"]], both).findings
    assert finding.message.endswith("becomes 1048576 (in mariadb 10.11; other releases differ).")
    (finding,) = check(cluster, [RULES["value-clamped"]], both[:1]).findings
    assert finding.message.endswith("becomes 524288")


def test_figures_that_differ_by_family_are_named_with_the_release() -> None:
    file = read_text("[mysqld]\ninnodb_buffer_pool_size = 1G\n", "my.cnf")
    cluster = Cluster("my.cnf", (Member("server", options=file),))
    both = (*parse_release("mysql-8.4"), *parse_release("mariadb-10.11"))
    (finding,) = check(cluster, [RULES["redo-small-beside-pool"]], both).findings
    assert finding.message.startswith("96 MiB of redo")
    assert finding.message.endswith("(in mariadb 10.11; other releases differ).")


def test_one_folder_twice_is_repeated_and_two_names_of_a_log_contradict() -> None:
    twice = "[mysqld]\ndatadir = /data\ndatadir = /data/\n"
    assert [f.rule.id for f in found(twice, "mysql 8.4.3", "setting-contradicted", "setting-repeated")] == [
        "setting-repeated"
    ]
    names = "[mysqld]\nserver_id = 1\nlog_bin = /logs/binlog\nlog_bin = OFF\n"
    assert [f.rule.id for f in found(names, "mysql 5.7.44", "setting-contradicted", "setting-repeated")] == [
        "setting-contradicted"
    ]
