"""`advisor check`: what is wrong with these option files, dumps, bundles, or this running cluster?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from advisor.cli.check.exit_code import FailOn
from advisor.cli.shared import cluster_options
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import CheckFormat
from advisor.cli.shared.options import ColourOption, Root, RuleFolders, Server, TopologyOption, Width
from advisor.cli.shared.terminal import Colour
from advisor.errors import UsageError
from advisor.model.server import Role

if TYPE_CHECKING:
    from advisor.cli.check.run import Outcome
    from advisor.model.evidence import Cluster

_EXAMPLES = """Examples:

\b
  advisor check /etc/mysql/my.cnf --server mysql-8.0.36
  advisor check my.cnf --role replica --host cpus=16,memory=64G
  advisor check variables.txt status-1.txt status-2.txt --together
  advisor check db1.cnf db2.cnf db3/ --members --server mysql-8.4
  advisor check conf/*.cnf --format sarif --fail-on critical > advisor.sarif
  advisor check my.cnf --server mysql-8.0.36 --diff
  advisor check --root /srv/copy-of-a-server
  advisor check --dsn mysql://watch@db1 --for 30s

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or unreadable input,
3 a rule is broken, 4 a server cannot be read. What holds for some of the possible releases only,
and what could not be judged, changes the exit code with --strict only."""

_PATHS = "Option files, dumps, folders or bundles. None: the option files a server finds by itself."
Paths = Annotated[list[str] | None, typer.Argument(metavar="[PATH...]", help=_PATHS, show_default=False)]
Hosts = Annotated[list[str] | None, typer.Option("--host", help="What the machine has.", metavar="cpus=16,memory=64G")]
Only = Annotated[list[str] | None, typer.Option(help="Judge only this rule (repeatable).", metavar="RULE")]
Ignore = Annotated[list[str] | None, typer.Option(help="Leave this rule out (repeatable).", metavar="RULE")]
Limit = Annotated[FailOn | None, typer.Option(help="Weakest severity that gives exit code 1 (warning).")]
Risks = Annotated[str, typer.Option(help="Risk classes whose changes --diff and --fix may make.", metavar="R0,R1,…")]
Shown = tuple[CheckFormat, Colour, int, int]
Together = Annotated[bool, typer.Option("--together", help="The paths are pieces of one server.")]
Members = Annotated[
    bool, typer.Option("--members", help="Each path is one member of a cluster: its option file, dump or folder.")
]


def check(
    paths: Paths = None,
    server: Server = "",
    role: Annotated[Role | None, typer.Option(help="What the server does in its topology.")] = None,
    topology: TopologyOption = None,
    host: Hosts = None,
    rules: RuleFolders = None,
    only: Only = None,
    ignore: Ignore = None,
    form: Annotated[CheckFormat, typer.Option("--format", help="How the report is written.")] = CheckFormat.TEXT,
    fail_on: Limit = None,
    strict: Annotated[bool, typer.Option("--strict", help="Uncertain and unknown count for the exit code.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show the changes to your files and running server.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Change the files; a backup is kept beside each.")] = False,
    allow: Risks = "R0,R1,R2",
    baseline: Annotated[Path | None, typer.Option(help="Findings listed in this file do not count.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="List today's findings in this file.")] = None,
    together: Together = False,
    members: Members = False,
    root: Root = "",
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    for_: cluster_options.For = "",
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Findings only; nothing when there are none.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Also files read, rules without evidence.")] = False,
) -> None:
    """Judge option files, dumps or bundles, without a server; or a running cluster."""
    running, incomplete = _read_live(dsn, cluster, lab, password_file, for_, alone=not (paths or together or members))
    what = (tuple(paths or ()), server, role, topology, tuple(host or ()), tuple(rules or ()), tuple(only or ()))
    how = (tuple(ignore or ()), baseline, write_baseline, together, members, root, running)
    change = (allow, root, color, width, fix) if diff or fix else ()
    shown = (form, color, width, verbose - quiet)
    raise typer.Exit(max(incomplete, _judge((*what, *how), change, shown, fail_on, strict)))


def _judge(asked: tuple[Any, ...], change: tuple[Any, ...], shown: Shown, limit: FailOn | None, strict: bool) -> int:
    """Judge what was asked, show it, offer the changes; the exit code."""
    from advisor.cli.check import output, run

    if change and shown[0] is not CheckFormat.TEXT:
        raise UsageError("--diff and --fix go with --format text only")
    outcome = run.judge(run.Asked(*asked))
    output.present(outcome.judgements, *shown)
    return max(run.code(outcome, limit, strict), _change(outcome, *change) if change else 0)


def _read_live(
    dsn: str, cluster: Path | None, lab: str, password_file: Path | None, for_: str, *, alone: bool
) -> tuple[Cluster | None, int]:
    """The evidence of a running cluster, when one is named, and the exit code of reading it."""
    if not (dsn or cluster or lab):
        if for_ or password_file:
            raise UsageError("--for and --password-file are about a running cluster", hint="--dsn, --cluster or --lab")
        return None, ExitCode.OK
    if not alone:
        raise UsageError("a running cluster is judged alone", hint="paths and --together, --members go without it")
    from advisor.cli.shared import live_cluster

    found, gathered = live_cluster.read_live(live_cluster.Live(dsn, cluster, lab, password_file, for_))
    return found, ExitCode.SERVER_FAILED if live_cluster.failed(gathered) else ExitCode.OK


def _change(outcome: Outcome, allow: str, root: str, color: Colour, width: int, fix: bool) -> int:
    from advisor.cli.check.fix import offer

    return offer(outcome, allow, root, color, width, fix=fix)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("check", epilog=_EXAMPLES)(check)
