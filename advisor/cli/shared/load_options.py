"""Which options does `advisor bench` have beyond those that name a cluster?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Workload = Annotated[
    str,
    typer.Option(help="What clients do: a shipped workload, or your own mix as a .yaml file.", metavar="NAME|FILE"),
]
Threads = Annotated[str, typer.Option(help="How many clients; several numbers are several runs.", metavar="1,4,16")]
Rate = Annotated[
    float, typer.Option(help="Offer so many transactions per second, however long they take (open loop).", min=0.0)
]
Seconds = Annotated[
    str,
    typer.Option(help="How long to measure, once the run is steady; with --find-sustained each probe.", metavar="30s"),
]
LagBound = Annotated[str, typer.Option(help="How far behind every member may be.", metavar="1s")]
WarmUp = Annotated[str, typer.Option(help="Warm up at least and at most so long.", metavar="10s:60s")]
Drain = Annotated[str, typer.Option(help="Wait at most so long for the members to catch up.", metavar="120s")]
Every = Annotated[str, typer.Option(help="How often every member is looked at, from 100ms.", metavar="1s")]
Writers = Annotated[
    str, typer.Option(help="The members that get the load, or all; else the first that takes writes.", metavar="m1,m2")
]
Tables = Annotated[int, typer.Option(help="How many tables the data set has.", min=1)]
Rows = Annotated[int, typer.Option(help="How many rows each table has.", min=1)]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the workload; may be given several times.", metavar="NAME=VALUE"),
]
FindSustained = Annotated[
    bool, typer.Option("--find-sustained", help="Search for the largest rate that stays inside the lag bound.")
]
Versus = Annotated[
    str,
    typer.Option("--vs", help="Compare with these settings, in turns; put back afterwards.", metavar="NAME=VALUE,…"),
]
Pairs = Annotated[int, typer.Option(help="With --vs: how many pairs of runs.", min=1)]
Plot = Annotated[Path | None, typer.Option(help="Draw the run into a .svg, .png or .pdf.", metavar="FILE")]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write every sample as CSV.", metavar="FILE")]
Bundle = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Read all members meanwhile into a bundle for check and why.", metavar="FILE"),
]
