"""`advisor space`: which knobs may tuning change and how far, and are your own search spaces correct?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import write
from advisor.cli.space import options as space_options

space = typer.Typer(
    help="Show which settings tuning can change, or check your own search spaces.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor space show asynchronous --server mysql-9.7.4\n"
    "  advisor space show galera --server mariadb-10.11.14 --host cpus=8,memory=64G\n"
    "  advisor space show standalone --server mysql-8.4 --allow relaxed-durability\n"
    "  advisor space lint --spaces our-spaces",
)


@space.command("show", epilog="Example:\n\n\b\n  advisor space show group-replication --server mysql-9.7.4")
def show(
    topology: Annotated[
        str, typer.Argument(help="standalone, asynchronous, semisync, group-replication or galera.", metavar="TOPOLOGY")
    ],
    server: Annotated[
        str,
        typer.Option(help="The server release, e.g. mysql-9.7.4, mariadb-10.11.14 or pxc-8.4.5.", metavar="SERVER"),
    ] = "",
    host: space_options.Host = None,
    pin: space_options.Pins = None,
    exclude: space_options.Excluded = None,
    allow: space_options.Allowed = None,
    spaces: space_options.Folders = None,
    form: Annotated[ListFormat, typer.Option("--format", help="Output format.")] = ListFormat.TEXT,
) -> None:
    """Show the knobs of a topology, each with its range, how a change takes effect, and its risk."""
    from advisor.cli.space.request import space_of
    from advisor.cli.space.text import space_as_json, space_as_text
    from advisor.tune.space.resolve import restrict

    chosen = space_of(topology, server, host or (), tuple(map(str, spaces or ())))
    chosen = restrict(chosen, dict(pin or ()), exclude or (), allow or ())
    write(space_as_json(chosen) if form is ListFormat.JSON else space_as_text(chosen))


@space.command("lint", epilog="Example:\n\n\b\n  advisor space lint --spaces our-spaces")
def lint(spaces: space_options.Folders = None) -> None:
    """Check every search space for every release it covers. Exit code 3 if one is wrong."""
    from advisor.tune.space.lint import lint_spaces
    from advisor.tune.space.space_file import space_files

    folders = tuple(map(str, spaces or ()))
    problems = lint_spaces(folders)
    for problem in problems:
        write(problem + "\n", sys.stderr)
    correct = f"{', '.join(space_files(folders))}: every knob and range exists on every release\n"
    write(f"{len(problems)} problem{'s' * (len(problems) > 1)}\n" if problems else correct)
    raise typer.Exit(ExitCode.RULE_BROKEN if problems else ExitCode.OK)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(space, name="space")
