"""The other commands, and what holds for all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import typer

from advisor import __version__
from advisor.cli.app import build_app, command_names
from tests.cli.runs import TINY_RULE, Runner


def every_command() -> list[tuple[str, Any]]:
    """(words, command) of every command, those of groups too."""
    app = typer.main.get_command(build_app([]))
    found = []
    for name, command in app.commands.items():  # type: ignore[attr-defined]
        found += [(f"{name} {sub}", c) for sub, c in command.commands.items()] if hasattr(command, "commands") else []
        found += [] if hasattr(command, "commands") else [(name, command)]
    return found


def test_every_command_says_what_it_does_and_so_does_every_option() -> None:
    commands = every_command()
    assert len(commands) >= len(command_names())
    for words, command in commands:
        assert command.help, words
        for parameter in command.params:
            assert getattr(parameter, "help", ""), f"{words} {parameter.name}"


def test_no_help_is_wider_than_eighty_columns() -> None:
    texts = [
        command.get_help(typer.Context(command, info_name=words, terminal_width=80))
        for words, command in every_command()
    ]
    assert [line for text in texts for line in text.splitlines() if len(line) > 80] == []


def test_every_command_is_in_the_readme(checkout: Path) -> None:
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    missing = [words for words, _ in every_command() if f"advisor {words}" not in readme]
    assert not missing


def test_what_the_readme_shows_is_what_the_command_says(
    run: Runner, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout)
    block = (checkout / "README.md").read_text(encoding="utf-8").split("```console\n$ advisor ")[1].split("```")[0]
    words, *lines = block.splitlines()
    said = run(*words.split()).out.splitlines()
    # The last line counts rules; it is checked for its findings, not for how many rules there are by now.
    assert [line for line in lines[:-1] if line not in said and line != "…"] == []
    assert lines[-1].split(";")[0] == said[-1].split(";")[0]


def test_only_the_module_of_the_command_is_imported() -> None:
    assert list(typer.main.get_command(build_app(["check", "x"])).commands) == ["check"]  # type: ignore[attr-defined]


def test_the_version_is_said(run: Runner) -> None:
    assert run("--version").out == f"advisor {__version__}\n"


def test_a_misspelt_command_is_wrong_usage(run: Runner) -> None:
    done = run("chekc", "my.cnf")
    assert done.code == 2
    assert "No such command 'chekc'" in done.err


def test_options_prints_the_servers_argument_list_and_who_wins(run: Runner, checkout: Path) -> None:
    first = "[mysqld]\nsync-binlog = 0\nreport_password = hunter2\n"
    Path("my.cnf").write_text(f"{first}[mysql]\nx=1\n[mysqld]\nsync_binlog=1\nskip-name-resolve\n", encoding="utf-8")
    done = run("options", "my.cnf", "--server", "mysql-8.0.36", "--format", "json")
    told = json.loads(done.out)
    jsonschema.validate(told, json.loads((checkout / "schemas/options.json").read_text(encoding="utf-8")))
    (report,) = told["reports"]
    rows = [(o["argument"], o["line"], o["effective"], o["shadowed_by"]) for o in report["options"]]
    assert rows == [
        ("--sync-binlog=0", 2, False, "my.cnf:7"),
        ("--report_password=********", 3, True, None),
        ("--sync_binlog=1", 7, True, None),
        ("--skip-name-resolve", 8, True, None),
    ]
    text = run("options", "my.cnf", "--server", "mysql-8.0.36").out
    assert "no effect: line 7 sets it again" in text
    assert "hunter2" not in text


def test_options_shows_the_groups_of_every_possible_release(run: Runner) -> None:
    Path("my.cnf").write_text("[mysqld-5.7]\nsync_binlog=0\n[mysqld]\nsync_binlog=1\n", encoding="utf-8")
    done = run("options", "my.cnf")
    assert done.code == 0
    assert "sync_binlog=1" in done.out


def test_explain_tells_a_rule_and_finds_near_names(run: Runner) -> None:
    done = run("explain", "tiny-redo", "--rules", "ours")
    assert done.code == 0
    assert "Pages are flushed again and again." in done.out
    assert "when          innodb_log_file_size < 64 * MiB" in done.out
    wrong = run("explain", "tiny-rdo", "--rules", "ours")
    assert wrong.code == 2
    assert "did you mean tiny-redo" in wrong.err


def test_rules_are_listed_linted_and_tested(run: Runner) -> None:
    listed = json.loads(run("rules", "list", "--rules", "ours", "--format", "json").out)["rules"]
    assert {"tiny-redo", "hungry"} <= {rule["id"] for rule in listed}
    assert "tiny-redo" in run("rules", "list", "--rules", "ours").out
    assert run("rules", "lint", "--rules", "ours").code == 0
    tested = run("rules", "test", "--rules", "ours")
    assert tested.code == 3
    assert "hungry.yaml: no cases" in tested.err


def test_lint_names_every_bad_rule_not_only_the_first(run: Runner) -> None:
    good = TINY_RULE.format(id="redo", severity="warning", risk="R2")
    Path("ours/redo/tiny-redo.yaml").write_text(good.replace("innodb_log", "inodb_log"), encoding="utf-8")
    Path("ours/redo/hungry.yaml").write_text("id: hungry\nid: twice\n", encoding="utf-8")
    done = run("rules", "lint", "--rules", "ours")
    assert done.code == 3
    assert "inodb_log_file_size" in done.err
    assert "twice" in done.err


def test_a_case_that_does_not_hold_is_told(run: Runner) -> None:
    wrong = TINY_RULE.format(id="redo", severity="warning", risk="R2").replace("expect: clear", "expect: finding")
    Path("ours/redo/tiny-redo.yaml").write_text(wrong, encoding="utf-8")
    done = run("rules", "test", "--rules", "ours")
    assert done.code == 3
    assert "1 GiB: gives clear, not finding" in done.err


@pytest.mark.parametrize("words", ["rules lint --rules nowhere", "options nowhere.cnf", "options ."])
def test_what_is_not_there_is_wrong_usage(run: Runner, words: str) -> None:
    done = run(*words.split())
    assert done.code == 2
    assert done.err.startswith("advisor: ")
