"""Comments that switch rules off."""

from __future__ import annotations

from advisor.model.options import Suppression
from advisor.options import read_text


def found(text: str) -> list[Suppression]:
    return list(read_text(text, "my.cnf").suppressions)


def test_a_comment_on_the_settings_line() -> None:
    text = "[mysqld]\nsync_binlog = 0  # advisor: ignore[binlog-not-synced] replica only\n"
    assert found(text) == [Suppression("binlog-not-synced", "my.cnf", 2, "replica only")]


def test_a_comment_above_speaks_about_the_next_setting() -> None:
    text = "[mysqld]\n# advisor: ignore[a] first\n# another word\n\n# advisor: ignore[b]\nsync_binlog=0\n"
    assert found(text) == [Suppression("a", "my.cnf", 6, "first"), Suppression("b", "my.cnf", 6)]


def test_a_whole_file_and_an_end_date() -> None:
    text = "# advisor: ignore-file[a] test server\n[mysqld]\nx=1 # advisor: ignore[b until=2027-01-01] later\n"
    assert found(text) == [
        Suppression("a", "my.cnf", 0, "test server"),
        Suppression("b", "my.cnf", 3, "later", "2027-01-01"),
    ]


def test_several_rules_in_one_comment() -> None:
    assert [s.rule for s in found("[mysqld]\nx=1 # advisor: ignore[a, b]\n")] == ["a", "b"]


def test_other_comments_suppress_nothing() -> None:
    assert found("[mysqld]\nx=1 # the advisor said ignore[a]\n# advisor: ignore a\n") == []
