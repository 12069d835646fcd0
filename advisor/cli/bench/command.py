"""`advisor bench`: how fast is this cluster, and at which rate does every member keep up?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared import load_options as arguments
from advisor.cli.shared.formats import RunFormat

_EXAMPLES = """Examples:

\b
  advisor bench --lab group_replication --workload update_index
  advisor bench --lab galera --threads 1,4,16,64 --seconds 20
  advisor bench --lab semisync --rate 500 --plot run.svg --csv run.csv
  advisor bench --cluster cluster.yaml --find-sustained --lag-bound 500ms
  advisor bench --dsn mysql://load@db1 --workload shop.yaml --writers db1:3306
  advisor bench --lab asynchronous --vs sync_binlog=0 --pairs 4
  advisor bench --lab galera --format html > run.html

A run warms up until it is steady, measures, stops the load, and waits until every
member has caught up.

Load is written into a schema of its own, advisor_bench, made once and kept.
Exit codes: 0 measured, 2 wrong usage, 4 a server or the load failed, or Ctrl-C;
what was seen until then is kept as CSV."""


Format = Annotated[RunFormat, typer.Option("--format", help="text; json with every sample; html, one run as a page.")]


def bench(
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    workload: arguments.Workload = "read_write",
    threads: arguments.Threads = "",
    rate: arguments.Rate = 0.0,
    seconds: arguments.Seconds = "",
    lag_bound: arguments.LagBound = "1s",
    warm_up: arguments.WarmUp = "10s:60s",
    drain: arguments.Drain = "120s",
    every: arguments.Every = "1s",
    writers: arguments.Writers = "",
    tables: arguments.Tables = 4,
    rows: arguments.Rows = 10_000,
    options: arguments.Options = None,
    find_sustained: arguments.FindSustained = False,
    versus: arguments.Versus = "",
    pairs: arguments.Pairs = 3,
    form: Format = RunFormat.TEXT,
    csv: arguments.Csv = None,
    plot: arguments.Plot = None,
    output: arguments.Bundle = None,
) -> None:
    """Put load on a cluster and measure the rate it commits at, and the rate every member sustains."""
    from advisor.cli.bench import run
    from advisor.cli.bench.request import Words, build_request
    from advisor.cli.shared.signals import stop_on_signals

    words = Words(
        dsn=dsn, cluster=cluster, lab=lab, password_file=password_file, workload=workload, threads=threads,
        rate=rate, seconds=seconds, lag_bound=lag_bound, warm_up=warm_up, drain=drain, every=every,
        writers=writers, tables=tables, rows=rows, options=options or [], find_sustained=find_sustained,
        versus=versus, plot=plot, csv=csv,
    )  # fmt: skip
    stop_on_signals()
    run.bench(build_request(words), pairs, run.Outputs(form, csv, plot, output))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("bench", epilog=_EXAMPLES)(bench)
