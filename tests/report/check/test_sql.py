"""Statements for a running server in its own spelling, and back; and the diff they come with."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.rules import Change, TakesEffect
from advisor.model.server import Release
from advisor.options.edit.edited_file import FileEdit
from advisor.report.check.diff import render, unified
from advisor.report.check.sql import statements
from advisor.report.words.layout import Page


def release(name: str) -> Release:
    """The one release of that name."""
    [only] = parse_release(name)
    return only


def put(name: str, value: str | None, effect: TakesEffect = TakesEffect.AT_ONCE, was: str = "") -> Change:
    """A change of one setting."""
    return Change(name, value, effect, was=was)


@pytest.mark.parametrize(
    ("server", "change", "expected"),
    [
        ("mysql-8.0.36", put("innodb_redo_log_capacity", "8G"), ["SET GLOBAL innodb_redo_log_capacity = 8589934592;"]),
        ("mysql-8.0.36", put("sync_binlog", "1"), ["SET GLOBAL sync_binlog = 1;"]),
        ("mysql-8.0.36", put("innodb_log_buffer_size", "16MB"), ["SET GLOBAL innodb_log_buffer_size = 16777216;"]),
        ("mysql-8.0.36", put("binlog_format", "ROW"), ["SET GLOBAL binlog_format = 'ROW';"]),
        ("mysql-8.0.36", put("innodb_flush_log_at_trx_commit", None), [
            "SET GLOBAL innodb_flush_log_at_trx_commit = DEFAULT;"
        ]),
        ("mysql-8.0.36", put("replica_parallel_workers", "16", TakesEffect.APPLIER_RESTART), [
            "STOP REPLICA SQL_THREAD;", "SET GLOBAL replica_parallel_workers = 16;", "START REPLICA SQL_THREAD;"
        ]),
        ("mysql-5.7.44", put("slave_parallel_workers", "16", TakesEffect.APPLIER_RESTART), [
            "STOP SLAVE SQL_THREAD;", "SET GLOBAL slave_parallel_workers = 16;", "START SLAVE SQL_THREAD;"
        ]),
        ("mysql-8.0.36", put("replica_parallel_workers", "16", TakesEffect.GROUP_RESTART), [
            "STOP GROUP_REPLICATION;", "SET GLOBAL replica_parallel_workers = 16;", "START GROUP_REPLICATION;"
        ]),
        ("mysql-8.0.36", put("innodb_doublewrite_dir", "/x"), [
            "-- innodb_doublewrite_dir: set in the option file only; needs a server restart"
        ]),
        ("mariadb-10.11.9", put("galera.gcs.fc_limit", "128"), [
            "SET GLOBAL wsrep_provider_options = 'gcs.fc_limit=128';"
        ]),
        ("mysql-8.0.36", put("init_connect", "SET NAMES 'x'"), ["SET GLOBAL init_connect = 'SET NAMES ''x''';"]),
    ],
)  # fmt: skip
def test_a_change_in_the_servers_own_spelling(server: str, change: Change, expected: list[str]) -> None:
    assert statements([change], release(server)) == expected


def test_the_way_back_sets_the_old_value_or_says_to_note_it() -> None:
    changes = [put("sync_binlog", "1", was="1000"), put("innodb_io_capacity", "2000")]
    assert statements(changes, release("mysql-8.0.36"), back=True) == [
        "SET GLOBAL sync_binlog = 1000;",
        "-- innodb_io_capacity: note its current value first: SELECT @@GLOBAL.innodb_io_capacity;",
    ]


def test_the_diff_masks_passwords_and_keeps_a_missing_line_end_visible() -> None:
    edit = FileEdit(
        "my.cnf",
        b"[mysqld]\r\nreport_password=hunter2\r\nsync_binlog=0",
        b"[mysqld]\r\nreport_password=hunter2\r\nsync_binlog=1",
    )
    lines = "\n".join(unified(edit)).splitlines()
    assert lines[3:] == [
        " [mysqld]",
        " report_password=********",
        "-sync_binlog=0",
        "\\ No newline at end of file",
        "+sync_binlog=1",
        "\\ No newline at end of file",
    ]


def test_statements_are_shown_once_for_the_releases_they_are_the_same_for() -> None:
    edit = FileEdit("my.cnf", b"sync_binlog=0\n", b"sync_binlog=1\n")
    change = put("sync_binlog", "1", was="0")
    releases = [release(f"mysql-{number}") for number in ("8.0.22", "8.0.36", "8.4.3")]
    text = render([edit], [(each, [change]) for each in releases], Page())
    assert text.startswith("The changes are the same for every possible release: mysql 8.0.22, 8.0.36, 8.4.3\n")
    assert text.count("SET GLOBAL sync_binlog = 1;") == 1
    restart = put("replica_parallel_workers", "8", was="4", effect=TakesEffect.APPLIER_RESTART)
    assert render([edit], [(each, [restart]) for each in releases[1:]], Page()).count("STOP REPLICA SQL_THREAD;") == 2
