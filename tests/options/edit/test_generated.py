"""Parse, edit, write, parse again, over generated files: the change is in effect and nothing else moved."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import parse_release
from advisor.model.options import Argument
from advisor.model.rules import Change, TakesEffect
from advisor.model.server import Release
from advisor.options.edit.edits import plan_edits, write_edits
from advisor.options.files import read_file
from advisor.options.settings import resolve

NAME = "sync_binlog"
RELEASES = [
    parse_release(text)[-1] for text in ("mysql-5.7", "mysql-8.0.36", "mysql-9.7", "mariadb-10.6", "mariadb-11.8")
]
BLANK = st.sampled_from(["", " ", "\t", "  "])
TARGET = st.sampled_from(["sync_binlog", "sync-binlog", "loose-sync_binlog", "loose_sync-binlog"])
OTHER = st.sampled_from(
    ["max_connections", "max-connections", "port", "skip-name-resolve", "slow_query_log", "maximum-sync_binlog"]
)
COMMENT = st.sampled_from(["", " # why", "#x", "  # \"it's", " \xa0", " # é"])


@st.composite
def option_line(draw: st.DrawFn, name: str) -> str:
    """One line with an option, in some layout."""
    value = draw(st.sampled_from(["0", "1", "7", "'3'", '"4"']))
    equals = draw(BLANK) + "=" + draw(BLANK)
    return draw(BLANK) + name + equals + value + draw(COMMENT)


TEXT_LINE = st.one_of(
    TARGET.flatmap(option_line),
    OTHER.flatmap(option_line),
    st.sampled_from(["slow-query-log", "skip-slow-query-log # x", "init_connect='a#b\\tc'", "report_host=x\\\\y"]),
    st.sampled_from(["", "   ", "# sync_binlog=5", ";sync_binlog=6", "  # [mysqld]", "!unknown word", "\x0c"]),
    st.sampled_from(["[mysqld]", "[mysqld-5.7]", "[mysqld-8.0] # x", "[client]", "[Server ]", "[mariadb]", "[galera]"]),
)


@st.composite
def file_text(draw: st.DrawFn, include: str = "") -> bytes:
    """A whole file: LF or CRLF or both, with or without a last line end, perhaps with an include in the middle."""
    lines = draw(st.lists(TEXT_LINE, max_size=12))
    if include:
        lines.insert(draw(st.integers(0, len(lines))), f"!include {include}")
    end = st.just("\n") | st.just("\r\n")
    ends = draw(st.lists(end, min_size=len(lines), max_size=len(lines)) | end.map(lambda e: [e] * len(lines)))
    text = "[mysqld]\n" + "".join(line + e for line, e in zip(lines, ends, strict=True))
    if draw(st.booleans()):
        text = text.removesuffix("\n").removesuffix("\r") if not lines or "include" not in lines[-1] else text
    return text.encode("latin-1")


@contextmanager
def server_files(contents: dict[str, bytes]) -> Iterator[Path]:
    """The files in a folder of their own; "DIR" in a text stands for its path."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            (Path(folder) / name).write_bytes(content.replace(b"DIR", folder.encode()))
        yield Path(folder)


def texts_without(arguments: tuple[Argument, ...], gone: Argument | None) -> list[tuple[str, str, str]]:
    """What every argument but one says, in order."""
    return [(a.file, a.group, a.text) for a in arguments if a != gone]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
@given(main=file_text(include="DIR/more.cnf"), more=file_text(), value=st.sampled_from(["1", "100"]))
def test_a_changed_setting_is_in_effect_and_all_else_is_as_before(
    release: Release, main: bytes, more: bytes, value: str
) -> None:
    with server_files({"my.cnf": main, "more.cnf": more}) as folder:
        path = str(folder / "my.cnf")
        before = read_file(path)
        deciding = resolve(before, release).effective.get(NAME)
        edits = plan_edits(before, [Change(NAME, value, TakesEffect.AT_ONCE)], release)
        write_edits(edits)
        after = read_file(path)
        now = resolve(after, release).effective[NAME]
        assert now.argument.value == value
        was = deciding.argument if deciding else None
        assert texts_without(before.arguments, was) == texts_without(after.arguments, now.argument)
        assert before.files == after.files
        for edit in edits:
            assert _changed_lines(edit.before, edit.after) <= 1
        assert not plan_edits(after, [Change(NAME, value, TakesEffect.AT_ONCE)], release)


def _changed_lines(before: bytes, after: bytes) -> int:
    """How many lines of `before` are gone or other; added ones are not counted."""
    old, new = before.split(b"\n"), after.split(b"\n")
    start = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest_old, rest_new = old[start:], new[start:]
    while rest_old and rest_new and rest_old[-1] == rest_new[-1]:
        rest_old.pop()
        rest_new.pop()
    return len(rest_old)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
@given(main=file_text(include="DIR/more.cnf"), more=file_text())
def test_taking_out_removes_the_lines_of_the_setting_and_no_other_byte(
    release: Release, main: bytes, more: bytes
) -> None:
    with server_files({"my.cnf": main, "more.cnf": more}) as folder:
        path = str(folder / "my.cnf")
        before = read_file(path)
        doomed = [s.argument for s in resolve(before, release).all if s.name == NAME and not s.limit_only]
        edits = plan_edits(before, [Change(NAME, None, TakesEffect.AT_ONCE)], release)
        for edit in edits:
            numbers = {a.line for a in doomed if a.file == edit.path}
            lines = edit.before.split(b"\n")
            kept = [line + b"\n" for i, line in enumerate(lines, 1) if i not in numbers]
            assert edit.after in (b"".join(kept), b"".join(kept)[:-1])
        write_edits(edits)
        after = read_file(path)
        assert [a.text for a in before.arguments if a not in doomed] == [a.text for a in after.arguments]
        assert NAME not in resolve(after, release).effective
