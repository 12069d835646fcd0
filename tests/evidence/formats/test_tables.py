"""Result sets in every printed shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.evidence.formats.dumps import read_dump
from advisor.evidence.formats.tables import result_sets

BOX = """+---------------+-------+
| Variable_name | Value |
+---------------+-------+
| port          | 3306  |
| socket        |       |
+---------------+-------+
"""
VERTICAL = """*************************** 1. row ***************************
Variable_name: port
        Value: 3306
*************************** 2. row ***************************
Variable_name: socket
        Value:
"""
TABS = "Variable_name\tValue\nport\t3306\nsocket\t\n"
SPACES = "Variable_name   Value\nport            3306\nsocket\n"


def pairs(text: str) -> list[tuple[str | None, ...]]:
    return [row for found in result_sets(text) for row in found.rows]


def test_every_shape_gives_the_same_rows() -> None:
    for text in (BOX, VERTICAL, TABS, SPACES):
        assert pairs(text) == [("port", "3306"), ("socket", "")]


def test_windows_line_ends_change_nothing() -> None:
    for text in (BOX, VERTICAL, TABS, SPACES):
        assert pairs(text.replace("\n", "\r\n")) == [("port", "3306"), ("socket", "")]


def test_each_row_knows_its_line() -> None:
    assert [found.lines for found in result_sets("-- note\n" + BOX)] == [(5, 6)]
    assert [found.lines for found in result_sets("-- note\n" + TABS)] == [(3, 4)]


def test_null_is_none_and_empty_is_empty() -> None:
    assert pairs("Variable_name\tValue\na\tNULL\nb\t\n") == [("a", None), ("b", "")]
    assert pairs(BOX.replace("      |\n+", " NULL |\n+", 1)) == [("port", "3306"), ("socket", None)]


def test_tabs_and_line_ends_inside_values_are_unescaped() -> None:
    assert pairs("Variable_name\tValue\ninit\ta\\tb\\nc\\\\d\n") == [("init", "a\tb\nc\\d")]


def test_a_bar_inside_a_value_does_not_split_it() -> None:
    box = BOX.replace("| 3306  |", "| a | b |").replace("Value |", "Value |")
    assert pairs(box)[0] == ("port", "a | b")


def test_rows_kept_by_grep_are_read_without_their_borders() -> None:
    assert pairs("| port   | 3306 |\n| socket |      |\n") == [("port", "3306"), ("socket", "")]


def test_a_row_cut_in_a_box_does_not_swallow_the_next_one() -> None:
    broken = BOX.replace("| port          | 3306  |", "| port          | 33")
    assert ("socket", "") in pairs(broken)
    assert all(row[0] != "port" for row in pairs(broken))


def test_a_table_that_breaks_off_keeps_its_whole_rows_only() -> None:
    for text in (BOX, VERTICAL, TABS, SPACES):
        for length in range(len(text)):
            for row in pairs(text[:length]):
                assert row in [("port", "3306"), ("socket", ""), ("port",), ("socket",)]


def test_a_break_is_said_with_its_line() -> None:
    pieces = read_dump("Variable_name\tValue\ngtid_mode\tOFF\nsync_binlog\t10", "v.txt")
    assert list(pieces.variables) == ["gtid_mode"]
    assert pieces.problems == [
        "v.txt:3: the output ends early; sync_binlog has no line end, may be cut off, and is not used"
    ]


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("xa_detach_on_prepare", "ON", True),
        ("binlog_format", "ROW", True),
        ("log_bin", "O", False),
        ("gtid_mode", "OFF", False),  # OFF_PERMISSIVE
        ("sync_binlog", "1", False),  # 1000
        ("version", "8.0.3", False),  # 8.0.36
        ("no_such_variable", "ON", False),
    ],
)
def test_a_last_row_without_line_end_is_kept_when_its_value_can_be_nothing_longer(
    name: str, value: str, kept: bool
) -> None:
    tabs, vertical = (text.replace("socket", name).removesuffix("\n") for text in (TABS, VERTICAL))
    for text in (tabs + value, f"{vertical} {value}"):
        pieces = read_dump(text, "v.txt")
        assert (name in pieces.variables, bool(pieces.problems)) == (kept, not kept)


PARTS = [
    "+---+---+", "| a | b |", "*** ", "*" * 27 + " 1. row " + "*" * 27, "a: b", "a\tb", "| a", "Variable_name\tValue",
    "Variable_name  Value", "", "TS 1772359200.1", "x" * 30, "\t\t", "Type: InnoDB", "Status: ",
    "END OF INNODB MONITOR OUTPUT", "\ud800", "mysql> ",
]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS)))
def test_no_text_made_of_table_parts_crashes_the_reader(parts: list[str]) -> None:
    read_dump("\n".join(parts), "x").member("x")


@given(st.text())
def test_no_text_crashes_the_reader(text: str) -> None:
    read_dump(text, "x").member("x")
