"""The servers' own check of what they would start with: what it says, and what counts of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.lab.servers.binaries import find_servers
from advisor.model.lab import ClusterMember, Restart, RestartMethod, ServerBinary
from advisor.model.server import Family, Role
from advisor.tune.trial.restart import write_settings
from advisor.tune.trial.validate_config import checks_of, complaints, errors_in, unchecked

SERVERS = find_servers()


def test_errors_are_told_without_time_number_and_path():
    mysql = """2026-11-21T16:59:43.863392Z 0 [ERROR] [MY-000058] [Server] Unknown suffix 'n' used for 'a' (value 'no').
2026-11-21T16:59:43.863483Z 0 [ERROR] [MY-000077] [Server] /usr/sbin/mysqld: Error while setting value 'no' to 'a'.
2026-11-21T16:59:43.8Z 0 [Warning] [MY-010068] [Server] CA certificate ca.pem is self signed.
2026-11-21T16:59:43.725491Z 0 [ERROR] [MY-010119] [Server] Aborting"""
    assert errors_in(mysql) == [
        "Unknown suffix 'n' used for 'a' (value 'no').",
        "Error while setting value 'no' to 'a'.",
    ]
    mariadb = "2026-11-21 16:59:44 0 [ERROR] /usr/sbin/mariadbd: unknown variable 'no_such=1'\n"
    assert errors_in(mariadb) == ["unknown variable 'no_such=1'"]


def test_a_release_or_a_member_that_cannot_be_checked_is_told():
    how = Restart(RestartMethod.SYSTEMD, "/etc/mysql/conf.d/zz.cnf", unit="mysqld", ssh="root@db1.example")
    elsewhere = ClusterMember("db1", Role.SOURCE, "db1.example", 3306, restart=how)
    old = parse_release("mysql-5.7.44")[-1]
    assert checks_of([elsewhere], [], old) == []
    assert "5.7.44 cannot validate" in unchecked([elsewhere], [], old)
    assert "db1: there is no server binary here" in unchecked([elsewhere], [], parse_release("mysql-8.0.16")[-1])
    unwritten = ClusterMember("db1", Role.SOURCE, "db1.example", 3306)
    assert unchecked([unwritten], [], parse_release("mysql-8.0.16")[-1]) == "", "nothing is ever written there"


@pytest.mark.parametrize("binary", SERVERS, ids=[binary.name for binary in SERVERS])
def test_a_real_server_program_names_what_it_would_not_start_with(binary: ServerBinary, tmp_path: Path):
    (tmp_path / "data").mkdir()
    file = tmp_path / "my.cnf"
    file.write_text(
        f"[mysqld]\nbasedir = {binary.basedir}\nplugin_dir = {binary.plugin_dir}\n"
        f"lc_messages_dir = {binary.messages_dir}\nuser = root\nserver_id = 1\n"
        f"datadir = {tmp_path}/data\nlog_bin = binlog\n"
        + ("secure_file_priv = NULL\n" if binary.family is Family.MYSQL else ""),
        encoding="utf-8",
    )
    start = (*binary.command, f"--defaults-file={file}")
    member = ClusterMember("m1", Role.STANDALONE, "127.0.0.1", 3306, option_file=str(file), start=start)
    (check,) = checks_of([member], [], parse_release(binary.name)[-1])
    assert complaints(check) == frozenset()
    write_settings(member, {"innodb_io_capacity": "400", "innodb_flush_neighbors": "0"})
    assert complaints(check) == frozenset()
    write_settings(member, {"no_such_option": "1"})
    assert any("no_such_option" in one for one in complaints(check) or ())
    write_settings(member, {"innodb_flush_method": "nonsense"})
    assert any("innodb-flush-method" in one for one in complaints(check) or ()), "the exit code may be 0"
    assert not list((tmp_path / "data").iterdir()), "nothing was started"
