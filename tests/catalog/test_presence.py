"""The presence index answers as the full catalogue does, and suggests names that exist."""

from __future__ import annotations

import pytest

from advisor.catalog import all_releases, as_pxc, known_somewhere, knows, load, near, parse_release, table


@pytest.mark.parametrize("release", all_releases(), ids=lambda r: r.label)
def test_the_index_agrees_with_the_catalogue(release):
    full = load(release)
    for name in table.rows("presence"):
        there = full.get(name) is not None or full.ignored(name) is not None
        assert knows(release, name) is (True if there else None if full.maybe(name) else False), name


def test_releases_outside_the_index_are_answered_too():
    assert knows(parse_release("mysql-8.0.29")[0], "innodb_redo_log_capacity") is False
    assert knows(parse_release("mysql-8.0.30")[0], "innodb_redo_log_capacity") is True
    assert knows(parse_release("mysql-9.5.0")[0], "innodb_log_file_size") is None
    assert knows(as_pxc(all_releases()[-6]), "wsrep_sync_wait") is True


def test_where_else_a_name_is_known_is_told():
    assert known_somewhere("innodb_redo_log_capacity") == ("mysql 8.0", "mysql 8.4", "mysql 9.7")
    assert known_somewhere("slave_parallel_threads")[0] == "mariadb 10.5"
    assert known_somewhere("innodb_buffer_pool_instances") == (
        *("mysql 5.7", "mysql 8.0", "mysql 8.4", "mysql 9.7"),
        "mariadb 10.5",
    )
    assert known_somewhere("no_such_variable") == ()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("innodb_pool_buffer_size", "innodb_buffer_pool_size"),
        ("innodb_bufer_pool_size", "innodb_buffer_pool_size"),
        ("max_conections", "max_connections"),
        ("sync_binlogs", "sync_binlog"),
    ],
)
def test_the_name_that_was_meant_is_suggested_first(typed, meant):
    suggestions = near(typed, parse_release("mysql-8.4")[0])
    assert suggestions[0] == meant
    assert len(suggestions) <= 3


def test_nothing_is_suggested_for_a_name_like_no_other():
    assert near("zzz", parse_release("mysql-8.4")[0]) == ()
