"""Replacing, adding and taking out lines while all other bytes stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.options.edit.edited_file import draft_of, identity, open_draft


@given(st.binary())
def test_a_draft_without_changes_is_the_file(content: bytes) -> None:
    edit = draft_of("my.cnf", content).edit()
    assert edit.before == edit.after == content


@given(st.lists(st.sampled_from([b"x=1\n", b"\xff\xfe\r\n", b"\x0c\n", b"# \x85 \n"]), min_size=1), st.data())
def test_taking_out_a_line_removes_exactly_its_bytes(lines: list[bytes], data: st.DataObject) -> None:
    content = b"".join(lines)
    index = data.draw(st.integers(0, len(lines) - 1))
    draft = draft_of("my.cnf", content)
    draft.take_out(index)
    assert draft.edit().after == b"".join(lines[:index] + lines[index + 1 :])


@pytest.mark.parametrize(
    ("before", "below", "after"),
    [
        (b"a\nb\n", 0, b"a\nnew\nb\n"),
        (b"a\nb\n", 1, b"a\nb\nnew\n"),
        (b"a\nb", 1, b"a\nb\nnew"),
        (b"a\nb", 0, b"a\nnew\nb"),
        (b"a\r\nb\r\n", 1, b"a\r\nb\r\nnew\r\n"),
        (b"a\r\nb", 1, b"a\r\nb\r\nnew"),
        (b"a\nb\nc\r\n", 2, b"a\nb\nc\r\nnew\n"),
        (b"a", 0, b"a\nnew"),
        (b"", -1, b"new\n"),
        (b"a\n", -1, b"new\na\n"),
    ],
)
def test_an_added_line_ends_as_the_lines_of_the_file_do(before: bytes, below: int, after: bytes) -> None:
    draft = draft_of("my.cnf", before)
    draft.add_after(below, "new")
    assert draft.edit().after == after


def test_line_numbers_of_the_reading_stay_valid_through_several_changes() -> None:
    draft = draft_of("my.cnf", b"a\nb\nc\nd")
    draft.take_out(0)
    draft.add_after(2, "after c")
    draft.replace(1, "B")
    draft.add_after(2, "and then")
    draft.replace(3, "D")
    assert draft.edit().after == b"B\nc\nafter c\nand then\nD"
    assert draft.origins() == ((1, False), (2, False), (2, True), (2, True), (3, False))
    assert [draft.touched(index) for index in range(4)] == [True, True, False, True]


def test_taking_out_the_last_line_leaves_the_one_before_as_it_was() -> None:
    draft = draft_of("my.cnf", b"a\r\nb")
    draft.take_out(1)
    assert draft.edit().after == b"a\r\n"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read") as caught:
        open_draft(str(tmp_path / "absent.cnf"))
    assert caught.value.file.endswith("absent.cnf")


def test_a_link_and_its_file_are_one(tmp_path: Path) -> None:
    (tmp_path / "real.cnf").write_text("[mysqld]\n")
    (tmp_path / "link.cnf").symlink_to("real.cnf")
    assert identity(str(tmp_path / "link.cnf")) == identity(str(tmp_path / "real.cnf"))
