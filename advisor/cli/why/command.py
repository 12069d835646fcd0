"""`advisor why`: what limits the commits of this cluster, and what would help?"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.formats import ReportFormat
from advisor.cli.shared.options import ColourOption, RoleOption, Root, Server, TopologyOption, Width
from advisor.cli.shared.terminal import Colour

_EXAMPLES = """Examples:

\b
  advisor why bundle.tar.gz
  advisor why my.cnf --observe throughput_per_second=5300 cpus=32
  advisor why variables.txt status-1.txt status-2.txt --together
  advisor why source/ replica/ --members
  advisor why my.cnf --observe throughput_per_second=600 \\
      scaling=1:600,16:610,64:605
  advisor why bundle/ --format json
  advisor why --lab group_replication --for 20s
  advisor why --lab demo --verify
  advisor why --dsn mysql://root@db1 --instrument
  advisor why --dsn mysql://root@db1 --experiment flow-control
  advisor why bundle/ --format html > why.html
  advisor why --history http://prometheus:9090 --at '2026-11-17 14:00'

Names for --observe: throughput_per_second, clients, rows_per_transaction,
transaction_bytes, latency_ms.mean, fsync_ms, rtt_ms, link_mbit, cpus,
memory_bytes, storage, lag_seconds, dips_every_seconds, states.<thread state>,
host.cpu_util, host.iowait, host.disk_util, scaling=CLIENTS:THROUGHPUT,…
and tried=NAME:FROM:TO:BEFORE:AFTER (throughput before and after)

Exit codes: 0 a diagnosis was written, 2 wrong usage or unreadable input, 3 a
file in rules/causes is invalid, 4 a server cannot be read. --verify, --experiment
and --instrument restore the old settings, even after Ctrl-C or if the command is
killed."""

_TARGETS = "Bundles, dumps, option files or folders. Leave empty for a running cluster."
Paths = Annotated[list[str] | None, typer.Argument(metavar="[TARGET...]", help=_TARGETS, show_default=False)]
Observed = Annotated[
    list[str] | None, typer.Option("--observe", help="A value that you measured.", metavar="NAME=VALUE")
]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--host", help="CPUs, memory and disk of the server's machine.", metavar="cpus=16,memory=64G"),
]
_HISTORY = (
    "Diagnose what was recorded: the address of Prometheus, VictoriaMetrics or PMM, a pmm-dump archive, or the "
    "folder of `advisor watch`."
)
_AT = "With --history: start of the period to diagnose; --for sets its length. Default: the period up to now."
_SELECT = "With --history: only servers with these labels, as in the braces of PromQL."
_FOR = "How long to read a running cluster (default: 10s), or its history (default: 30m)."
_LIVE_FOR = "10s"
_VERIFY = "Apply the first advice to the running cluster for 10 s, measure, and restore the settings."
_EXPERIMENT = "Switch off flow control on the running cluster for 5 s, measure, and restore the settings."


class Experiment(StrEnum):
    """A change to the running cluster whose effect decides between causes."""

    FLOW_CONTROL = "flow-control"


def why(
    paths: Paths = None,
    observed: Observed = None,
    server: Server = "",
    role: RoleOption = None,
    topology: TopologyOption = None,
    host: Hosts = None,
    form: Annotated[ReportFormat, typer.Option("--format", help="Output format.")] = ReportFormat.TEXT,
    together: Annotated[bool, typer.Option("--together", help="Treat all paths as files of one server.")] = False,
    members: Annotated[bool, typer.Option("--members", help="Each path is one member of a cluster.")] = False,
    explain_terms: Annotated[bool, typer.Option("--explain-terms", help="Explain the terms in the report.")] = False,
    root: Root = "",
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    history: Annotated[str, typer.Option("--history", help=_HISTORY, metavar="SOURCE")] = "",
    at: Annotated[str, typer.Option("--at", help=_AT, metavar="'2026-11-17 14:00'")] = "",
    select: Annotated[str, typer.Option("--select", help=_SELECT, metavar="LABELS")] = "",
    for_: Annotated[str, typer.Option("--for", help=_FOR, metavar="30s")] = "",
    instrument: cluster_options.Instrument = False,
    verify: Annotated[bool, typer.Option("--verify", help=_VERIFY)] = False,
    experiment: Annotated[Experiment | None, typer.Option(help=_EXPERIMENT)] = None,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Find what limits the commit rate, and what to change."""
    from advisor.cli.shared.live_cluster import LiveOptions
    from advisor.cli.why.past import Past
    from advisor.cli.why.run import WhyRequest, answer

    live = LiveOptions(
        dsn, cluster, lab, password_file, for_ or _LIVE_FOR, frequent_process_lists=True, instrument=instrument
    )
    request = WhyRequest(
        tuple(paths or ()), tuple(observed or ()), server, role, topology, tuple(host or ()), together, members, root,
        live if live.named else None, verify, experiment is not None,
        Past(history, at, for_, select, password_file) if history else None,
    )  # fmt: skip
    answer(request, str(form), color, width, explain_terms=explain_terms)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("why", epilog=_EXAMPLES)(why)
