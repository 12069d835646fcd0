"""`advisor tune`: find settings with which a cluster sustains more, prove them, and leave everything as it was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared import load_options as bench_arguments
from advisor.cli.shared.formats import ListFormat, ReportFormat
from advisor.cli.tune import options as tune_arguments

tune = typer.Typer(
    help="Find settings with which a cluster sustains more, and prove them.",
    rich_markup_mode=None,
    invoke_without_command=True,
    epilog="Examples:\n\n\b\n  advisor tune --lab group_replication --trials 30\n"
    "  advisor tune --cluster cluster.yaml --for 8h --lag-bound 500ms\n"
    "  advisor tune --lab galera --for 45m --pin innodb_flush_neighbors=0 --dry-run\n"
    "  advisor tune join march --storage mysql://u@db9/nights --lab two\n"
    "  advisor tune status --lab galera\n  advisor tune resume --lab galera\n"
    "  advisor tune rollback --cluster cluster.yaml\n  advisor tune apply --cluster cluster.yaml\n\n\b\n"
    "Durability, consistency and correctness are never traded unless --allow names\n"
    "them. Whatever ends a run, the settings are put back; after a power cut\n"
    "`resume` or `rollback` does it. Exit codes: 0 something surely better was\n"
    "found, 1 nothing was, 2 wrong usage, 4 a server or the load failed.",
)


Format = Annotated[ListFormat, typer.Option("--format", help="text, or json with everything that was tried.")]


@tune.callback()
def run(
    context: typer.Context,
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    workload: bench_arguments.Workload = "read_write",
    threads: tune_arguments.Threads = "16",
    for_: tune_arguments.For = "",
    trials: tune_arguments.Trials = 0,
    patience: tune_arguments.Patience = 60,  # an hour or so of trials: a choice, not a measurement
    seconds: tune_arguments.Seconds = "30s",
    lag_bound: tune_arguments.LagBound = "1s",
    warm_up: bench_arguments.WarmUp = "10s:60s",
    writers: bench_arguments.Writers = "",
    tables: bench_arguments.Tables = 4,
    rows: bench_arguments.Rows = 10_000,
    options: bench_arguments.Options = None,
    folders: tune_arguments.Folders = None,
    pin: tune_arguments.Pins = None,
    exclude: tune_arguments.Excluded = None,
    allow: tune_arguments.Allowed = None,
    host: tune_arguments.Host = None,
    between: tune_arguments.Between = "",
    not_primary: tune_arguments.NotPrimary = False,
    sampler: tune_arguments.Sampler = "own",
    seed: tune_arguments.Seed = 0,
    blocks: tune_arguments.Blocks = 6,
    shorten: tune_arguments.Shorten = True,
    experience: tune_arguments.Experience = "",
    preflight: tune_arguments.Preflight = True,
    storage: tune_arguments.Storage = "",
    study: tune_arguments.Study = "",
    password_file: tune_arguments.PasswordFile = None,
    soak: tune_arguments.Soak = "",
    dry_run: tune_arguments.DryRun = False,
    form: Format = ListFormat.TEXT,
) -> None:
    """Try configurations under load, prove the best against the running one, and put everything back."""
    if not context.invoked_subcommand:
        _begin(locals(), dry_run, form)


def _begin(given: Mapping[str, Any], dry_run: bool, form: ListFormat) -> None:
    from advisor.cli.tune import request
    from advisor.cli.tune import run as tuning

    tuning.begin_or_plan(request.words_of(given), dry_run, form)


@tune.command(
    "join",
    epilog="Example:\n\n\b\n  advisor tune --lab one --for 8h --storage mysql://u@db9/nights --study march\n"
    "  advisor tune join march --storage mysql://u@db9/nights --lab two\n\n\b\n"
    "The password is in --password-file, ADVISOR_PASSWORD or ~/.my.cnf, never in\n"
    "the address. One of them proves the answer; for the others the exit code is 1.",
)
def join(
    study: Annotated[str, typer.Argument(help="The study's name, which the run that began it said.")],
    storage: Annotated[
        str, typer.Option(help="The database it is kept in.", metavar="mysql://USER@HOST/DATABASE", show_default=False)
    ],
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: tune_arguments.PasswordFile = None,
    writers: bench_arguments.Writers = "",
    folders: tune_arguments.Folders = None,
    form: Format = ListFormat.TEXT,
) -> None:
    """Work on a study that runs on another clone of this cluster, too: more trials in the same time."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.join(cluster_of(cluster, lab), study, storage, password_file, writers, folders or [], form)


@tune.command("resume")
def resume(
    cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "", form: Format = ListFormat.TEXT
) -> None:
    """Go on with the last study from where it was, after the cluster is put back as it was found."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.resume(cluster_of(cluster, lab), form)


@tune.command("status")
def status(cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "") -> None:
    """Show how the last study stands, and whether the cluster is as it was found."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.status(cluster_of(cluster, lab))


@tune.command("stop")
def stop(cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "") -> None:
    """End a running study after its present trial; the settings are put back, and `resume` goes on."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.stop(cluster_of(cluster, lab))


@tune.command("rollback")
def rollback(cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "") -> None:
    """Put the cluster back as it was found, also what `apply` wrote. Exit code 4 when something still differs."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.rollback(cluster_of(cluster, lab))


@tune.command("apply")
def apply(
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Write what the last study proved into the members' option files and apply it, after a question."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.apply(cluster_of(cluster, lab), yes)


@tune.command("report")
def report(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Where report.html, report.md and report.json are written.", show_default=False),
    ] = None,
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    form: Annotated[
        ReportFormat, typer.Option("--format", help="Without a folder: how it is written.")
    ] = ReportFormat.TEXT,
) -> None:
    """Write the report of the last study once more: all of its forms into a folder, or one to the screen."""
    from advisor.cli.tune import run as tuning
    from advisor.cli.tune.request import cluster_of

    tuning.report(cluster_of(cluster, lab), folder, str(form))


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(tune, name="tune")
