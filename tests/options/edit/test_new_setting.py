"""Writing a new setting like its neighbours."""

from __future__ import annotations

import pytest

from advisor.options.edit.file_sections import sections
from advisor.options.edit.new_setting import new_line, style_of


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "sync_binlog = 1"),
        ("a=1\nb=2\nc = 3", "sync_binlog=1"),
        ("log-bin=x\nmax-connections=2\nserver_id=3", "sync-binlog=1"),
        ("  a = 1\n  b = 2", "  sync_binlog = 1"),
        ("port      = 1\nserver_id = 2\nlog_bin   = 3", "sync_binlog = 1"),
        ("port            = 1\nserver_id       = 2\nlog_bin         = 3", "sync_binlog     = 1"),
        ("a= 1\nb= 1", "sync_binlog= 1"),
        ("skip-name-resolve\n", "sync-binlog = 1"),
    ],
)
def test_a_new_setting_is_written_like_its_neighbours(text: str, line: str) -> None:
    (section,) = sections(["[mysqld]", *text.split("\n")])
    assert new_line("sync_binlog", "1", style_of(section.settings, ())) == line


def test_an_empty_group_takes_the_style_of_the_rest_of_the_file() -> None:
    client, server = sections("[client]\nprotocol-name=x\n[mysqld]".split("\n"))
    assert new_line("sync_binlog", "1", style_of(server.settings, client.settings)) == "sync-binlog=1"


def test_a_name_with_a_dot_keeps_its_spelling() -> None:
    (section,) = sections(["[mysqld]", "max-connections=1"])
    style = style_of(section.settings, ())
    assert new_line("validate_password.check_user_name", "ON", style) == "validate_password.check_user_name=ON"
