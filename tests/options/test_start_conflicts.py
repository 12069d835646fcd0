"""What stops a start although each option alone is fine, as real servers had it (see docs/start-verdicts.md)."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import NoteKind, Settings
from advisor.options import infer, read_text, resolve

M57, M80, M84, M97 = "mysql-5.7.44", "mysql-8.0.36", "mysql-8.4.4", "mysql-9.7.4"
OLD, NEW = "mariadb-10.11.19", "mariadb-11.8.6"


def resolved(lines: str, release: str) -> Settings:
    return resolve(read_text(f"[mysqld]\n{lines}\n"), parse_release(release)[0], bare=True)


@pytest.mark.parametrize("release", [M57, M80, M84, M97])
@pytest.mark.parametrize("word", ["OFF", "WARN", "0"])
def test_gtids_want_consistency(word: str, release: str) -> None:
    settings = resolved(f"server_id=1\ngtid_mode=ON\nenforce_gtid_consistency={word}", release)
    assert settings.would_start is False
    assert settings.all[-1].notes[-1].kind is NoteKind.REFUSED_TOGETHER
    assert resolved(f"server_id=1\ngtid_mode=ON_PERMISSIVE\nenforce_gtid_consistency={word}", release).would_start


@pytest.mark.parametrize(("release", "starts"), [(M57, False), (M80, False), (M84, False), (M97, True)])
def test_consistency_is_the_default_of_9_7_only(release: str, starts: bool) -> None:
    assert resolved("gtid_mode=ON", release).would_start is starts


@pytest.mark.parametrize("release", [M57, M80, M84, M97])
@pytest.mark.parametrize("line", ["enforce_gtid_consistency", "enforce_gtid_consistency=TRUE"])
def test_an_option_without_a_value_enforces_it(line: str, release: str) -> None:
    assert resolved(f"server_id=1\ngtid_mode=ON\n{line}", release).would_start


def test_in_9_7_gtids_are_on_unless_said_otherwise() -> None:
    assert resolved("enforce_gtid_consistency=OFF", M97).would_start is False
    assert resolved("gtid_mode=OFF\nenforce_gtid_consistency=OFF", M97).would_start


@pytest.mark.parametrize("release", [M57, M80])
@pytest.mark.parametrize("word", ["WRITESET", "WRITESET_SESSION"])
def test_tracking_by_write_sets_wants_write_sets(word: str, release: str) -> None:
    tracking = f"server_id=1\nbinlog_transaction_dependency_tracking={word}\ntransaction_write_set_extraction="
    assert resolved(f"{tracking}OFF", release).would_start is False
    assert resolved(f"{tracking}XXHASH64", release).would_start


def test_5_7_wants_a_server_id_with_the_binary_log_be_it_0() -> None:
    assert resolved("log_bin=b", M57).would_start is False
    assert resolved("log_bin=b\nserver_id=0", M57).would_start
    assert resolved("skip_log_bin", M57).would_start
    assert resolved("log_bin=b", M80).would_start
    assert resolved("log_bin=b", OLD).would_start


def test_what_may_stand_on_the_command_line_does_not_speak_against_a_release() -> None:
    releases, _ = infer(read_text("[mysqld]\nlog_bin=b\nquery_cache_size=0\ninnodb_large_prefix=1\n"))
    assert "5.7" in {release.series for release in releases}


@pytest.mark.parametrize(("release", "starts"), [(M57, False), (OLD, False), (M80, True), (M97, True), (NEW, True)])
def test_a_collation_alone_must_fit_the_default_character_set(release: str, starts: bool) -> None:
    settings = resolved("collation_server=utf8mb4_general_ci", release)
    assert settings.would_start is starts
    assert resolved("collation_server=latin1_swedish_ci", release).would_start is not starts


@pytest.mark.parametrize("release", [M57, M80, M97, OLD, NEW])
def test_a_collation_must_fit_the_character_set_whichever_comes_first(release: str) -> None:
    assert resolved("collation_server=utf8mb4_bin\ncharacter_set_server=latin1", release).would_start is False
    assert resolved("collation_server=utf8mb4_bin\ncharacter_set_server=utf8mb4", release).would_start


@pytest.mark.parametrize("release", [M57, M80, OLD])
def test_utf8_is_utf8mb3(release: str) -> None:
    assert resolved("character_set_server=utf8mb3\ncollation_server=utf8_general_ci", release).would_start
    assert resolved("character_set_server=utf8\ncollation_server=utf8mb4_bin", release).would_start is False


@pytest.mark.parametrize("line", ["secure_auth=0", "skip-secure-auth", "old_passwords=1"])
def test_5_7_refuses_what_asks_for_passwords_of_old(line: str) -> None:
    assert resolved(line, M57).would_start is False
    assert resolved(f"{line}\nsecure_auth=1\nold_passwords=0", M57).would_start


OFF = ["skip-innodb", "innodb=OFF", "loose-innodb=0", "ignore_builtin_innodb", "innodb=FORCE\nskip-innodb"]


@pytest.mark.parametrize("line", OFF)
def test_mariadb_without_innodb_needs_other_default_engines(line: str) -> None:
    """Seen in real starts of 10.11.19: "Unknown/unsupported storage engine: InnoDB". Nothing else shows it."""
    aria = f"{line}\ndefault_storage_engine=Aria"
    assert resolved(line, OLD).would_start is False
    assert resolved(f"{line}\ndefault_tmp_storage_engine=Aria", NEW).would_start is False
    assert resolved(aria, OLD).would_start
    assert resolved(f"{aria}\ndefault_tmp_storage_engine=innodb", OLD).would_start is False
    assert resolved(f"{aria}\nenforce_storage_engine=InnoDB", OLD).would_start is False


@pytest.mark.parametrize("lines", ["ignore_builtin_innodb=0", "skip-innodb=0", "skip-innodb\ninnodb=ON", "innodb"])
def test_innodb_that_is_left_on_stops_nothing(lines: str) -> None:
    assert resolved(lines, OLD).would_start


def test_an_address_that_galera_needs_may_be_in_a_file_that_was_not_read() -> None:
    """Seen on 10.11.19: without wsrep_cluster_address, state transfer by rsync ends the start."""
    galera = "wsrep_on=ON\nwsrep_provider=/usr/lib/libgalera_smm.so\nbinlog_format=ROW"
    assert resolved(galera, OLD).would_start is False
    assert resolved(f"{galera}\n!include /nowhere/rest.cnf", OLD).would_start is None


@pytest.mark.parametrize("word", ["FORCE", "OFF", "ON"])
def test_the_option_innodb_of_5_7_has_no_effect(word: str) -> None:
    """5.7.22 takes any word without a remark: "The option has no effect on the server behaviour"."""
    kinds = {note.kind for note in resolved(f"innodb={word}", "mysql-5.7.44").all[0].notes}
    assert NoteKind.MISREAD not in kinds
