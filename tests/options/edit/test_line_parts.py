"""Cutting an option line without loss and giving it another value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.options.edit.line_parts import encode, split_line, with_value
from advisor.options.lines import BLANKS, LineKind, comment_start, decoded, scan, unquoted

LATIN1 = st.characters(max_codepoint=255, exclude_characters="\n\0")


@pytest.mark.parametrize("text", ["", "   ", "# x=1", "; x=1", "  #x", "[mysqld]", "!include /etc/x.cnf", "\r"])
def test_a_line_without_an_option_has_no_parts(text: str) -> None:
    assert split_line(text) is None


@given(st.text(LATIN1))
def test_the_parts_of_any_line_joined_are_the_line(text: str) -> None:
    line = split_line(text)
    assert line is None or str(line) == text


@given(st.text(LATIN1 | st.sampled_from("'\"#= \t\\")))
def test_the_parts_are_those_the_reader_sees(text: str) -> None:
    found = [line for line in scan(text, whole=True) if line.kind is LineKind.OPTION]
    cut = split_line(text)
    assert [(line.name, line.value) for line in found] == (
        [(cut.name, unquoted(cut.value) if cut.equals else None)] if cut else []
    )


@given(
    st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)) | st.sampled_from("'\"#= \t\\\r\b\xa0")),
    st.sampled_from(["", "'", '"']),
)
def test_an_encoded_value_is_read_back_exactly(value: str, quote: str) -> None:
    written = encode(value, quote)
    line = f"x={written} # a 'comment"
    assert "\n" not in written
    assert decoded(unquoted(line[2 : comment_start(line)].strip(BLANKS))) == value


def test_a_zero_byte_is_refused() -> None:
    with pytest.raises(InputError, match="zero byte"):
        encode("a\0b", "")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("1G", "1G"),
        ("", '""'),
        ("a b", "a b"),
        (" a", '" a"'),
        ("a#b", '"a#b"'),
        ("it's", '"it\'s"'),
        ('say "x"', '"say \\"x\\""'),
        ("C:\\temp", "C:\\\\temp"),
        ("a\nb", "a\\nb"),
        ("a=b; c=d", '"a=b; c=d"'),
        ("a=b,c=d", "a=b,c=d"),
        ("xà", '"xÃ\xa0"'),
    ],
)
def test_a_value_is_quoted_only_where_it_must_be(value: str, written: str) -> None:
    assert encode(value, "") == written


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x=1", "x=2"),
        ("  x\t=  1   # why\r", "  x\t=  2   # why\r"),
        ("x = '1'", "x = '2'"),
        ('x="1"# c', 'x="2"# c'),
        ("x=1#c", "x=2#c"),
        ("x", "x : = : 2"),
        ("x   # c", "x : = : 2   # c"),
        ("x = ", "x = 2 "),
        ("x =  # c", "x = 2  # c"),
        ("x=\r", "x=2\r"),
        ("x = it's # c", "x = 2"),
    ],
)
def test_a_new_value_leaves_the_rest_of_the_line(before: str, after: str) -> None:
    line = split_line(before)
    assert line is not None
    assert str(with_value(line, "2", (" : ", " : "))) == after
