"""Facts about binary logs: whether there is one, and when its files are removed."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.options import read_text, resolve


def view(server: str, lines: str, **running: str) -> MemberFacts:
    """One member with an option file and running values, as the first release that `server` may mean."""
    options = read_text(f"[mysqld]\n{lines}\n", "my.cnf")
    release = parse_release(server)[0]
    variables = {name: Fact(name, value) for name, value in running.items()}
    return MemberFacts(Member("m", options=options, variables=variables), release, resolve(options, release), None)


@pytest.mark.parametrize(
    ("server", "lines", "on"),
    [
        ("mysql 5.7.44", "", False),
        ("mysql 5.7.44", "log_bin", True),
        ("mysql 5.7.44", "log-bin=/var/log/mysql/bin", True),
        ("mysql 8.0.36", "", True),
        ("mysql 8.0.36", "skip-log-bin", False),
        ("mysql 8.4.3", "disable_log_bin", False),
        ("mariadb 10.11.9", "", False),
        ("mariadb 10.11.9", "log_bin", True),
    ],
)
def test_a_binary_log_is_on_by_option_or_by_default(server: str, lines: str, on: bool) -> None:
    assert view(server, lines).value("fact.binlog_on") is on


def test_the_running_value_counts_more_than_the_file() -> None:
    assert view("mysql 5.7.44", "log_bin", log_bin="OFF").value("fact.binlog_on") is False


@pytest.mark.parametrize(
    ("server", "lines", "seconds"),
    [
        ("mysql 5.7.44", "", 0),
        ("mysql 5.7.44", "expire_logs_days=7", 604800),
        ("mysql 8.0.36", "", 2592000),
        ("mysql 8.0.36", "expire_logs_days=7", 604800),
        ("mysql 8.0.36", "expire_logs_days=0", 0),
        ("mysql 8.0.36", "expire_logs_days=7\nbinlog_expire_logs_seconds=3600", 3600),
        ("mysql 8.0.36", "expire_logs_days=7\nbinlog_expire_logs_seconds=0", 604800),
        ("mysql 8.0.36", "binlog_expire_logs_auto_purge=OFF", 0),
        ("mysql 8.4.3", "binlog_expire_logs_seconds=0", 0),
        ("mariadb 10.5.28", "expire_logs_days=2", 172800),
        ("mariadb 10.11.9", "", 0),
        ("mariadb 10.11.9", "expire_logs_days=0.5", 43200),
        ("mariadb 10.11.9", "expire_logs_days=7\nbinlog_expire_logs_seconds=3600", 3600),
        ("mariadb 10.11.9", "binlog_expire_logs_seconds=3600\nexpire_logs_days=7", 604800),
    ],
)
def test_retention_follows_the_rules_of_each_family(server: str, lines: str, seconds: int) -> None:
    assert view(server, lines).value("fact.binlog_retention_seconds") == seconds


def test_retention_of_a_running_server_is_what_it_says() -> None:
    running = view("mysql 8.0.36", "expire_logs_days=7", binlog_expire_logs_seconds="86400", expire_logs_days="0")
    assert running.value("fact.binlog_retention_seconds") == 86400


def test_a_limit_of_size_removes_files_too() -> None:
    assert view("mariadb 11.4.4", "max_binlog_total_size=10G").value("fact.binlog_kept_forever") is False
    assert view("mariadb 11.4.4", "").value("fact.binlog_kept_forever") is True


@pytest.mark.parametrize(
    ("lines", "enforced"),
    [
        ("", False),
        ("enforce_gtid_consistency", True),
        ("enforce_gtid_consistency=1", True),
        ("enforce-gtid-consistency=TRUE", True),
        ("enforce_gtid_consistency=WARN", False),
        ("enforce_gtid_consistency=OFF", False),
    ],
)
def test_gtid_consistency_is_enforced_by_on_alone(lines: str, enforced: bool) -> None:
    assert view("mysql 5.7.44", lines).value("fact.gtid_consistency_enforced") is enforced


def test_nobody_guesses_how_many_replicas_are_connected() -> None:
    replicas = view("mariadb 11.4.4", "").value("fact.connected_replicas")
    assert isinstance(replicas, Missing)
    assert replicas.needs == ("status.Slaves_connected",)


def test_idle_settings_are_named_as_the_server_spells_them() -> None:
    idle = view("mysql 5.7.44", "sync_binlog=1\nlog-slave-updates").value("fact.idle_binlog_settings")
    assert idle == "log_slave_updates, sync_binlog"
