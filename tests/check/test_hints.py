"""What does `check` say of evidence that it can judge only in part, and of words that it does not take?"""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.cli.shared.options import parse_role
from advisor.errors import UsageError
from advisor.evidence import read_path
from advisor.model.rules import Verdict
from advisor.model.server import Role

RULES = load_rules()


def notes(tmp_path, text, server="mysql-8.4.8"):
    file = tmp_path / "my.cnf"
    file.write_text(text, encoding="utf-8")
    return " ".join(check(read_path(str(file)), RULES, parse_release(server)).problems)


@pytest.mark.parametrize("text", ["[client]\nport=3306\n", "[mysql]\npager=less\n[mysqldump]\nquick\n"])
def test_a_file_for_clients_alone_is_said_to_hold_nothing_of_a_server(tmp_path, text):
    assert "no server settings were judged" in notes(tmp_path, text)


@pytest.mark.parametrize(
    "text", ["[mysqld]\n", "[client]\n[mysqld-8.4]\n", "[client]\n[mysqld_safe]\nnice=1\n", "[mysqld2]\nport=2\n", ""]
)
def test_a_file_with_a_group_for_servers_is_not(tmp_path, text):
    assert "no server settings were judged" not in notes(tmp_path, text)


def test_one_sign_of_a_replica_gives_no_role_and_is_named(tmp_path):
    text = notes(tmp_path, "[mysqld]\nserver_id=2\nrelay_log=relay\n")
    assert "relay_log=relay" in text
    assert "--role replica" in text


@pytest.mark.parametrize(
    "lines",
    [
        "relay_log=relay\nread_only=ON\n",
        "replicate-do-db=shop\nrelay_log=relay\n",
        "relay_log=relay\nrpl_semi_sync_source_enabled=ON\nplugin_load_add=semisync_source.so\n",
        "log_bin=binlog\n",
    ],
    ids=["two signs", "a filter", "a source with semi-sync", "no sign"],
)
def test_nothing_is_said_of_a_role_that_is_known_or_not_hinted_at(tmp_path, lines):
    assert "--role" not in notes(tmp_path, f"[mysqld]\nserver_id=2\n{lines}")


def test_persisted_variables_are_of_a_release_that_has_set_persist(tmp_path):
    file = tmp_path / "mysqld-auto.cnf"
    file.write_text('{"Version": 2, "mysql_dynamic_variables": {"sync_binlog": {"Value": "0"}}}', encoding="utf-8")
    labels = check(read_path(str(file)), RULES).releases
    assert labels[0].startswith("mysql 8.0")
    assert not [label for label in labels if "5.7" in label]


@pytest.mark.parametrize(
    ("word", "meant"), [("slave", "replica"), ("Master", "source"), ("replca", "replica"), ("writer", "source")]
)
def test_a_word_for_a_role_that_is_none_gets_the_one_that_is_meant(word, meant):
    with pytest.raises(UsageError) as refused:
        parse_role(word)
    assert refused.value.hint == f"did you mean --role {meant}?"


def test_roles_are_taken_in_any_case_and_others_listed():
    assert parse_role("Replica") is Role.REPLICA
    with pytest.raises(UsageError) as refused:
        parse_role("zzz")
    assert "standalone, source, replica" in refused.value.hint


def verdict_of(tmp_path, rule, server=""):
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nserver_id=1\nlog_bin=b\ngtid_mode=ON\nenforce_gtid_consistency=ON\n", encoding="utf-8")
    judgement = check(read_path(str(file)), RULES, parse_release(server) if server else ())
    (finding,) = (finding for finding in judgement.findings if finding.rule.id == rule)
    return finding.verdict, finding.missing


@pytest.mark.parametrize("rule", ["gtid-cost-before-5-7-17", "series-not-maintained"])
def test_a_fault_of_some_releases_needs_the_release_where_nobody_stated_one(tmp_path, rule):
    assert verdict_of(tmp_path, rule) == (Verdict.UNKNOWN, ("version",))


def test_it_is_reported_for_the_series_that_the_user_names_or_the_options_show(tmp_path):
    assert verdict_of(tmp_path, "gtid-cost-before-5-7-17", "mysql-5.7")[0] is Verdict.FINDING
    file = tmp_path / "my.cnf"
    file.write_text(file.read_text(encoding="utf-8") + "innodb_large_prefix=ON\nquery_cache_size=0\n", encoding="utf-8")
    found = check(read_path(str(file)), RULES).findings
    assert {f.verdict for f in found if f.rule.id == "gtid-cost-before-5-7-17"} == {Verdict.FINDING}
