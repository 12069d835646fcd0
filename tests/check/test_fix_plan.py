"""What `--fix` changes, what it leaves alone, and that a second run changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.errors import UsageError
from advisor.options import read_text, resolve
from tests.check.fixes import fixing

GALERA = (
    "wsrep_provider = /usr/lib/galera/libgalera_smm.so\nwsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2,10.0.0.3\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my.cnf"
    path.touch(0o644)
    return path


def fixed(file: Path, lines: str, server: str) -> str:
    """The lines as `--fix` leaves them, without the group; those given where nothing changes. A second run is idle."""
    file.write_text(f"[mysqld]\n{lines}", encoding="utf-8")
    text = fixing(file, server).text or file.read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    assert fixing(file, server).text == "", "the second run changes the file again"
    return text.removeprefix("[mysqld]\n")


@pytest.mark.parametrize(
    "lines",
    [
        "plugin_load_add = group_replication.so\n",
        "loose-group_replication_start_on_boot = OFF\n",
        "loose-group-replication-consistency = AFTER\n",
    ],
)
@pytest.mark.parametrize("server", ["mysql-8.0.20", "mysql-5.7.40"])
def test_checksums_stay_off_where_the_server_may_be_a_member_of_a_group(file: Path, lines: str, server: str) -> None:
    """Before 8.0.21 such a member refuses to join its group with checksums on."""
    given = f"server_id = 1\nlog_bin = binlog\nbinlog_checksum = NONE\n{lines}"
    assert "binlog_checksum = NONE\n" in fixed(file, given, server)


def test_a_line_that_a_later_one_overrides_is_not_translated(file: Path) -> None:
    text = fixed(file, "expire_logs_days = 14\nport = 3306\nexpire-logs-days = 7\n", "mysql-9.7.4")
    assert text == "port = 3306\nbinlog-expire-logs-seconds = 604800\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("port = 3306\nslave-skip-errors = all\n", "port = 3306\n"),
        ("slave_exec_mode = IDEMPOTENT\n", "replica_exec_mode = STRICT\n"),
        ("slave_exec_mode = STRICT\nslave-exec-mode = IDEMPOTENT\n", "replica-exec-mode = STRICT\n"),
        ("expire_logs_days = 14\nbinlog_expire_logs_seconds = 3600\n", "binlog_expire_logs_seconds = 604800\n"),
    ],
)
def test_a_renamed_option_is_renamed_and_judged_in_one_run(file: Path, lines: str, expected: str) -> None:
    assert fixed(file, lines, "mysql-9.7.4") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("INNODB_FLUSH_LOG_AT_TRX_COMMIT = 2\n", "INNODB_FLUSH_LOG_AT_TRX_COMMIT = 2\n"),
        ("Sync_Binlog = 0\n", "Sync_Binlog = 0\n"),
        ("INNODB_FLUSH_LOG_AT_TRX_COMMIT = 1\n", "innodb_flush_log_at_trx_commit = 1\n"),
    ],
)
def test_a_corrected_name_brings_no_less_durable_value_into_force(file: Path, line: str, expected: str) -> None:
    assert fixed(file, line, "mysql 8.0.46") == expected


def test_galera_is_not_switched_on_unasked(file: Path) -> None:
    """The node would lose what it wrote since the last state transfer."""
    assert "wsrep_on" not in fixed(file, GALERA, "mariadb-10.11.19")
    assert any("galera-left-off: risk D-div" in reason for reason in fixing(file, "mariadb-10.11.19").plan.left)


def test_provider_options_that_a_later_line_overwrites_stay_in_the_file(file: Path) -> None:
    lines = f"""{GALERA}wsrep_on = ON
binlog_format = ROW
wsrep_provider_options = "socket.ssl_key=/etc/ssl/node.key; socket.ssl_cert=/etc/ssl/node.pem"
wsrep_provider_options = "gcs.fc_limit=500"
wsrep_provider_options = "gcache.size=2G; gcache.recover=yes"
"""
    text = fixed(file, lines, "mariadb-10.11.19")
    assert "socket.ssl_key=/etc/ssl/node.key" in text
    assert "gcs.fc_limit=500" in text


def test_binary_logs_are_not_removed_unasked(file: Path) -> None:
    text = fixed(file, "server_id = 1\nlog_bin = binlog\nexpire_logs_days = 0\n", "mariadb-10.11.19")
    assert "expire" not in text.replace("expire_logs_days = 0", "")


def test_what_was_undone_by_a_later_step_is_not_reported_as_left_out(file: Path) -> None:
    file.write_text("[mysqld]\nslave_exec_mode = IDEMPOTENT\n", encoding="utf-8")
    plan = fixing(file, "mysql-9.7.4").plan
    ((_, changes),) = plan.by_release
    assert [(change.name, change.value, change.was) for change in changes] == [
        ("replica_exec_mode", "STRICT", "IDEMPOTENT")
    ]
    assert not any("replica_exec_mode" in reason for reason in plan.left)


def test_taking_out_a_left_over_empty_line_does_not_change_what_other_empty_values_mean(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nserver-id =\nserver-id = 7\nauto-increment-offset = 1\nreport_host =\nreport_port =\n")
    text = fixing(file, "mysql-9.7.4").text
    before = resolve(read_text(file.read_text()), parse_release("mysql-9.7.4")[0])
    after = resolve(read_text(text), parse_release("mysql-9.7.4")[0])
    assert "server-id =\n" not in text
    assert before.effective["report_host"].value == after.effective["report_host"].value == ""


def test_changes_after_which_the_file_fits_other_releases_are_refused(file: Path) -> None:
    """Percona Server 5.7 takes `STRICT`, and of what is left without it MariaDB takes all."""
    lines = "sql_mode = STRICT\nsql_mode = STRICT_TRANS_TABLES\nthread_pool_max_threads = 1024\n"
    file.write_text(f"[mysqld]\n{lines}", encoding="utf-8")
    with pytest.raises(UsageError, match="the file fits other releases"):
        fixing(file)
    assert "STRICT\n" not in fixing(file, "percona-5.7.44").text
