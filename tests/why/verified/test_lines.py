"""Lines of verified changes: what was written is read again, and what cannot be read is counted."""

from __future__ import annotations

import pytest

from advisor.why.verified.lines import read_lines
from tests.why.verified.a_change import LINE, PAIR, changed


def test_what_was_written_is_read_again() -> None:
    assert LINE.count("\n") == 1
    assert read_lines(LINE * 3) == ((PAIR,) * 3, "")
    assert read_lines("") == ((), "")


def test_lines_of_a_later_version_are_left_alone_with_one_note() -> None:
    pairs, note = read_lines(LINE + changed(format=2) * 2 + changed(format=7, predicted="elsewhere"))
    assert pairs == (PAIR,)
    assert note == "lines that are not used: 3 written by a later version of advisor"


@pytest.mark.parametrize(
    "damaged",
    [
        LINE[:40],
        "[]",
        "\x00\ufffd",
        "[" * 100_000,
        changed(format="1"),
        changed(format=None),
        changed(predicted=[1, 2]),
        changed(predicted=[1, 0, 2]),
        changed(predicted=[1, float("nan"), 2]),
        changed(predicted=[1, 10**400, 2]),
        changed(measured=0),
        changed(measured="fast"),
        changed(settings=None),
        LINE.replace('"cause"', '"reason"'),
    ],
)
def test_a_damaged_line_is_counted_and_the_others_are_read(damaged: str) -> None:
    pairs, note = read_lines(f"{LINE}{damaged.rstrip()}\n{LINE}")
    assert pairs == (PAIR, PAIR)
    assert note == "lines that are not used: 1 that cannot be read"


def test_a_key_that_is_not_known_yet_does_no_harm() -> None:
    assert read_lines(changed(load="update_index")) == ((PAIR,), "")
