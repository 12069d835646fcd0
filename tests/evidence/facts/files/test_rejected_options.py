"""Facts about options a release refuses or reads otherwise: what to write instead, computed and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.options import ReadProblem
from advisor.model.record import replace
from advisor.options import read_text, resolve


def view(server: str, lines: str, **member: object) -> MemberFacts:
    """One member with an option file, as the one release that `server` names."""
    options = read_text(lines if lines.startswith("[") else f"[mysqld]\n{lines}\n", "my.cnf")
    release = parse_release(server)[0]
    return MemberFacts(Member("m", options=options, **member), release, resolve(options, release), None)  # type: ignore[arg-type]


def items(server: str, lines: str, fact: str) -> list[dict[str, Any]]:
    """The items of a list fact."""
    found: list[dict[str, Any]] = view(server, lines).value(f"fact.{fact}")
    return found


@pytest.mark.parametrize(
    ("server", "lines", "name", "right"),
    [
        ("mysql 8.4.3", "expire_logs_days = 14", "binlog_expire_logs_seconds", "1209600"),
        ("mysql 8.4.3", "expire-logs-days = 0", "binlog_expire_logs_seconds", "0"),
        ("mysql 8.0.36", "log_warnings = 0", "log_error_verbosity", "1"),
        ("mysql 8.0.36", "log_warnings = 9", "log_error_verbosity", "3"),
        ("mysql 9.7.4", "innodb_log_file_size = 2G", "innodb_redo_log_capacity", "4G"),
        ("mysql 9.7.4", "innodb_log_files_in_group=3\ninnodb-log-file-size=100", "innodb_redo_log_capacity", "300"),
        ("mysql 9.7.4", "innodb_log_file_size = lots", "innodb_redo_log_capacity", None),
        ("mysql 8.4.3", "expire_logs_days", "binlog_expire_logs_seconds", None),
        ("mysql 8.4.3", "default_authentication_plugin = mysql_native_password", "authentication_policy", None),
    ],
)
def test_a_successor_gets_the_same_amount_in_its_own_unit(server: str, lines: str, name: str, right: str) -> None:
    found = items(server, lines, "replaced_options")
    assert [(item["option"], item.get("right")) for item in found] == [(name, right)]


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("log_slave_updates = 0", "0"),
        ("log_slave_updates", "ON"),
        ("skip-log-slave-updates", None),
        ("loose-log-slave-updates = ON", "ON"),
    ],
)
def test_a_respelt_switch_keeps_what_it_says(line: str, right: str | None) -> None:
    found = items("mysql 8.4.3", line, "respelt_options")
    assert [(item["option"], item.get("right")) for item in found] == [("log_replica_updates", right)]


def test_a_secret_is_masked_and_never_written_back() -> None:
    found = items("mysql 8.4.3", "Report_Password = hunter2", "renamed_options")
    assert found[0]["option"] == "report_password"
    assert "right" not in found[0]
    assert "hunter2" not in repr(found)
    masked = items("mysql 8.4.3", "Init_Connect = mysql://u:********@host/", "renamed_options")
    assert "right" not in masked[0]


def test_an_item_is_the_same_one_in_every_release() -> None:
    keys = {
        items(server, "max_connectons = 5", "unknown_options")[0]["key"] for server in ("mysql 5.7.44", "mysql 8.4.3")
    }
    assert keys == {"max_connectons my.cnf:2"}


def test_a_word_that_no_release_knows_is_not_dropped_from_a_list() -> None:
    gone = items("mysql 8.0.36", "sql_mode = ANSI_QUOTES,NO_AUTO_CREATE_USER", "refused_values")
    assert gone[0]["right"] == "ANSI_QUOTES"
    assert "right" not in items("mysql 8.0.36", "sql_mode = ANSI_QUOTES,STRICTLY", "refused_values")[0]


def test_a_refused_line_that_does_not_count_is_told_without_a_value() -> None:
    found = items("mysql 8.4.3", "port = x\nport = 3306", "refused_values")
    assert [(item["name"], "right" in item) for item in found] == [("port", False)]


def test_plugins_are_told_once_each_and_not_when_they_run() -> None:
    lines = "group_replication_group_name = a\ngroup_replication_group_seeds = b\nclone_enable_compression = ON"
    found = items("mysql 8.4.3", lines, "plugins_not_loaded")
    assert [(item["key"], item["count"]) for item in found] == [("plugin group_replication", 2), ("plugin clone", 1)]
    running = {"clone_enable_compression": Fact("clone_enable_compression", "ON")}
    seen = view("mysql 8.4.3", "clone_enable_compression = ON", variables=running)
    assert seen.value("fact.plugins_not_loaded") == []


def test_only_a_name_near_one_of_the_release_is_taken_for_misspelt_behind_loose() -> None:
    lines = "loose_innodb_bufer_pool_size = 1G\nloose_spider_max_connections = 1\nloose_some_vendors_own_thing = 1"
    assert [i["name"] for i in items("mysql 8.4.3", lines, "loose_options_lost")] == ["loose_innodb_bufer_pool_size"]


@pytest.mark.parametrize(
    ("group", "meant"),
    [
        (" mysqld", "mysqld"),
        ("mysqd", "mysqld"),
        ("msyqld", "mysqld"),
        ("mysqld2", None),
        ("mysqld_safe", None),
        ("mysql", None),
        ("mysqldump", None),
        ("xtrabackup", None),
        ("MySQLd ", None),
    ],
)
def test_a_group_that_nobody_reads_is_known_by_its_likeness(group: str, meant: str | None) -> None:
    found = items("mysql 8.4.3", f"[{group}]\nport = 1\nmax_connections = 5\n", "groups_not_read")
    assert [item["meant"] for item in found] == ([meant] if meant else [])


def test_a_problem_that_may_not_exist_where_the_server_runs_is_no_fact() -> None:
    seen = view("mysql 8.4.3", "[mysqld]\n!include /nowhere/a.cnf\n!includedir /nowhere/b\n")
    assert seen.settings is not None
    assert [problem.elsewhere for problem in seen.settings.problems] == [True, True]
    assert seen.value("fact.files_not_read") == []
    assert seen.value("fact.files_that_stop_start") == []


def test_a_file_passed_over_is_told_at_its_place() -> None:
    options = read_text("[mysqld]\n", "my.cnf")
    options = replace(options, problems=(ReadProblem("my.cnf", 0, "ignored", fatal=False, hint="chmod o-w"),))
    release = parse_release("mysql 8.4.3")[0]
    seen = MemberFacts(Member("m", options=options), release, resolve(options, release), None)
    assert [item["message"] for item in seen.value("fact.files_not_read")] == ["ignored; chmod o-w"]


def test_without_an_option_file_nothing_is_claimed() -> None:
    release = parse_release("mysql 8.4.3")[0]
    seen = MemberFacts(Member("m"), release, None, None)
    for fact in ("unknown_options", "clamped_values", "repeated_settings", "files_not_read", "groups_not_read"):
        assert seen.value(f"fact.{fact}") == Missing(("option_file",))


@pytest.mark.parametrize(
    ("lines", "off"),
    [
        ("performance_schema_instrument = '%=OFF'", True),
        ("performance_schema_instrument = ' % = off '", True),
        ("performance_schema_instrument = '%=ON'", False),
        ("performance_schema_instrument = '%=OFF'\nperformance_schema_instrument = 'wait/%=counted'", False),
        ("performance_schema_instrument = 'wait/%=ON'\nperformance_schema_instrument = '%=OFF'", True),
        ("", False),
    ],
)
def test_all_instruments_are_off_when_the_last_word_on_all_is_off(lines: str, off: bool) -> None:
    assert view("mysql 8.0.36", lines).value("fact.all_instruments_off") is off


@pytest.mark.parametrize(
    ("server", "ended"),
    [
        ("mysql 5.7.44", "October 2023"),
        ("mysql 8.2.0", "when the next release came out"),
        ("mysql 8.4.3", ""),
        ("mysql 9.5.0", "when the next release came out"),
        ("mysql 9.7.4", ""),
        ("mysql 26.7.0", "when the next release came out"),
        ("mysql 26.10.0", ""),
        ("mariadb 12.3.3", ""),
        ("mariadb 10.6.23", "July 2026"),
        ("mariadb 11.2.3", "when the next release came out"),
        ("mariadb 11.8.3", ""),
        ("mysql 8.0", Missing(("version",))),
    ],
)
def test_maintenance_of_a_series_ends(server: str, ended: object) -> None:
    assert view(server, "").value("fact.end_of_life") == ended
