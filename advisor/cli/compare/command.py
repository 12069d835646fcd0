"""`advisor compare`: are these runs, servers or members comparable, and where do they differ in effect?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.formats import ReportFormat
from advisor.cli.shared.options import ColourOption, Root, Width, complete_servers
from advisor.cli.shared.terminal import Colour

_EXAMPLES = """Examples:

\b
  advisor compare before.cnf after.cnf --server mysql-8.4
  advisor compare old.cnf new.cnf --server mysql-8.0.36 --server mariadb-11.4
  advisor compare before/ after/
  advisor compare old=a.cnf old=a-vars.txt new=b.cnf new=b-vars.txt
  advisor compare run-1.tar.gz run-2.tar.gz run-3.tar.gz
  advisor compare cluster-bundle.tar.gz
  advisor compare mysql://watch@db1 mysql://watch@db2
  advisor compare a.cnf b.cnf --all
  advisor compare old=a/ new=b/ --host cpus=16 --observe new:clients=64
  advisor compare a/ b/ --format markdown > comparison.md

Each side is an option file, a dump, a folder, a bundle or a running server,
read as `advisor check` reads it. Files of one server share a name: NAME=PATH.
Every side is compared with the first. If you give a single bundle, its members
are compared with each other.

Exit codes: 0 comparable, 1 not comparable, 2 wrong usage or unreadable input,
3 a file in rules/quantities is invalid, 4 a server cannot be read. What is unknown
affects the exit code only with --strict."""

_SIDES = "Two or more sides: option files, dumps, folders, bundles, or running servers."
_SERVER = (
    "Product and release of every side, e.g. mysql-8.4. Repeat it to give one per side, in order ('' to infer it). "
    "Default: what the evidence shows, or every release that accepts all options."
)
_HOST = "CPUs, memory and disk of the machines; SIDE:cpus=16 is for one side only."
_OBSERVE = "A value that you measured on all sides; SIDE:clients=64 is for one side only."
Sides = Annotated[list[str], typer.Argument(metavar="[NAME=]PATH...", help=_SIDES, show_default=False)]
Servers = Annotated[
    list[str] | None,
    typer.Option("--server", help=_SERVER, metavar="SERVER", autocompletion=complete_servers),
]
Hosts = Annotated[
    list[str] | None, typer.Option("--host", help=_HOST, metavar="[SIDE:]cpus=16,memory=64G", show_default=False)
]
Observations = Annotated[
    list[str] | None, typer.Option("--observe", help=_OBSERVE, metavar="[SIDE:]NAME=VALUE", show_default=False)
]
_ALL = "Also list variables that do not matter for the write rate or are not judged."
_STRICT = "Also exit with 1 if missing information leaves open whether the sides are comparable."


def compare(
    sides: Sides,
    server: Servers = None,
    host: Hosts = None,
    observe: Observations = None,
    root: Root = "",
    password_file: cluster_options.PasswordFile = None,
    everything: Annotated[bool, typer.Option("--all", help=_ALL)] = False,
    strict: Annotated[bool, typer.Option("--strict", help=_STRICT)] = False,
    form: Annotated[ReportFormat, typer.Option("--format", help="Output format.")] = ReportFormat.TEXT,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show whether runs, servers or members are comparable, and where they differ in effect."""
    from advisor.cli.compare.run import CompareRequest, compared, exit_code, write_report

    request = CompareRequest(
        words=tuple(sides),
        servers=tuple(server or ()),
        hosts=tuple(host or ()),
        observations=tuple(observe or ()),
        root=root,
        password_file=password_file,
    )
    comparison = compared(request)
    write_report(comparison, form, color, width, everything)
    raise typer.Exit(exit_code(comparison, strict=strict))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("compare", epilog=_EXAMPLES)(compare)
