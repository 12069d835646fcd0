"""`advisor check`: what is wrong with these option files, dumps, bundles, or this running cluster?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.check.fleet_options import (
    Connections,
    Fleet,
    FleetOptions,
    Inventory,
    Jobs,
    Since,
    Timeout,
    check_fleet,
    refuse_with_fleet,
)
from advisor.cli.check.output import CheckFormat, FailOn, Presentation, write_report
from advisor.cli.shared import cluster_options
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.options import (
    ColourOption,
    RoleOption,
    Root,
    RuleFolders,
    Server,
    TopologyOption,
    Width,
    complete_rules,
)
from advisor.cli.shared.terminal import Colour
from advisor.errors import UsageError
from advisor.model.record import replace

if TYPE_CHECKING:
    from advisor.cli.check.run import CheckResult
    from advisor.model.evidence import Cluster

_EXAMPLES = """Examples:

\b
  advisor check /etc/mysql/my.cnf --server mysql-8.0.36
  advisor check my.cnf --role replica --host cpus=16,memory=64G
  advisor check variables.txt status-1.txt status-2.txt --together
  advisor check db1.cnf db2.cnf db3/ --members --server mysql-8.4
  advisor check conf/*.cnf --format sarif --fail-on critical > advisor.sarif
  advisor check conf/*.cnf --format github
  advisor check my.cnf --format json -o findings.json
  mysql -e "SHOW GLOBAL VARIABLES" | advisor check -
  advisor check my.cnf --server mysql-8.0.36 --diff
  advisor check --root /srv/copy-of-a-server
  advisor check --dsn mysql://watch@db1 --for 30s
  advisor check conf/ --fleet --server mysql-8.0
  advisor check --inventory hosts.ini --format html -o fleet.html
  advisor check --inventory fleet.yaml --since yesterday.json

Exit codes: 0 no finding at or above --fail-on, 1 findings, 2 wrong usage or
unreadable input, 3 a rule file is invalid, 4 a server cannot be read. Findings that
hold for only some of the possible releases, and rules that could not be judged,
affect the exit code only with --strict."""

_HOST = "CPUs, memory and disk of the server's machine."
_STRICT = "Let uncertain findings, and rules that could not be judged, affect the exit code."
_VERBOSE = "Also print the files read and the rules that lack evidence."
_PATHS = (
    "Option files, dumps, folders or bundles; - is standard input. Default: the option files a server reads by itself."
)
Paths = Annotated[list[str] | None, typer.Argument(metavar="[PATH...]", help=_PATHS, show_default=False)]
Hosts = Annotated[list[str] | None, typer.Option("--host", help=_HOST, metavar="cpus=16,memory=64G")]
_ONLY = "Check only this rule (repeatable)."
_IGNORE = "Skip this rule (repeatable)."
Only = Annotated[list[str] | None, typer.Option(help=_ONLY, metavar="RULE", autocompletion=complete_rules)]
Ignore = Annotated[list[str] | None, typer.Option(help=_IGNORE, metavar="RULE", autocompletion=complete_rules)]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write the report to this file instead of stdout.", metavar="FILE"),
]
Limit = Annotated[FailOn | None, typer.Option(help="Lowest severity that gives exit code 1 (default: warning).")]
Risks = Annotated[str, typer.Option(help="Let --diff and --fix make changes of these risk classes.", metavar="R0,R1,…")]
Together = Annotated[bool, typer.Option("--together", help="Treat all paths as files of one server.")]
Members = Annotated[
    bool, typer.Option("--members", help="Each path is one member of a cluster: its option file, dump or folder.")
]


def check(
    paths: Paths = None,
    server: Server = "",
    role: RoleOption = None,
    topology: TopologyOption = None,
    host: Hosts = None,
    rules: RuleFolders = None,
    only: Only = None,
    ignore: Ignore = None,
    form: Annotated[CheckFormat, typer.Option("--format", help="Output format.")] = CheckFormat.TEXT,
    output: Output = None,
    fail_on: Limit = None,
    strict: Annotated[bool, typer.Option("--strict", help=_STRICT)] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show the corrections: a diff of files, statements for servers.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Change the files; a backup of each is kept next to it.")] = False,
    allow: Risks = "R0,R1,R2",
    baseline: Annotated[
        Path | None, typer.Option(help="Suppress the findings listed in this file.", metavar="FILE")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(help="Write the current findings to this file.", metavar="FILE")
    ] = None,
    together: Together = False,
    members: Members = False,
    root: Root = "",
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    for_: cluster_options.For = "",
    fleet: Fleet = False,
    inventory: Inventory = None,
    since: Since = None,
    jobs: Jobs = 0,
    connections: Connections = 32,
    timeout: Timeout = "20s",
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print findings only.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=_VERBOSE)] = False,
) -> None:
    """Check option files, dumps, bundles or a running cluster."""
    from advisor.cli.check.run import CheckRequest, exit_code_of, judge

    request = CheckRequest(
        paths=tuple(paths or ()),
        server=server,
        role=role,
        topology=topology,
        host=tuple(host or ()),
        rules=tuple(rules or ()),
        only=tuple(only or ()),
        ignore=tuple(ignore or ()),
        baseline=baseline,
        write_baseline=write_baseline,
        together=together,
        members=members,
        root=root,
    )
    presentation = Presentation(form, color, width, verbose - quiet, output)
    many = FleetOptions(fleet, inventory, since, jobs, connections, timeout, password_file)
    if many.meant(form):
        others = {"--diff": diff, "--fix": fix, "--together": together, "--members": members, "--dsn": bool(dsn)}
        refuse_with_fleet({**others, "--cluster": bool(cluster), "--lab": bool(lab), "--for": bool(for_)})
        raise typer.Exit(check_fleet(request, many, presentation, fail_on, strict))
    live, live_code = _read_live(dsn, cluster, lab, password_file, for_, alone=not (paths or together or members))
    if (diff or fix) and form is not CheckFormat.TEXT:
        raise UsageError("--diff and --fix need --format text")
    result = judge(replace(request, live=live))
    write_report(result.judgements, presentation)
    fix_code = _offer_changes(result, allow, root, color, width, fix=fix) if diff or fix else ExitCode.OK
    raise typer.Exit(max(live_code, exit_code_of(result, fail_on, strict), fix_code))


def _read_live(
    dsn: str, cluster: Path | None, lab: str, password_file: Path | None, for_: str, *, alone: bool
) -> tuple[Cluster | None, int]:
    """The evidence of a running cluster, if one is named, and the exit code of reading it."""
    if not (dsn or cluster or lab):
        if for_ or password_file:
            raise UsageError("--for and --password-file need a running cluster", hint="--dsn, --cluster or --lab")
        return None, ExitCode.OK
    if not alone:
        raise UsageError(
            "a running cluster cannot be combined with paths, --together or --members", hint="run `check` twice"
        )
    from advisor.cli.shared import live_cluster

    evidence, gathered = live_cluster.read_live(live_cluster.LiveOptions(dsn, cluster, lab, password_file, for_))
    return evidence, ExitCode.SERVER_FAILED if live_cluster.incomplete(gathered) else ExitCode.OK


def _offer_changes(result: CheckResult, allow: str, root: str, color: Colour, width: int, *, fix: bool) -> int:
    from advisor.cli.check.fix import offer

    return offer(result, allow, root, color, width, fix=fix)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("check", epilog=_EXAMPLES)(check)
