"""Which subcommands does `advisor tune` have? Each is about the last study of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.formats import ListFormat, ReportFormat
from advisor.cli.tune.options import Format

_CLUSTER: Final = "  advisor tune {} --cluster cluster.yaml"
_LAB: Final = "  advisor tune {} --lab galera"


def resume(
    cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "", form: Format = ListFormat.TEXT
) -> None:
    """Continue the last study from where it stopped. The cluster is restored first."""
    from advisor.cli.tune import run
    from advisor.cli.tune.request import cluster_of

    run.resume(cluster_of(cluster, lab), form)


def status(cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "") -> None:
    """Show the state of the last study. The first lines say whether the cluster is restored."""
    from advisor.cli.shared.terminal import write
    from advisor.cli.tune.request import cluster_of
    from advisor.cli.tune.status import status_as_text

    write(status_as_text(cluster_of(cluster, lab)))


def stop(cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "") -> None:
    """End a study after its current trial. The cluster is restored, and `resume` continues the study."""
    from advisor.cli.tune import run
    from advisor.cli.tune.request import cluster_of

    run.stop(cluster_of(cluster, lab))


def rollback(cluster: cluster_options.ClusterOption = None, lab: cluster_options.Lab = "") -> None:
    """Restore the cluster as it was before tuning. Undoes `apply`, too; exit code 4 if a setting still differs."""
    from advisor.cli.tune import run
    from advisor.cli.tune.request import cluster_of

    run.rollback(cluster_of(cluster, lab))


def apply(
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Apply the validated settings, after confirmation. They are written into the members' option files."""
    from advisor.cli.tune import run
    from advisor.cli.tune.request import cluster_of

    run.apply(cluster_of(cluster, lab), yes)


def report(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Write report.html, report.md and report.json to this folder.", show_default=False),
    ] = None,
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    form: Annotated[
        ReportFormat, typer.Option("--format", help="Output format, if no folder is given.")
    ] = ReportFormat.TEXT,
) -> None:
    """Print the report of the last study again, or write it to a folder in every format."""
    from advisor.cli.tune import report_files
    from advisor.cli.tune.request import cluster_of

    report_files.write_report(cluster_of(cluster, lab), folder, form)


def add(tune: typer.Typer) -> None:
    """Register the commands."""
    examples: dict[Callable[..., None], str] = {
        resume: _LAB.format("resume"),
        status: _LAB.format("status"),
        stop: _LAB.format("stop"),
        rollback: _CLUSTER.format("rollback"),
        apply: _CLUSTER.format("apply"),
        report: f"{_LAB.format('report')}\n{_CLUSTER.format('report reports/')}",
    }
    for command, example in examples.items():
        tune.command(command.__name__, epilog=f"Example:\n\n\b\n{example}")(command)
