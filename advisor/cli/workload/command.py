"""`advisor workload`: what is the load, as binary logs show it, and how far could replicas apply it in parallel?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared.cluster_options import PasswordFile
from advisor.cli.shared.formats import ListFormat, RunFormat
from advisor.cli.shared.options import ColourOption, Width
from advisor.cli.shared.terminal import Colour
from advisor.cli.workload.options import CheckSums, Dsn, For, From, Key, Last, Sources, To, parse_keys

workload = typer.Typer(
    help="Show from binary logs what a load consists of and how far replicas could apply it in parallel, or make "
    "a load like it.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor workload show /var/lib/mysql/binlog.index\n"
    "  advisor workload appliers binlog.000041 binlog.000042 --workers 1..64\n"
    "  advisor workload make --dsn mysql://root@db1 --for 60s -o load.yaml",
)

_SHOW_EXAMPLES = """Examples:

\b
  advisor workload show binlog.000041 binlog.000042
  advisor workload show /var/lib/mysql/binlog.index --from "2026-11-17 14:00"
  advisor workload show binlog.000041 --hot-rows --key shop.orders=1
  advisor workload show --dsn mysql://repl@db1 --last 1h
  advisor workload show --dsn mysql://repl@db1 --for 60s
  advisor workload show /var/lib/mysql --format html > load.html

Files are read, never changed, and no server is needed. Times are in UTC. With
--dsn the server sends its log, as it would to a replica; the user needs the
privileges REPLICATION SLAVE and REPLICATION CLIENT.

Exit codes: 0 shown, 2 wrong usage or unreadable input, 4 the server refuses."""
_HOT_ROWS = "Also find rows that are changed again and again."
_COUNT_ROWS = "Count rows. With --no-rows only the sizes of transactions are known, and reading is twice as fast."


@workload.command("show", epilog=_SHOW_EXAMPLES)
def show(
    sources: Sources = None,
    dsn: Dsn = "",
    seconds: For = "",
    last: Last = "",
    begin: From = "",
    end: To = "",
    password_file: PasswordFile = None,
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
    request = LogRequest(
        sources=tuple(sources or ()), begin=begin, end=end, rows=count_rows or hot_rows, keys=hot_rows,
        key_columns=keys, check_sums=check_sums, dsn=dsn, password_file=password_file, seconds=seconds, last=last,
    )  # fmt: skip
    write_workload(request, form, color, width)


_APPLIERS_EXAMPLES = """Examples:

\b
  advisor workload appliers binlog.000041 binlog.000042 --workers 1..64
  advisor workload appliers /var/lib/mysql/binlog.index --apply-rate 2500
  advisor workload appliers binlog.000041 --apply-rate 900 --cpu-time 0.6ms
  advisor workload appliers binlog.000041 --key '*=1' --format json

State what you know about the replica: its apply rate with one worker, the time
of a sync on its disk, its CPUs. With --apply-rate you get rates, otherwise only
the speed-up.

