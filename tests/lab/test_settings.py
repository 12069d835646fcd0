"""A member's option file: what the lab says, what the user adds, and that the server reads it as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import UsageError
from advisor.lab.settings import member_settings, option_file, redo, user_setting
from advisor.model.lab import Endpoint, MemberPlan, ServerBinary
from advisor.model.server import Family, Role
from advisor.options import read_file

ENDPOINT = Endpoint("m1", 21000, (21001, 21002, 21003))


def binary(family: Family, *version: int) -> ServerBinary:
    return ServerBinary(family, version, "/p/bin/x", ("/p/bin/x",), "/p", "", "/p/share")


def test_a_users_setting_is_spelled_as_the_server_spells_it():
    assert user_setting("Sync-Binlog", "1") == ("sync_binlog", "1")
    assert user_setting("init_connect", "") == ("init_connect", "")


@pytest.mark.parametrize(("name", "value"), [("a b", "1"), ("x", "1\n[mysqld]"), ("1x", "2"), ("datadir", "/tmp")])
def test_what_is_not_a_setting_or_not_the_users_to_choose_is_wrong_usage(name, value):
    with pytest.raises(UsageError, match=f"--set {name}"):
        user_setting(name, value)


def test_the_users_own_lines_come_last_so_that_they_win():
    users = [("sync_binlog", "1"), ("plugin_load_add", "b.so")]
    text = option_file({"sync_binlog": "0", "plugin_load_add": "a.so"}, users)
    lab, own = text.split("# set by the user\n")
    assert lab == "[mysqld]\nsync_binlog = 0\nplugin_load_add = a.so\n"
    assert own == "sync_binlog = 1\nplugin_load_add = b.so\n"


def test_provider_options_of_the_user_do_not_take_the_labs_addresses_away():
    text = option_file({"wsrep_provider_options": "gcache.size=128M"}, [("wsrep_provider_options", "gcs.fc_limit=5")])
    assert text == "[mysqld]\nwsrep_provider_options = gcache.size=128M;gcs.fc_limit=5\n"


@pytest.mark.parametrize("value", ["a#b", "C:\\new", "plain", "a;b=c", "SET @x = 'y'", "", "trailing\\"])
def test_the_server_reads_a_value_as_it_was_given(tmp_path, value):
    path = tmp_path / "my.cnf"
    path.write_text(option_file({"init_connect": value}, []), encoding="utf-8")
    assert [a.value for a in read_file(path).arguments] == [value]


def test_the_redo_log_is_64_mib_in_every_release():
    assert redo(binary(Family.MYSQL, 9, 7, 4)) == {"innodb_redo_log_capacity": str(64 << 20)}
    assert redo(binary(Family.MYSQL, 8, 0, 29)) == {"innodb_log_file_size": str(32 << 20)}, "two files"
    assert redo(binary(Family.MARIADB, 10, 11, 19)) == {"innodb_log_file_size": str(64 << 20)}


def test_the_plan_wins_over_the_lab_and_nothing_listens_outside():
    plan = MemberPlan(ENDPOINT, Role.SOURCE, {"innodb_buffer_pool_size": "32M", "log_bin": "binlog"})
    said = member_settings(plan, binary(Family.MYSQL, 9, 7, 4), Path("/labs/x/m1"), 1)
    assert said["bind_address"] == "127.0.0.1"
    assert said["mysqlx"] == "OFF"
    assert said["innodb_buffer_pool_size"] == "32M"
    assert "plugin_dir" not in said, "unknown: the server's own"
    old = member_settings(plan, binary(Family.MYSQL, 5, 7, 22), Path("/labs/x/m1"), 1)
    assert "mysqlx" not in old, "the plugin is no part of 5.7's server"
