"""`advisor bench`: how fast is this cluster, and at which rate does every member keep up?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.bench.setting_changes import SettingChanges, parse_setting_changes
from advisor.cli.shared import cluster_options, load_options
from advisor.cli.shared.duration import SecondsRange, seconds_parser
from advisor.cli.shared.formats import RunFormat

_EXAMPLES = """Examples:

\b
  advisor bench --lab group_replication --workload update_index
  advisor bench --lab galera --threads 1,4,16,64 --seconds 20
  advisor bench --lab semisync --rate 500 --csv run.csv
  advisor bench --cluster cluster.yaml --find-sustained --lag-bound 500ms
  advisor bench --dsn mysql://load@db1 --workload shop.yaml --writers db1:3306
  advisor bench --lab asynchronous --vs sync_binlog=0 --pairs 4
  advisor bench --lab galera --format html > run.html

A run warms up until it is steady, measures, stops the load, and waits until every
member has caught up.

The load writes only to the schema advisor_bench, which is created once and kept,
and to the database that your own mix names.

Exit codes: 0 measured, 2 wrong usage, 4 a server or the load failed, or Ctrl-C;
the samples taken until then are saved as CSV."""

_RUN_SECONDS = {False: 30.0, True: 10.0}  # with --find-sustained


def bench(
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    workload: load_options.Workload = "read_write",
    option: load_options.WorkloadOptions = None,
    threads: load_options.ThreadCountsOption = None,
    rate: Annotated[
        float,
        typer.Option(
            help="Offer this many transactions per second, however long each takes (open loop).",
            metavar="TX/S",
            min=0.0,
            show_default=False,
        ),
    ] = 0.0,
    writers: load_options.Writers = "",
    tables: load_options.Tables = 4,
    rows: load_options.Rows = 10_000,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long to measure once the run is steady. Default: 30s, or 10s for each run of --find-sustained.",
            metavar="30s",
            parser=seconds_parser("--seconds"),
        ),
    ] = None,
    warm_up: load_options.WarmUp = SecondsRange(10.0, 60.0),  # noqa: B008 – a named tuple
    drain: Annotated[
        float,
        typer.Option(
            help="Longest time to wait for the members to catch up after the load.",
            metavar="120s",
            parser=seconds_parser("--drain"),
            show_default="120s",
        ),
    ] = 120.0,
    every: Annotated[
        float,
        typer.Option(
            help="Time between two samples of a member, at least 100ms.",
            metavar="1s",
            parser=seconds_parser("--every"),
            show_default="1s",
        ),
    ] = 1.0,
    lag_bound: Annotated[
        float,
        typer.Option(
            help="Lag limit: the largest 95th percentile of lag that any member may have.",
            metavar="1s",
            parser=seconds_parser("--lag-bound"),
            show_default="1s",
        ),
    ] = 1.0,
    find_sustained: Annotated[
        bool, typer.Option("--find-sustained", help="Search for the highest rate within the lag limit.")
    ] = False,
    versus: Annotated[
        SettingChanges,
        typer.Option(
            "--vs",
            help="Compare with these settings in alternating runs, then undo them. For one member: m2:NAME=VALUE.",
            metavar="NAME=VALUE,…",
            parser=parse_setting_changes,
            show_default=False,
        ),
    ] = SettingChanges(),  # noqa: B008 – an empty tuple
    pairs: Annotated[int, typer.Option(help="With --vs: number of pairs of runs.", min=1)] = 3,
    form: Annotated[
        RunFormat, typer.Option("--format", help="text; json with every sample; html: a page about one run.")
    ] = RunFormat.TEXT,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write every sample to this file.", metavar="FILE")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Save the status of the members during the run as a bundle that check and why can read.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Measure the peak and the sustained rate of a cluster."""
    from advisor.bench.run import RunPlan
    from advisor.cli.bench import run
    from advisor.cli.bench.request import build_request, find_cluster, probe_folder
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.cli.shared.writers import parse_writers
    from advisor.model.measurement import Load

    members = find_cluster(dsn, cluster, lab, password_file)
    load = Load(
        workload=workload, threads=0, writers=parse_writers(writers, members), rate_per_second=rate, tables=tables,
        rows_per_table=rows, settings=dict(option or ()),
    )  # fmt: skip
    plan = RunPlan(
        load=load, seconds=_RUN_SECONDS[find_sustained] if seconds is None else seconds, lag_bound_ms=1000 * lag_bound,
        every_seconds=every, warm_up_least=warm_up.least, warm_up_most=warm_up.most, drain_most=drain,
        fsync_folder=probe_folder(lab),
    )  # fmt: skip
    stop_on_signals()
    request = build_request(members, plan, threads or (), versus, find_sustained)
    run.bench(request, pairs, run.Outputs(form, csv, output))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("bench", epilog=_EXAMPLES)(bench)
