"""`advisor timeline`: what happened to this cluster, when, and what changed then?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.duration import seconds_parser
from advisor.cli.shared.formats import RunFormat
from advisor.cli.shared.options import ColourOption, Width
from advisor.cli.shared.terminal import Colour

_EXAMPLES = """Examples:

\b
  advisor timeline http://prometheus:9090 --last 1h
  advisor timeline http://prometheus:9090 --from '2026-11-17 13:30' --to 15:00
  advisor timeline https://admin@pmm.example.com/prometheus \\
      --password-file pmm.txt --last 30m
  advisor timeline http://prometheus:9090 --select 'cluster="shop"' --last 6h
  advisor timeline pmm-dump-1700231340.tar.gz --from '2026-11-17 14:00'
  advisor timeline http://prometheus:9090 --last 1h --format html > page.html

The source is the address of Prometheus, VictoriaMetrics or PMM that scrapes
mysqld_exporter (and node_exporter), or a file exported from it. Times without a zone are in the zone of
this machine. The password file can contain a token instead.

Exit codes: 0 a timeline was written, 2 wrong usage or unreadable input, 3 a
file in rules/monitoring is invalid, 4 the source cannot be read."""

_SOURCE = (
    "The address of the monitoring, the folder of `advisor watch`, a pmm-dump archive, a bundle, or a folder of "
    "pt-stalk collections."
)
_SELECT = "Only servers with these labels, as in the braces of PromQL."
Source = Annotated[str, typer.Argument(help=_SOURCE, metavar="SOURCE", show_default=False)]
From = Annotated[str, typer.Option("--from", help="Start of the period.", metavar="'2026-11-17 14:00'")]
To = Annotated[str, typer.Option("--to", help="End of the period. Default: now.", metavar="15:00")]
Last = Annotated[str, typer.Option("--last", help="Length of the period. Default: 1h.", metavar="1h")]
Select = Annotated[str, typer.Option("--select", help=_SELECT, metavar="LABELS")]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        help="Longest time that a request to the monitoring system may take.",
        metavar="60s",
        parser=seconds_parser("--timeout"),
    ),
]


def timeline(
    source: Source,
    from_: From = "",
    to: To = "",
    last: Last = "",
    select: Select = "",
    password_file: cluster_options.PasswordFile = None,
    timeout: Timeout = 60.0,
    form: Annotated[RunFormat, typer.Option("--format", help="Output format.")] = RunFormat.TEXT,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show what happened to a cluster, and when, from its monitoring data."""
    from advisor.cli.timeline.run import TimelineRequest, made, write_report

    request = TimelineRequest(source, from_, to, last, select, password_file, timeout)
    write_report(made(request), form, color, width)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("timeline", epilog=_EXAMPLES)(timeline)
