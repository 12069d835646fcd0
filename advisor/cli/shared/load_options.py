"""Which options describe a load, in `advisor bench` and `advisor tune` alike?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared.duration import SecondsRange, seconds_range_parser
from advisor.cli.shared.name_value import NameValue, name_value_parser
from advisor.errors import UsageError


class ThreadCounts(tuple[int, ...]):
    """The number of clients of each run."""

    __slots__ = ()


def parse_thread_counts(text: str | ThreadCounts) -> ThreadCounts:
    """Whole numbers with commas in between; UsageError for anything else."""
    numbers = text.split(",") if isinstance(text, str) else ()
    for number in numbers:
        if not number.strip().isdecimal() or not int(number):
            raise UsageError(f"--threads {number!r} is not a whole number of at least 1", hint="e.g. --threads 1,4,16")
    return ThreadCounts(map(int, numbers)) if isinstance(text, str) else text


def parse_thread_count(value: str | int) -> int:
    """The number of clients of every trial, `AUTO` for "auto"; UsageError for anything else."""
    from advisor.tune.request.request import AUTO

    text = str(value).strip()
    if text == "auto":
        return AUTO
    if not text.isdecimal() or not int(text):
        raise UsageError(f"--threads {text!r}: must be auto or a whole number of at least 1")
    return int(text)


Workload = Annotated[
    str,
    typer.Option(help="The transactions: a shipped workload, or your own mix as a .yaml file.", metavar="NAME|FILE"),
]
ThreadCountsOption = Annotated[
    ThreadCounts | None,
    typer.Option(
        help="Number of clients; each number in a list gets its own run. Default: 16, or 64 with an offered rate.",
        metavar="1,4,16",
        parser=parse_thread_counts,
    ),
]
ThreadCountOption = Annotated[
    int,
    typer.Option(
        help="Number of clients; auto finds how many it takes to reach peak throughput.",
        metavar="16|auto",
        parser=parse_thread_count,
    ),
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
