"""Which releases a file is for."""

from __future__ import annotations

import pytest

from advisor.options import infer, read_text, resolve
from tests.calls import calls_of


def inferred(text: str) -> tuple[set[str], str]:
    releases, sentence = infer(read_text(text))
    return {f"{r.vendor or r.family} {r.series}" for r in releases}, sentence


def test_options_only_some_releases_know_narrow_it_down() -> None:
    assert inferred("[mysqld]\nquery_cache_size=0\nlog_warnings=2\ngtid_mode=ON\n")[0] == {"mysql 5.7"}
    assert inferred("[mysqld]\ngtid_mode=ON\nadmin_port=1\nexpire_logs_days=3\n")[0] == {"mysql 8.0"}
    assert inferred("[mysqld]\nslave_parallel_mode=optimistic\n")[0] == {
        f"mariadb {series}" for series in ("10.5", "10.6", "10.11", "11.4", "11.8", "12.3")
    }


def test_eras_of_a_series_are_told_apart() -> None:
    releases, _ = infer(read_text("[mysqld]\nreplica_parallel_workers=4\nexpire_logs_days=3\n"))
    assert [r.label for r in releases] == ["mysql 8.0.26", "mysql 8.0.27–8.0.29", "mysql 8.0.30+"]


def test_values_count_as_well_as_names() -> None:
    assert inferred("[mysqld]\nsql_mode=NO_AUTO_CREATE_USER\ngtid_mode=ON\n")[0] == {"mysql 5.7"}


def test_abbreviations_speak_for_mariadb() -> None:
    found, _ = inferred("[mysqld]\nkey_buffer=16M\n")
    assert all(label.startswith("mariadb") for label in found)


def test_groups_give_hints_even_empty_ones() -> None:
    found, sentence = inferred("[mysqld]\nport=1\n[mariadb-10.6]\n")
    assert found == {"mariadb 10.6"}
    assert "[mariadb-10.6]" in sentence
    assert inferred("[mysqld]\nport=1\n[mysqld-8.0]\n")[0] == {"mysql 8.0"}


def test_galera_with_options_only_mysql_knows_is_pxc() -> None:
    found, _ = inferred("[mysqld]\nwsrep_on=ON\ngtid_mode=ON\nenforce_gtid_consistency=ON\n")
    assert all(label.startswith("pxc") for label in found)
    found, _ = inferred("[mysqld]\nwsrep_on=ON\nwsrep_provider=/x.so\nbinlog_format=MIXED\n")
    assert all(label.startswith("mariadb") for label in found)
    found, _ = inferred("[mysqld]\nwsrep_slave_threads=4\naria_pagecache_buffer_size=16M\n")
    assert all(label.startswith("mariadb") for label in found)


def test_where_nothing_fits_the_fewest_refusals_win() -> None:
    found, sentence = inferred("[mysqld]\ngtid_mode=ON\nenforce_gtid_consistency=ON\nnonsense=1\n")
    assert all(label.startswith("mysql") for label in found)
    assert "fewest" in sentence
    assert "1 of 3" in sentence


def test_a_file_for_no_server_leaves_everything_possible() -> None:
    releases, sentence = infer(read_text("[client]\nport=1\n"))
    assert len(releases) >= 15
    assert "no server option" in sentence


def test_a_file_of_a_known_form_costs_no_second_reading_of_the_catalogue() -> None:
    lines = [f"[mysqld]\nserver_id={n}\nport=3306\nmax_connections=200\nsync_binlog=1\n" * 12 for n in (1, 2)]
    infer(read_text(lines[0]))  # catalogue files are read once

    def read_again() -> None:
        reading = read_text(lines[1])
        for release in infer(reading)[0]:
            resolve(reading, release)

    assert calls_of(read_again) < 60_000  # 26,482 of this file's 60 lines in 15 releases


@pytest.mark.parametrize("group", ["galera", "mariadb", "mariadb-10.6"])
def test_options_of_xtradb_cluster_count_before_a_group_of_mariadb(group: str) -> None:
    provider = "wsrep_provider = /usr/lib64/galera4/libgalera_smm.so"
    releases, how = infer(read_text(f"[mysqld]\n{provider}\nwsrep_cluster_name = pxc\n[{group}]\nport = 1\n"))
    assert {release.vendor for release in releases} == {"pxc"}
    assert "group" not in how
