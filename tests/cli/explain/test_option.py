"""What `advisor explain OPTION` says of an option: from the catalogue, of files, and of the rules that read it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from advisor.catalog.lifetime import lifetime
from advisor.evidence.fact_inputs import read_by


@pytest.fixture
def explained(run, checkout):
    """The JSON of a run, which is what its schema says."""
    schema = json.loads((checkout / "schemas/option.json").read_text(encoding="utf-8"))

    def explain(*words):
        done = run("explain", *words, "--format", "json")
        assert done.code == 0, done.err
        told = json.loads(done.out)
        jsonschema.validate(told, schema)
        return told

    return explain


def test_an_option_in_a_release(explained):
    told = explained("sync_binlog", "--server", "mariadb-11.8.3")
    (release,) = told["releases"]
    assert (release["release"], release["exists"], release["default"]) == ("mariadb 11.8.3", "yes", "0")
    assert release["dynamic"] is True
    assert release["in_effect"] is None
    assert "binlog-not-synced" in {rule["rule"] for rule in told["rules"] if not rule["through"]}


def test_what_is_written_and_what_is_in_effect(explained, tmp_path):
    text = "[mysqld]\nsync-binlog=7\nloose_sync_binlog=9\n[client]\nsync_binlog=3\n"
    (tmp_path / "my.cnf").write_text(text, encoding="utf-8")
    (release,) = explained("sync-binlog", "my.cnf", "--server", "mysql-8.4.8")["releases"]
    assert [(line["line"], line["effective"]) for line in release["here"]] == [(2, False), (3, True)]
    assert (release["in_effect"], release["in_effect_source"]) == ("9", "my.cnf:3")
    assert release["default"] == "1"


def test_without_a_line_the_default_is_in_effect(explained, tmp_path):
    (tmp_path / "my.cnf").write_text("[mysqld]\nserver_id=1\n", encoding="utf-8")
    (release,) = explained("sync_binlog", "my.cnf", "--server", "mariadb-10.11.9")["releases"]
    assert (release["here"], release["in_effect"]) == ([], "0")
    assert "default" in release["in_effect_source"]


def test_an_option_that_the_release_lost_names_what_took_its_place(explained):
    (release,) = explained("expire_logs_days", "--server", "mysql-9.7.4")["releases"]
    assert (release["exists"], release["instead"]) == ("no", "binlog_expire_logs_seconds")
    assert release["default"] is None


def test_an_option_that_came_and_went_within_a_series(explained):
    series = {(one["family"], one["series"]): one for one in explained("innodb_redo_log_capacity")["series"]}
    assert series["mysql", "8.0"]["came"] == "in 8.0.30"
    assert ("mysql", "5.7") not in series
    assert not [key for key in series if key[0] == "mariadb"]
    gone = {one["series"]: one["went"] for one in explained("expire_logs_days")["series"] if one["family"] == "mysql"}
    assert gone == {"5.7": "", "8.0": "", "8.4": "in 8.2.0"}


def test_a_default_that_changed_within_a_series(explained):
    series = explained("slave_parallel_workers")["series"]
    (eight,) = (one for one in series if (one["family"], one["series"]) == ("mysql", "8.0"))
    assert (eight["default"], eight["earlier_defaults"]) == ("4", [["in 8.0.27", "0"]])


def test_both_names_of_a_renamed_option_are_read_by_the_same_rules(explained):
    old, new = explained("slave_parallel_workers"), explained("replica_parallel_workers")
    assert old["canonical"] == new["canonical"] == "replica_parallel_workers"
    both = {rule["rule"] for rule in old["rules"]} & {rule["rule"] for rule in new["rules"]}
    assert "applier-single-threaded" in both
    assert "replica_parallel_workers" in old["other_names"]


def test_an_option_of_the_galera_provider(explained, tmp_path):
    lines = 'wsrep_provider_options="gcs.fc_limit=100; gcache.size=2G"\n'
    (tmp_path / "my.cnf").write_text(f"[mysqld]\n{lines}", encoding="utf-8")
    (release,) = explained("gcs.fc_limit", "my.cnf", "--server", "mariadb-10.11.9")["releases"]
    assert (release["default"], release["in_effect"], release["in_effect_source"]) == ("16", "100", "my.cnf:2")


def test_a_secret_is_not_shown(run, tmp_path):
    (tmp_path / "my.cnf").write_text("[mysqld]\nreport_password=hush\n", encoding="utf-8")
    for form in ("text", "json"):
        out = run("explain", "report_password", "my.cnf", "--server", "mysql-8.0.36", "--format", form).out
        assert "report_password" in out
        assert "hush" not in out


@pytest.mark.parametrize(
    ("word", "meant"), [("sync_binlgo", "sync_binlog"), ("redo-smal-for-pool", "redo-small-for-pool")]
)
def test_an_unknown_word_gets_the_nearest(run, word, meant):
    done = run("explain", word)
    assert done.code == 2
    assert meant in done.err


def test_a_rule_as_json(run):
    told = json.loads(run("explain", "redo-small-for-pool", "--format", "json").out)
    assert told["rule"] == "redo-small-for-pool"
    assert told["advice"][0]["set"]


def test_a_rule_has_no_value_in_effect(run):
    assert run("explain", "redo-small-for-pool", "my.cnf").code == 2


def test_the_text_names_places_and_rules(run, tmp_path):
    (tmp_path / "my.cnf").write_text("[mysqld]\ninnodb_log_file_size = 64M\n", encoding="utf-8")
    out = run("explain", "innodb_log_file_size", "my.cnf", "--server", "mysql-8.0.36").out
    assert "64M" in out
    assert "my.cnf:2" in out
    assert "through redo_capacity_bytes" in out
    assert "when the server is restarted" in out


@pytest.mark.parametrize(
    ("fact", "name", "reads"),
    [
        ("redo_capacity_bytes", "innodb_log_file_size", True),
        ("size_differences", "innodb_log_file_size", True),
        ("binlog_differences", "innodb_log_file_size", False),
        ("binlog_on", "log_bin", True),
        ("binlog_on", "sync_binlog", False),
        ("no such fact", "log_bin", False),
    ],
)
def test_what_a_derived_fact_reads_is_told_from_its_code(fact, name, reads):
    assert (name in read_by(fact)) is reads


def test_a_change_between_two_readings_is_dated_by_the_later_one():
    went = {one.series: one.went for one in lifetime("innodb_log_file_size") if str(one.family) == "mysql"}
    assert went["9.7"] == "by 9.7.4"
    assert lifetime("no_such_option") == ()
