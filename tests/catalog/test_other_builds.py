"""Options that only servers for Windows or of NDB Cluster have."""

from __future__ import annotations

import pytest

from advisor.catalog import all_releases, knows
from advisor.catalog.other_builds import is_for_windows, method_of_windows, of_ndb, of_windows
from advisor.model.server import Family


@pytest.mark.parametrize("value", ["C:/ProgramData/MySQL", "D:\\data"])
def test_a_drive_letter_shows_windows(value):
    assert is_for_windows([None, "8G", value])


@pytest.mark.parametrize("value", [None, "", "/var/lib/mysql", "10.0.0.1:4567", "a:33061", "gcomm://a", "1:/x"])
def test_nothing_else_shows_windows(value):
    assert not is_for_windows([value])


@pytest.mark.parametrize("name", ["shared_memory", "enable_named_pipe", "skip_shared_memory"])
def test_options_of_windows_are_no_certain_options_of_any_release_for_linux(name):
    assert of_windows(name)
    assert not any(knows(release, name) for release in all_releases())


def test_methods_of_windows_belong_to_one_option():
    assert method_of_windows("innodb_flush_method", "UNBUFFERED")
    assert not method_of_windows("innodb_flush_method", "O_DIRECT")
    assert not method_of_windows("innodb_flush_log_at_trx_commit", "normal")


def test_ndb_is_an_engine_of_mysql_alone():
    assert of_ndb("ndbcluster", Family.MYSQL)
    assert of_ndb("skip_ndbcluster", Family.MYSQL)
    assert not of_ndb("ndb_connectstring", Family.MARIADB)
    assert not of_ndb("innodb_buffer_pool_size", Family.MYSQL)
