"""Tables for the terminal."""

from __future__ import annotations

from advisor.report.words.table import text_table


def test_a_column_empty_everywhere_takes_no_room():
    assert text_table([["a", "b", "c"], ["x", "", "10"]]) == ["a   c", "x  10"]
