"""A plain `advisor check` is understood without Typer, and does the same as with it."""

from __future__ import annotations

import pytest

from advisor.cli import main
from advisor.cli.check.fast_path import PlainCheck, plain_check
from advisor.cli.check.output import CheckFormat


def test_paths_server_and_format_are_understood() -> None:
    assert plain_check(["check", "a.cnf"]) == PlainCheck(("a.cnf",), "", CheckFormat.TEXT)
    assert plain_check(["check", "--server", "mysql-8.4", "a.cnf", "b.cnf"]) == PlainCheck(
        ("a.cnf", "b.cnf"), "mysql-8.4", CheckFormat.TEXT
    )
    assert plain_check(["check", "a.cnf", "--format=json", "--server=pxc-8.0"]) == PlainCheck(
        ("a.cnf",), "pxc-8.0", CheckFormat.JSON
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "check",
        "check --help",
        "check a.cnf -q",
        "check a.cnf --diff",
        "check a.cnf --server",
        "check a.cnf --server --diff",
        "check a.cnf --format yaml",
        "check -- -a.cnf",
        "check --serve mysql-8.4 a.cnf",
        "chekc a.cnf",
        "explain check",
    ],
)
def test_everything_else_is_left_to_typer(line: str) -> None:
    assert plain_check(line.split()) is None


@pytest.mark.parametrize(
    "words",
    [
        ["my.cnf"],
        ["my.cnf", "--server", "mysql-8.0.36"],
        ["my.cnf", "--server=mariadb-10.11", "--format", "json"],
        ["--format=sarif", "my.cnf", "my.cnf"],
        ["my.cnf", "--format", "markdown"],
        ["nowhere.cnf", "my.cnf"],
        ["my.cnf", "--server", "oracle-23"],
    ],
    ids=" ".join,
)
def test_both_ways_say_the_same(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plain_check(["check", *words])
    ends = []
    for short in (True, False):
        monkeypatch.setattr("advisor.cli.check.fast_path.plain_check", plain_check if short else lambda words: None)
        with pytest.raises(SystemExit) as end:
            main(["check", *words])
        ends.append((end.value.code, capsys.readouterr()))
    assert ends[0] == ends[1]
