"""Defaults of releases before the catalogue: those the manuals name, and no others."""

import json

import pytest

from advisor.catalog import load, parse_release
from advisor.catalog.older import is_lacking, is_older
from advisor.catalog.table import rows
from advisor.catalog.variables import nearest_series
from advisor.model.catalog import NO_DEFAULT


def default(release, name):
    variable = load(parse_release(release)[0]).get(name)
    return NO_DEFAULT if variable is None else variable.default


@pytest.mark.parametrize(
    ("release", "name", "value"),
    [
        ("mariadb-10.1", "sync_binlog", 0),
        ("mariadb-10.1", "binlog_format", "STATEMENT"),
        ("mariadb-10.2", "binlog_format", "MIXED"),
        ("mariadb-10.4.6", "innodb_log_files_in_group", 2),
        ("mysql-5.6", "relay_log_info_repository", "FILE"),
        ("mysql-5.6.51", "sync_binlog", 0),
    ],
)
def test_the_manual_of_an_older_release_gives_its_default(release, name, value):
    assert default(release, name) == value


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("mariadb-10.3", "innodb_purge_threads"),  # not in the list
        ("mysql-5.5.62", "sync_binlog"),  # before the list begins
        ("mysql-27.1.0", "sync_binlog"),  # newer than the catalogue
    ],
)
def test_what_was_not_read_has_no_default(release, name):
    assert default(release, name) is NO_DEFAULT


def test_a_covered_release_is_not_older():
    assert not is_older(parse_release("mariadb-10.5")[0])
    assert is_older(parse_release("mysql-5.6.41")[0])


@pytest.mark.parametrize("oldest", ["mariadb-10.0", "mysql-5.6"])
def test_every_name_of_the_list_is_one_of_the_next_series(oldest):
    release = parse_release(oldest)[0]
    later = rows(f"{release.family}-{nearest_series(release)}")
    names = rows(f"older-{release.family}")
    assert names
    assert {name for name in names if '"t"' not in later.get(name, "")} == set()
    assert all(json.loads(text)["ds"] for text in names.values())


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("mariadb-10.3", "query_cahce_type"),  # two letters exchanged
        ("mariadb-10.3.31", "binlog_expire_logs_seconds"),  # came with 10.6
        ("mariadb-10.1", "super_read_only"),  # MySQL's
        ("mariadb-10.0", "enforce_gtid_consistency"),
        ("mysql-5.6", "innodb_dedicated_server"),  # came with 8.0
        ("mysql-5.6.51", "gtid_strict_mode"),  # MariaDB's
        ("mysql-5.5.62", "inodb_buffer_pool_size"),
    ],
)
def test_what_an_older_release_certainly_lacks(release, name):
    assert is_lacking(name, parse_release(release)[0])
    assert not load(parse_release(release)[0]).maybe(name)


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("mariadb-10.1", "innodb_additional_mem_pool_size"),  # gone before 10.5
        ("mariadb-10.3", "default_authentication_plugin"),  # accepted and ignored
        ("mariadb-10.1", "wsrep_foo"),  # Galera's own
        ("mariadb-10.2", "tokudb_cache_size"),  # a plugin's
        ("mysql-5.6", "validate_password_policy"),
        ("mysql-5.6", "innodb_additional_mem_pool_size"),
        ("mysql-5.6", "key_buffer"),  # abbreviated
        ("mysql-5.6", "something_else"),  # nobody knows it
        ("percona-5.6", "innodb_dedicated_server"),  # another vendor's build
        ("mysql-5.1.73", "innodb_dedicated_server"),  # before any that was read
        ("mysql-27.1.0", "query_cahce_type"),  # newer than the catalogue
        ("mariadb-10.5", "query_cahce_type"),  # judged by its own series
    ],
)
def test_what_cannot_be_told_is_not_lacking(release, name):
    assert not is_lacking(name, parse_release(release)[0])
