"""Changing one word of a list and leaving the others as they are written."""

from __future__ import annotations

import pytest

from advisor.options.edit.list_value import merge_words, words_of


@pytest.mark.parametrize(
    ("text", "wanted", "after"),
    [
        ("", {"a": "1"}, "a=1"),
        ("a=1; b=2", {"a": "9"}, "a=9; b=2"),
        ("a=1; b=2", {"b": "9"}, "a=1; b=9"),
        ("a=1; b=2", {"c": "9"}, "a=1; b=2; c=9"),
        ("a=1;b=2", {"c": "9"}, "a=1;b=2;c=9"),
        ("a=1", {"c": "9"}, "a=1; c=9"),
        ("a=1; b=2;", {"c": "9"}, "a=1; b=2; c=9;"),
        ("a=1;", {"c": "9"}, "a=1; c=9;"),
        ("a = 1 ;b = 2", {"a": "9"}, "a = 9 ;b = 2"),
        ("a=1; a=2", {"a": "9"}, "a=1; a=9"),
        ("a=1; b=2; c=3", {"b": None}, "a=1; c=3"),
        ("a=1; b=2", {"a": None}, "b=2"),
        ("a=1; b=2; a=3", {"a": None}, "b=2"),
        ("a=1", {"a": None}, ""),
        ("a=1;", {"a": None}, ""),
        ("a=1", {"z": None}, "a=1"),
        ("gcs.fc_limit=1; gcs.fc_limit_x=2", {"gcs.fc_limit": "9"}, "gcs.fc_limit=9; gcs.fc_limit_x=2"),
        ("a=1; b=2", {"a": None, "b": "3", "c": "4"}, "b=3; c=4"),
    ],
)
def test_provider_options_change_word_by_word(text: str, wanted: dict[str, str | None], after: str) -> None:
    assert merge_words(text, wanted, ";") == after


def test_switches_are_appended_without_a_blank() -> None:
    assert merge_words("mrr=on", {"mrr_cost_based": "off"}, ",") == "mrr=on,mrr_cost_based=off"


def test_the_last_of_two_equal_words_counts() -> None:
    assert words_of("a=1; b = 2 ;a=3;", ";") == {"a": "3", "b": "2"}
