"""`advisor workload`: what is the load, as binary logs show it, and how far could replicas apply it in parallel?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared.formats import ListFormat, RunFormat
from advisor.cli.shared.options import ColourOption, Width
from advisor.cli.shared.terminal import Colour
from advisor.cli.workload.options import CheckSums, From, Key, Sources, To, parse_keys

workload = typer.Typer(
    help="Show from binary logs what a load consists of, and how far replicas could apply it in parallel.",
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
_COUNT_ROWS = "Count rows. With --no-rows only the sizes of transactions are known, and reading is twice as fast."


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


_APPLIERS_EXAMPLES = """Examples:

\b
  advisor workload appliers binlog.000041 binlog.000042 --workers 1..64
  advisor workload appliers /var/lib/mysql/binlog.index --apply-rate 2500
  advisor workload appliers binlog.000041 --apply-rate 900 --sync 1ms --cpus 8
  advisor workload appliers binlog.000041 --key '*=1' --format json

State what you know of the replica: its apply rate with one worker, the time of
a sync on its disk, its CPUs. With --apply-rate you get rates, otherwise only
the speed-up.

Exit codes: 0 shown, 2 wrong usage or unreadable input."""
_WORKERS = "How many workers: 1..64 doubles from 1 to 64; or a list."
_RATE = "Transactions per second that the replica applies with one worker; 0: not known."
_SYNC = "Time of a sync on the replica's disk, if commits wait for syncs (default: they do not)."
_SYNCS = "How many syncs a group commit has: 2 with sync_binlog=1 and innodb_flush_log_at_trx_commit=1."
_CPUS = "CPUs of the replica; 0: as many as needed."
_IN_ORDER = "Whether commits keep the order of the source (replica_preserve_commit_order)."


@workload.command("appliers", epilog=_APPLIERS_EXAMPLES)
def appliers(
    sources: Sources,
    workers: Annotated[str, typer.Option(help=_WORKERS, metavar="1..64")] = "1..64",
    apply_rate: Annotated[float, typer.Option(help=_RATE, metavar="TX/S", min=0.0)] = 0.0,
    sync: Annotated[str, typer.Option(help=_SYNC, metavar="1ms")] = "",
    syncs: Annotated[int, typer.Option(help=_SYNCS, min=1, max=3)] = 2,
    cpus: Annotated[int, typer.Option(help=_CPUS, min=0)] = 0,
    in_order: Annotated[bool, typer.Option("--in-order/--any-order", help=_IN_ORDER)] = True,
    begin: From = "",
    end: To = "",
    key: Key = None,
    form: Annotated[ListFormat, typer.Option("--format", help="Output format.")] = ListFormat.TEXT,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Simulate how fast replicas could apply with more and more workers, and show what limits them."""
    from advisor.cli.workload.appliers import assumed_of, write_appliers
    from advisor.cli.workload.read_log import LogRequest

    request = LogRequest(tuple(sources), begin, end, keys=True, key_columns=parse_keys(key or []))
    write_appliers(request, workers, assumed_of(apply_rate, sync, syncs, cpus, in_order), form, color, width)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(workload, name="workload")
