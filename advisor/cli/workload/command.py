"""`advisor workload`: what is the load, as binary logs show it, and how far could replicas apply it in parallel?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared.formats import RunFormat
from advisor.cli.shared.options import ColourOption, Width
from advisor.cli.shared.terminal import Colour
from advisor.cli.workload.options import CheckSums, From, Key, Sources, To, parse_keys

workload = typer.Typer(
    help="Say what a load consists of, from binary logs, and how far replicas could apply it in parallel.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor workload show /var/lib/mysql/binlog.index\n"
    "  advisor workload appliers binlog.000041 binlog.000042 --workers 1..64",
)

_SHOW_EXAMPLES = """Examples:

\b
  advisor workload show binlog.000041 binlog.000042
  advisor workload show /var/lib/mysql/binlog.index --from "2026-11-17 14:00"
  advisor workload show binlog.000041 --hot-rows --key shop.orders=1
  advisor workload show /var/lib/mysql --format html > load.html

Files are read, never changed, and no server is needed. Times are in UTC.

Exit codes: 0 shown, 2 wrong usage or unreadable input."""
_HOT_ROWS = "Also find rows that are changed again and again."
_COUNT_ROWS = "Count rows; without, only the sizes of transactions are known, and reading is twice as fast."


@workload.command("show", epilog=_SHOW_EXAMPLES)
def show(
    sources: Sources,
    begin: From = "",
    end: To = "",
    hot_rows: Annotated[bool, typer.Option("--hot-rows", help=_HOT_ROWS)] = False,
    key: Key = None,
    count_rows: Annotated[bool, typer.Option("--rows/--no-rows", help=_COUNT_ROWS)] = True,
    check_sums: CheckSums = False,
    form: Annotated[RunFormat, typer.Option("--format", help="Output format.")] = RunFormat.TEXT,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show the load: rates over time, sizes of transactions, tables, the largest transactions, DDL."""
    from advisor.cli.workload.read_log import LogRequest
    from advisor.cli.workload.show import write_workload

    keys = parse_keys(key or [])
    request = LogRequest(tuple(sources), begin, end, count_rows or hot_rows, hot_rows, keys, check_sums)
    write_workload(request, form, color, width)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(workload, name="workload")
