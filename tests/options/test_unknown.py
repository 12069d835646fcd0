"""What is said about options a release does not know."""

from __future__ import annotations

from advisor.catalog import parse_release
from advisor.model.options import Note, NoteKind
from advisor.options import read_text, resolve


def note(line: str, release: str) -> Note:
    return resolve(read_text(f"[mysqld]\n{line}\n"), parse_release(release)[0]).all[-1].notes[0]


def test_a_misspelt_name_is_recognised() -> None:
    found = note("innodb_bufer_pool_size=1G", "mysql-8.0.36")
    assert (found.kind, found.instead) == (NoteKind.UNKNOWN, "innodb_buffer_pool_size")


def test_a_renamed_option_says_its_new_name() -> None:
    found = note("slave_parallel_workers=4", "mysql-9.7.4")
    if found.kind is not NoteKind.DEPRECATED:
        assert (found.kind, found.instead) == (NoteKind.RENAMED, "replica_parallel_workers")
    found = note("rpl_semi_sync_master_enabled=1", "mysql-9.7.4")
    assert (found.kind, found.instead) == (NoteKind.RENAMED, "rpl_semi_sync_source_enabled")


def test_a_removed_option_says_since_when_and_what_replaces_it() -> None:
    found = note("expire_logs_days=7", "mysql-8.4.4")
    assert (found.kind, found.instead) == (NoteKind.REMOVED, "binlog_expire_logs_seconds")
    assert "8.2.0" in found.message
    assert note("query_cache_size=0", "mysql-8.0.36").kind is NoteKind.REMOVED


def test_an_option_of_the_other_family_is_named_as_such() -> None:
    assert "MariaDB" in note("wsrep_on=ON", "mysql-8.0.36").message
    assert "MySQL" in note("gtid_mode=ON", "mariadb-10.11.19").message


def test_an_option_of_a_later_release_says_where_it_is_known() -> None:
    assert "8.4" in note("innodb_redo_log_capacity=1G", "mysql-8.0.20").hint


def test_what_stands_behind_a_blank_is_not_shown() -> None:
    found = note("wsrep_sst_auth sst:secret", "mariadb-10.11.19")
    assert "secret" not in f"{found.message}{found.hint}"
    assert "'='" in found.hint


def test_mariadb_ignores_some_options_of_mysql_and_its_own_past() -> None:
    assert note("innodb_file_format=Barracuda", "mariadb-10.11.19").kind is NoteKind.IGNORED
    assert note("master_info_repository=TABLE", "mariadb-10.11.19").kind is NoteKind.IGNORED
