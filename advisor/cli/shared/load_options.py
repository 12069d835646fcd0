"""Which options describe a load, in `advisor bench` and `advisor tune` alike?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared.duration import SecondsRange, seconds_range_parser
from advisor.cli.shared.name_value import NameValue, name_value_parser

Workload = Annotated[
    str,
    typer.Option(help="The transactions: a shipped workload, or your own mix as a .yaml file.", metavar="NAME|FILE"),
]
WorkloadOptions = Annotated[
    list[NameValue] | None,
    typer.Option(
        "--option",
        help="An option of the workload (repeatable).",
        metavar="NAME=VALUE",
        parser=name_value_parser("--option"),
    ),
]
Writers = Annotated[
    str,
    typer.Option(
        help="The members that clients write to, or all; default: the first that accepts writes.", metavar="m1,m2|all"
    ),
]
Tables = Annotated[int, typer.Option(help="Number of tables in the data set.", min=1)]
Rows = Annotated[int, typer.Option(help="Number of rows in each table.", min=1)]
WarmUp = Annotated[
    SecondsRange,
    typer.Option(
        help="Shortest and longest warm-up of a run.",
        metavar="10s:60s",
        parser=seconds_range_parser("--warm-up"),
        show_default="10s:60s",
    ),
]
