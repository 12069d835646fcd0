"""`advisor rules`: which rules are there, are they written well, do they say what their cases expect?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.options import RuleFolders
from advisor.cli.shared.terminal import write

rules = typer.Typer(
    help="List the rules, or check rules of your own.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor rules list\n  advisor rules lint --rules our-rules\n"
    "  advisor rules test --rules our-rules",
)


@rules.command("list")
def list_rules(
    folders: RuleFolders = None,
    form: Annotated[ListFormat, typer.Option("--format", help="Output format.")] = ListFormat.TEXT,
) -> None:
    """List every rule with its severity and title."""
    from advisor.check import load_rules
    from advisor.cli.shared.config_file import here
    from advisor.report.rules import rule_list

    found = load_rules([*here().rules, *map(str, folders or ())])
    write(rule_list.as_json(found) if form is ListFormat.JSON else rule_list.as_text(found))


@rules.command("lint")
def lint(folders: RuleFolders = None) -> None:
    """Check that the rules are well written; --rules limits them to one folder. Exit code 3 when a rule is wrong."""
    from advisor.check.lint_folder import lint_folder
    from advisor.data import folder

    _report([problem for place in folders or [Path(folder("rules"))] for problem in lint_folder(place)], "well written")


@rules.command("test")
def run_cases(folders: RuleFolders = None) -> None:
    """Run the test cases of the rules; --rules limits them to one folder. Exit code 3 when a case fails."""
    from advisor.check.lint_folder import run_folder
    from advisor.data import folder

    _report([problem for place in folders or [Path(folder("rules"))] for problem in run_folder(place)], "as expected")


def _report(problems: list[str], good: str) -> None:
    for problem in problems:
        write(problem + "\n", sys.stderr)
    write(f"{len(problems)} problem{'s' * (len(problems) > 1)}\n" if problems else f"every rule is {good}\n")
    raise typer.Exit(ExitCode.RULE_BROKEN if problems else ExitCode.OK)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(rules, name="rules")
