"""Texts that name a server give the releases they mean, and nothing else does."""

from __future__ import annotations

import pytest

from advisor.catalog import all_releases, as_pxc, detect_release, eras, parse_release
from advisor.errors import UsageError
from advisor.model.server import Family, Release

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB


@pytest.mark.parametrize(
    ("text", "family", "version", "series", "vendor"),
    [
        ("mysql-8.0.36", MYSQL, (8, 0, 36), "8.0", ""),
        ("mysql 8.0.36", MYSQL, (8, 0, 36), "8.0", ""),
        ("MySQL 5.7.15", MYSQL, (5, 7, 15), "5.7", ""),
        ("mysql8.4.3", MYSQL, (8, 4, 3), "8.4", ""),
        ("mysql-8.0.36-log", MYSQL, (8, 0, 36), "8.0", ""),
        ("mysql 8.0.36-0ubuntu0.22.04.1", MYSQL, (8, 0, 36), "8.0", ""),
        ("mysql-8.1.0", MYSQL, (8, 1, 0), "8.4", ""),
        ("mysql-9.2.0", MYSQL, (9, 2, 0), "9.7", ""),
        ("mysql-26.7.0", MYSQL, (26, 7, 0), "26.10", ""),
        ("mysql-27.1.0", MYSQL, (27, 1, 0), "", ""),
        ("mysql-5.6.51", MYSQL, (5, 6, 51), "", ""),
        ("percona-8.0.36", MYSQL, (8, 0, 36), "8.0", "percona"),
        ("percona 8.0.36-28", MYSQL, (8, 0, 36), "8.0", "percona"),
        ("pxc 8.4.8", MYSQL, (8, 4, 8), "8.4", "pxc"),
        ("pxc-8.0.36-28.1", MYSQL, (8, 0, 36), "8.0", "pxc"),
        ("mariadb-10.6.23", MARIADB, (10, 6, 23), "10.6", ""),
        ("mariadb 10.6.23-MariaDB-log", MARIADB, (10, 6, 23), "10.6", ""),
        ("mariadb-10.9.4", MARIADB, (10, 9, 4), "10.11", ""),
        ("mariadb-11.2.6", MARIADB, (11, 2, 6), "11.4", ""),
        ("mariadb-11.7.2", MARIADB, (11, 7, 2), "11.8", ""),
        ("mariadb-10.3.39", MARIADB, (10, 3, 39), "", ""),
        ("mariadb-12.1.2", MARIADB, (12, 1, 2), "12.3", ""),
        ("mariadb-13.0.1", MARIADB, (13, 0, 1), "", ""),
    ],
)
def test_a_point_release_is_one_release(text, family, version, series, vendor):
    assert parse_release(text) == (Release(family, version, series, vendor),)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("mysql-5.7", ["mysql 5.7.9–5.7.16", "mysql 5.7.17–5.7.21", "mysql 5.7.22–5.7.44"]),
        (
            "mysql-8.0",
            ["mysql 8.0.11–8.0.20", "mysql 8.0.21–8.0.25", "mysql 8.0.26", "mysql 8.0.27–8.0.29", "mysql 8.0.30+"],
        ),
        ("mysql 8.4", ["mysql 8.4"]),
        ("mariadb-10.11", ["mariadb 10.11"]),
        ("percona-8.4", ["percona 8.4"]),
        ("pxc 8.0", ["pxc 8.0.11–8.0.20", "pxc 8.0.21–8.0.25", "pxc 8.0.26", "pxc 8.0.27–8.0.29", "pxc 8.0.30+"]),
        ("mysql-8.3", ["mysql 8.3"]),
        ("mariadb-12.1", ["mariadb 12.1"]),
        ("mariadb", ["mariadb 10.5", "mariadb 10.6", "mariadb 10.11", "mariadb 11.4", "mariadb 11.8", "mariadb 12.3"]),
    ],
)
def test_a_bare_series_is_one_release_per_era(text, labels):
    assert [release.label for release in parse_release(text)] == labels


@pytest.mark.parametrize(
    "text",
    ["", "8.0.36", "postgres-16", "mysql-8", "mysql-10.6", "mariadb-8.0", "mysql-7.0", "mysql-8.0x", "mysql-8.0.3x"],
)
def test_other_texts_are_refused_with_what_is_accepted(text):
    with pytest.raises(UsageError) as refused:
        parse_release(text)
    assert "mysql-8.0.36" in refused.value.hint
    assert "11.8" in refused.value.hint


@pytest.mark.parametrize(
    ("version", "comment", "name"),
    [
        ("8.0.36", "MySQL Community Server - GPL", "mysql-8.0.36"),
        ("8.0.36-0ubuntu0.22.04.1", "(Ubuntu)", "mysql-8.0.36"),
        ("8.0.36-2ubuntu3", "(Ubuntu)", "mysql-8.0.36"),
        ("8.0.36-28", "Percona Server (GPL), Release 28, Revision 47601f19", "percona-8.0.36"),
        ("8.0.36-28", "", "percona-8.0.36"),
        ("8.0.36-28.1", "Percona XtraDB Cluster (GPL), Release rel28, WSREP version 26.1.4.3", "pxc-8.0.36"),
        ("8.0.36-28.1", "", "pxc-8.0.36"),
        ("8.0.40", "MySQL Community Server - (GPL), wsrep_26.22", "pxc-8.0.40"),
        ("10.11.14-MariaDB-0ubuntu0.24.04.1", "Ubuntu 24.04", "mariadb-10.11.14"),
        ("5.5.5-10.6.23-MariaDB-log", "MariaDB Server", "mariadb-10.6.23"),
        ("11.4.7", "mariadb.org binary distribution", "mariadb-11.4.7"),
        ("26.7.0", "MySQL Community Server - GPL", "mysql-26.7.0"),
        ("26.7.0", "", "mysql-26.7.0"),
    ],
)
def test_a_running_server_is_recognised_by_words_not_by_its_major_number(version, comment, name):
    assert detect_release(version, comment).name == name


@pytest.mark.parametrize("version", ["", "unknown", "10.6.12", "8"])
def test_a_version_without_words_that_no_mysql_ever_had_is_not_guessed(version):
    assert detect_release(version) is None


def test_eras_of_a_series_follow_each_other_without_a_gap():
    for before, after in zip(eras(), eras()[1:], strict=False):
        if (before.family, before.series) == (after.family, after.series):
            assert before.last == (*after.first[:2], after.first[2] - 1)
    assert all(era.reason and era.first <= era.representative <= (era.last or era.representative) for era in eras())


def test_every_era_has_its_release_and_its_xtradb_cluster_twin():
    releases = all_releases()
    assert len(set(releases)) == len(eras()) == 16
    assert {as_pxc(r).label for r in releases if r.family is MYSQL} >= {"pxc 8.4", "pxc 8.0.26"}
