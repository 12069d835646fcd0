"""`advisor move`: what changes if this server or cluster moves to another release, or to the other family?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.duration import seconds_parser
from advisor.cli.shared.formats import MoveFormat
from advisor.cli.shared.options import ColourOption, RoleOption, Root, Server, TopologyOption, Width, complete_servers
from advisor.cli.shared.terminal import Colour
from advisor.model.server import Topology

_EXAMPLES = """Examples:

\b
  advisor move /etc/mysql/my.cnf --to mysql-8.4 --server mysql-8.0.36
  advisor move my.cnf --to mysql-9.7 -o my-9.7.cnf
  advisor move my.cnf --to mariadb-11.8 --server mariadb-10.6 --write
  advisor move my.cnf --to mariadb-11.4 --server mysql-8.0.42 --all
  advisor move bundle.tar.gz --to mysql-8.4
  advisor move db1.cnf db2.cnf db3.cnf --members --to pxc-8.4 --server pxc-8.0
  advisor move my.cnf --to mysql-8.4 --format markdown > plan.md
  advisor move --dsn mysql://watch@db1 --to mysql-8.4
  advisor move my.cnf --to mariadb-11.8 --server mariadb-10.11 --prove
  advisor move my.cnf --server mysql-8.4 --to-topology group_replication

No file is changed without -o or --write.

Exit codes: 0 nothing is in the way, 1 something is in the way, for example the
new release does not start with the current files, 2 wrong usage or unreadable
input, 3 a file in rules/moves is invalid, 4 a server cannot be read."""

_PATHS = "Option files, dumps, folders or bundles. Default: the option files a server reads by itself."
_TO = (
    "The release to move to: mysql-8.4, mysql-9.7.4, mariadb-11.8, percona-8.4, pxc-8.4. "
    "A series stands for its newest release."
)
_TO_TOPOLOGY = f"The topology to move to, with or without another release: {', '.join(list(Topology)[1:])}."
_OUTPUT = "Save the rewritten option file under this name."
_WRITE = "Rewrite the option files where they are; a backup of each is kept next to it."
_ALL = "Also list the changed defaults whose meaning is not known."
_PROVE = (
    "Also start both releases in the lab with these files, measure them in turn, and make the new server a replica "
    "of the old one."
)
_PAIRS = "With --prove: number of pairs of runs, each with one run per release (0: no load)."
_SECONDS = "With --prove: length of each run."
_THREADS = "With --prove: number of clients."
_WORKLOAD = "With --prove: the transactions, a shipped workload or your own mix as a .yaml file."
Paths = Annotated[list[str] | None, typer.Argument(metavar="[EVIDENCE...]", help=_PATHS, show_default=False)]
To = Annotated[
    str, typer.Option("--to", help=_TO, metavar="RELEASE", autocompletion=complete_servers, show_default=False)
]
ToTopology = Annotated[
    Topology | None, typer.Option("--to-topology", help=_TO_TOPOLOGY, metavar="TOPOLOGY", show_default=False)
]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--host", help="CPUs, memory and disk of the server's machine.", metavar="cpus=16,memory=64G"),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help=_OUTPUT, metavar="FILE")]


def move(
    to: To = "",
    to_topology: ToTopology = None,
    paths: Paths = None,
    server: Server = "",
    role: RoleOption = None,
    topology: TopologyOption = None,
    host: Hosts = None,
    form: Annotated[MoveFormat, typer.Option("--format", help="Output format.")] = MoveFormat.TEXT,
    output: Output = None,
    write: Annotated[bool, typer.Option("--write", help=_WRITE)] = False,
    every: Annotated[bool, typer.Option("--all", help=_ALL)] = False,
    together: Annotated[bool, typer.Option("--together", help="Treat all paths as files of one server.")] = False,
    members: Annotated[bool, typer.Option("--members", help="Each path is one member of a cluster.")] = False,
    prove: Annotated[bool, typer.Option("--prove", help=_PROVE)] = False,
    workload: Annotated[str, typer.Option(help=_WORKLOAD, metavar="NAME|FILE")] = "read_write",
    threads: Annotated[int, typer.Option(help=_THREADS, min=1)] = 8,
    seconds: Annotated[float, typer.Option(help=_SECONDS, metavar="10s", parser=seconds_parser("--seconds"))] = 10.0,
    pairs: Annotated[int, typer.Option(help=_PAIRS, min=0)] = 3,
    root: Root = "",
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show what changes with another release, and rewrite option files for it."""
    from advisor.cli.move.run import MoveRequest, ProofRequest, run
    from advisor.cli.shared.live_cluster import LiveOptions

    live = LiveOptions(dsn, cluster, lab, password_file, "")
    request = MoveRequest(
        to=to,
        to_topology=to_topology,
        paths=tuple(paths or ()),
        server=server,
        role=role,
        topology=topology,
        host=tuple(host or ()),
        together=together,
        members=members,
        root=root,
        output=output,
        write=write,
        live=live if live.named else None,
        proof=ProofRequest(workload, threads, seconds, pairs) if prove else None,
    )
    raise typer.Exit(run(request, form, color, width, every=every))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("move", epilog=_EXAMPLES)(move)
