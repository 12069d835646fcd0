"""`advisor space`: which knobs would tuning turn, how far, and are one's own spaces well written?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import write

space = typer.Typer(
    help="Show what tuning may turn, or check spaces of your own.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor space show group_replication --server mysql-9.7.4\n"
    "  advisor space show galera --server mariadb-10.11.14 --host cpus=8,memory=64G\n"
    "  advisor space show standalone --server mysql-8.4 --allow relaxed-durability\n"
    "  advisor space lint --spaces our-spaces",
)

Folders = Annotated[
    list[str] | None, typer.Option("--spaces", help="A folder with search spaces of your own; may be repeated.")
]


@space.command("show")
def show(
    topology: Annotated[str, typer.Argument(help="standalone, async_mysql, galera, … (what `lint` lists).")],
    server: Annotated[str, typer.Option(help="The server: mysql-9.7.4, mariadb-10.11.14, pxc-8.4.5.")] = "",
    host: Annotated[
        list[str] | None,
        typer.Option(help="What one member has: cpus=16,memory=64G,disk=1T,connections=200. Else this machine."),
    ] = None,
    pin: Annotated[list[str] | None, typer.Option(help="NAME=VALUE: this knob stays at a value.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="NAME: this knob is never touched.")] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="relaxed-durability, relaxed-consistency or relaxed-correctness.")
    ] = None,
    folders: Folders = None,
    form: Annotated[ListFormat, typer.Option("--format", help="How it is written.")] = ListFormat.TEXT,
) -> None:
    """Show the knobs of a topology in a release on a machine: range, how a change takes effect, risk."""
    from advisor.cli.space.request import Asked, space_asked_for
    from advisor.cli.space.text import space_as_json, space_as_text

    asked = Asked(topology, server, host or [], pin or [], exclude or [], allow or [], folders or [])
    found = space_asked_for(asked)
    write(space_as_json(found) if form is ListFormat.JSON else space_as_text(found))


@space.command("lint")
def lint(folders: Folders = None) -> None:
    """Try every space on every release it is meant for. Exit code 3 when one is wrong."""
    from advisor.tune.space.lint import lint_spaces
    from advisor.tune.space.resolve import space_files

    problems = lint_spaces(folders or [])
    for problem in problems:
        write(problem + "\n", sys.stderr)
    good = f"{', '.join(space_files(folders or []))}: every knob and range is the servers'\n"
    write(f"{len(problems)} problem{'s' * (len(problems) > 1)}\n" if problems else good)
    raise typer.Exit(ExitCode.RULE_BROKEN if problems else ExitCode.OK)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(space, name="space")
