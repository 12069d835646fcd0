"""Defaults of releases before the catalogue: those the manuals name, and no others."""

import json

import pytest

from advisor.catalog import load, parse_release
from advisor.catalog.older import is_older
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