Exit codes: 0 shown, 2 wrong usage or unreadable input, 4 the server refuses."""
_WORKERS = "Numbers of workers: 1..64 doubles from 1 to 64; or a list, e.g. 1,4,16."
_RATE = "Apply rate of the replica with one worker, in transactions per second (0: unknown)."
_CPU_TIME = "CPU time of the replica's server for each transaction, measured together with --apply-rate (0: unknown)."
_SYNC = "How long a sync of the replica's disk takes, if commits wait for it (default: they do not wait)."
_SYNCS = "Number of syncs for each group commit: 2 with sync_binlog=1 and innodb_flush_log_at_trx_commit=1."
_CPUS = "Number of CPUs of the replica (0: as many as needed)."
_IN_ORDER = "Whether commits keep the order of the source (replica_preserve_commit_order)."


@workload.command("appliers", epilog=_APPLIERS_EXAMPLES)
def appliers(
    sources: Sources = None,
    workers: Annotated[str, typer.Option(help=_WORKERS, metavar="1..64")] = "1..64",
    apply_rate: Annotated[float, typer.Option(help=_RATE, metavar="TX/S", min=0.0)] = 0.0,
    cpu_time: Annotated[str, typer.Option(help=_CPU_TIME, metavar="0.5ms")] = "",
    sync: Annotated[str, typer.Option(help=_SYNC, metavar="1ms")] = "",
    syncs: Annotated[int, typer.Option(help=_SYNCS, min=1, max=3)] = 2,
    cpus: Annotated[int, typer.Option(help=_CPUS, min=0)] = 0,
    in_order: Annotated[bool, typer.Option("--in-order/--any-order", help=_IN_ORDER)] = True,
    dsn: Dsn = "",
    seconds: For = "",
    last: Last = "",
    begin: From = "",
    end: To = "",
    password_file: PasswordFile = None,
    key: Key = None,
    form: Annotated[ListFormat, typer.Option("--format", help="Output format.")] = ListFormat.TEXT,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Simulate how fast replicas could apply with increasing numbers of workers, and show what limits them."""
    from advisor.cli.workload.appliers import assumed_of, write_appliers
    from advisor.cli.workload.read_log import LogRequest

    request = LogRequest(
        sources=tuple(sources or ()), begin=begin, end=end, keys=True, key_columns=parse_keys(key or []), dsn=dsn,
        password_file=password_file, seconds=seconds, last=last,
    )  # fmt: skip
    assumed = assumed_of(apply_rate, cpu_time, sync, syncs, cpus, in_order)
    write_appliers(request, workers, assumed, form, color, width)


_MAKE_EXAMPLES = """Examples:

\b
  advisor workload make --dsn mysql://root@db1 --for 60s -o load.yaml
  advisor workload make binlog.000041 tables.sql digests.txt -o load.yaml
  advisor workload make binlog.index tables.sql bundle.tar.gz -o load.yaml
  advisor workload make binlog.000041 slow-log.json --key '*=1' -o load.yaml
  advisor bench --lab NAME --workload load.yaml

The load has the same kinds of transactions, sizes, hot rows and reads as yours,
and tables with the same keys and widths. It contains none of your names and
values.

Name at least one binary log. These sources tell more:

\b
  tables    SHOW CREATE TABLE, or mysqldump -d
  sizes     TABLE_SCHEMA, TABLE_NAME, TABLE_ROWS of information_schema.TABLES
  reads     SELECT * FROM
            performance_schema.events_statements_summary_by_digest,
            or pt-query-digest --output json
  counters  a bundle of `advisor collect`

With --dsn, advisor asks the server for all of them.

Exit codes: 0 made, 2 wrong usage or unreadable input, 4 the server refuses."""
_OUTPUT = "Write the load to this file, and a summary to stdout. Default: the load to stdout."
_MOST_ROWS = "Fill each table of the load with this many rows at most."
_MAKE_SOURCES = "Binary logs, table definitions, digests, table sizes, a bundle. Not with --dsn."


@workload.command("make", epilog=_MAKE_EXAMPLES)
def make(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE...]", help=_MAKE_SOURCES, show_default=False)
    ] = None,
    dsn: Dsn = "",
    seconds: For = "",
    last: Last = "",
    begin: From = "",
    end: To = "",
    password_file: PasswordFile = None,
    key: Key = None,
    rows: Annotated[int, typer.Option(help=_MOST_ROWS, min=1)] = 100_000,
    output: Annotated[Path | None, typer.Option("--output", "-o", help=_OUTPUT, metavar="FILE")] = None,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Make a load like yours for bench, tune and experiment, without any of your data."""
    from advisor.cli.workload.make import MakeRequest
    from advisor.cli.workload.make import make as run
    from advisor.cli.workload.read_log import LogRequest

    log = LogRequest(
        sources=tuple(sources or ()), begin=begin, end=end, keys=True, steps=True, key_columns=parse_keys(key or []),
        dsn=dsn, password_file=password_file, seconds=seconds, last=last,
    )  # fmt: skip
    run(MakeRequest(log, rows, output), color, width)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(workload, name="workload")
