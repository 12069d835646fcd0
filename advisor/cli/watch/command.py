"""`advisor watch`: record a cluster all the time, show it, and keep a bundle when something happens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.duration import seconds_parser
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.options import ColourOption
from advisor.cli.shared.terminal import Colour

_EXAMPLES = """Examples:

\b
  advisor watch --dsn mysql://watch@db1 --ring /var/lib/advisor/shop
  advisor watch --cluster cluster.yaml --ring DIR --keep 7d --at-most 4G
  advisor watch --lab demo --ring DIR --when 'lag_seconds > 5'
  advisor watch --dsn mysql://watch@db1 --ring DIR --listen 127.0.0.1:9105
  advisor why --history DIR --at '2026-11-17 14:00' --for 5m
  advisor timeline DIR --last 6h

Names for --when: lag_seconds, backlog_transactions, committed_per_second,
applied_per_second, statement_ms, running_clients, throttled_share,
throttled_clients, conflicts_per_second, state, unreachable, and all names that
rules use, for example rate.Innodb_log_waits > 0.

Ctrl-C or SIGTERM ends the recording with exit code 0. Other exit codes: 2
wrong usage, 4 the cluster cannot be found or the folder cannot be written."""

_RING = "Record into this folder; an earlier recording there is continued."
_KEEP = "Remove readings that are older than this."
_AT_MOST = "The most disk space that the folder may use, including bundles; at least 16M."
_WHEN = "Keep a bundle when this becomes true for a member (repeatable)."
_COOL_DOWN = "After a bundle, ignore the same condition for this long."
_LISTEN = "Serve metrics for Prometheus at this address."
_NAMES = "Keep statements and the names of hosts, users, schemas and tables in bundles."
Ring = Annotated[Path, typer.Option("--ring", help=_RING, metavar="FOLDER")]
Keep = Annotated[float, typer.Option(help=_KEEP, metavar="24h", parser=seconds_parser("--keep"), show_default="24h")]
MostSpace = Annotated[str, typer.Option("--at-most", help=_AT_MOST, metavar="1G")]
When = Annotated[list[str] | None, typer.Option("--when", help=_WHEN, metavar="CONDITION")]
CoolDown = Annotated[
    float,
    typer.Option(
        "--cool-down", help=_COOL_DOWN, metavar="10m", parser=seconds_parser("--cool-down"), show_default="10m"
    ),
]
Listen = Annotated[str, typer.Option("--listen", help=_LISTEN, metavar="127.0.0.1:9105")]
KeepNames = Annotated[bool, typer.Option("--keep-names", help=_NAMES)]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print only events: no screen, and no line per second.")]


def watch(
    ring: Ring,
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    keep: Keep = 86400.0,
    at_most: MostSpace = "1G",
    when: When = None,
    cool_down: CoolDown = 600.0,
    listen: Listen = "",
    keep_names: KeepNames = False,
    form: Annotated[ListFormat, typer.Option("--format", help="json: one object per line.")] = ListFormat.TEXT,
    quiet: Quiet = False,
    color: ColourOption = Colour.AUTO,
) -> None:
    """Record a cluster once a second, for `why`, `timeline` and Prometheus.

    The oldest data is removed once it is older than --keep, or once the folder reaches --at-most.
    On a terminal, a screen shows the cluster live.
    """
    from advisor.cli.shared.live_cluster import LiveOptions
    from advisor.cli.watch.run import WatchOptions, run

    options = WatchOptions(ring, keep, at_most, tuple(when or ()), cool_down, listen, keep_names, quiet)
    run(LiveOptions(dsn, cluster, lab, password_file), options, form, color)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("watch", epilog=_EXAMPLES)(watch)
