"""Lines as the servers read them: comments, quotes, escapes, blanks."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.options.lines import LineKind, comment_start, decoded, printable, scan
from advisor.options.reader import Reader


def arguments(text: str, *, whole: bool = True) -> list[str]:
    """What the group [mysqld] holds when `text` follows its header."""
    reader = Reader("/", False, whole)
    reader.text("[mysqld]\n" + text.encode("utf-8", "surrogateescape").decode("latin-1"), "my.cnf", 0)
    return [argument.text for argument in reader.arguments]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("  a = 1  ", ["--a=1"]),
        ("\ta\t=\t1", ["--a=1"]),
        ("", []),
        ("# a=1", []),
        ("   ; a=1", []),
        ("a=b # c", ["--a=b"]),
        ("a=b#c", ["--a=b"]),
        ("a=b ; c", ["--a=b ; c"]),
        ("a#b=c", ["--a"]),
        ("a=b=c", ["--a=b=c"]),
        ("skip-networking", ["--skip-networking"]),
        ("a=", ["--a="]),
        ("a =   # nothing", ["--a="]),
        ("max_connections 100", ["--max_connections 100"]),
        ("--a=1", ["----a=1"]),
        ('a="b c"', ["--a=b c"]),
        ("a='b c'", ["--a=b c"]),
        ("a=\"b'", ["--a=\"b'"]),
        ('a=p"q"r', ['--a=p"q"r']),
        ('a="x" y', ['--a="x" y']),
        ('a="', ['--a="']),
        ('a=""', ["--a="]),
        ('a="b#c"', ["--a=b#c"]),
        ('a="b#c" # d', ["--a=b#c"]),
        ("a=it's # no comment", ["--a=it's # no comment"]),
        (r'a="b\"#c"', ['--a=b"#c']),
        ("a=b\\", ["--a=b\\"]),
        ("a=1\r", ["--a=1"]),
        ("=5", ["--=5"]),
    ],
)
def test_a_line_is_read_as_the_servers_read_it(line: str, read: list[str]) -> None:
    assert arguments(line + "\n") == read


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\n", "\n"),
        (r"\t", "\t"),
        (r"\r", "\r"),
        (r"\b", "\b"),
        (r"\s", " "),
        (r"\\", "\\"),
        (r"\"", '"'),
        (r"\'", "'"),
        (r"\p", r"\p"),
        (r"C:\temp", "C:\temp"),
        (r"\\n", r"\n"),
    ],
)
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_escapes_count_in_quoted_and_unquoted_values(written: str, meant: str, quote: str) -> None:
    assert arguments(f"a={quote}x{written}y{quote}\n") == [f"--a=x{meant}y"]


def test_a_backslash_at_the_end_continues_nothing() -> None:
    assert arguments("a=1\\\nb=2\n") == ["--a=1\\", "--b=2"]


def test_the_last_line_needs_no_line_end() -> None:
    assert arguments("a=1\nb=2") == ["--a=1", "--b=2"]


def test_byte_a0_counts_as_a_blank_so_a_utf8_letter_may_lose_its_last_byte() -> None:
    assert arguments("a=caf\u00e0\n")[0].encode("utf-8", "surrogateescape") == b"--a=caf\xc3"


def test_a_long_line_is_cut_after_4094_bytes_except_by_mysql_9_7() -> None:
    line = "a=" + "x" * 5000 + "\n"
    assert [len(text) for text in arguments(line, whole=False)] == [4096, 910]
    assert [len(text) for text in arguments(line, whole=True)] == [5004]


def test_the_rest_of_a_long_comment_is_read_as_an_option() -> None:
    line = "# " + "y" * 4092 + "z=1\n"
    assert arguments(line, whole=False) == ["--z=1"]
    assert arguments(line, whole=True) == []


def test_a_comment_glued_to_a_value_is_marked() -> None:
    glued, apart = scan("a=b#c\na=b #c\n", whole=True)
    assert glued.cut_comment
    assert not apart.cut_comment


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("[mysqld]", LineKind.GROUP, "mysqld"),
        ("  [mysqld]", LineKind.GROUP, "mysqld"),
        ("[mysqld ] # text", LineKind.GROUP, "mysqld"),
        ("[ mysqld]", LineKind.GROUP, " mysqld"),
        ("[mysqld", LineKind.BAD_GROUP, "mysqld"),
        ("!include a.cnf", LineKind.INCLUDE, "a.cnf"),
        ("  ! include\ta b.cnf  ", LineKind.INCLUDE, "a b.cnf"),
        ("!includedir /etc/d", LineKind.INCLUDE_DIR, "/etc/d"),
        ("!include", LineKind.BAD_INCLUDE, ""),
        ("!includedir   ", LineKind.BAD_INCLUDE, ""),
    ],
)
def test_groups_and_includes_are_recognised(line: str, kind: LineKind, name: str) -> None:
    found = next(scan(line + "\n", whole=False))
    assert (found.kind, found.name) == (kind, name)


def test_other_words_after_an_exclamation_mark_are_ignored() -> None:
    assert list(scan("!foo bar\n!includes x\n!\n", whole=False)) == []


def test_a_comment_after_an_include_belongs_to_the_path_except_in_9_7() -> None:
    assert next(scan("!include f # c\n", whole=False)).name == "f # c"
    assert next(scan("!include f # c\n", whole=True)).name == "f"


def test_an_include_at_the_very_end_without_line_end_loses_its_last_character_before_9_7() -> None:
    assert next(scan("!include a.cnf", whole=False)).name == "a.cn"
    assert next(scan("!include a.cnf", whole=True)).name == "a.cnf"


def test_a_quoted_path_keeps_its_quotes() -> None:
    assert next(scan('!include "a.cnf"\n', whole=False)).name == '"a.cnf"'


@given(st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    raw = text.encode("utf-8", "surrogatepass").decode("latin-1").replace("\0", "")
    for line in [*scan(raw, whole=True), *scan(raw, whole=False)]:
        assert line.number <= raw.count("\n") + 1
        assert printable(decoded(line.name)).isprintable()


_NAMES = st.text(string.ascii_lowercase + "_-", min_size=1).filter(lambda n: not n.startswith("-"))
_VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)


def written(value: str) -> str:
    """A value in quotes, as a person has to write it so that the server reads exactly that."""
    for char, escape in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"), ('"', '\\"'), ("'", "\\'")):
        value = value.replace(char, escape)
    return f'"{value}"'


@given(st.lists(st.tuples(_NAMES, _VALUES), max_size=8))
def test_what_is_written_with_quotes_and_escapes_is_read_back(options: list[tuple[str, str]]) -> None:
    text = "".join(f"{name} = {written(value)} # comment\n" for name, value in options)
    assert arguments(text) == [f"--{name}={value}" for name, value in options]


@given(st.text("ab#'\"\\ ="))
def test_a_comment_starts_at_a_hash_or_there_is_none(text: str) -> None:
    at = comment_start(text)
    assert at == len(text) or text[at] == "#"
