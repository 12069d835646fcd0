"""What does `advisor tune` do, and with which exit code does it end?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat, ReportFormat
from advisor.cli.shared.signals import stop_on_signals
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.tune.progress import ProgressDisplay
from advisor.cli.tune.report_files import as_text, last_report, rendered, save_reports
from advisor.cluster_file import read_cluster
from advisor.errors import ServerError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import Recommendation
from advisor.tune import session
from advisor.tune.request.request import Request
from advisor.tune.state import study_folder
from advisor.tune.state.lock import lock_holder
from advisor.tune.trial.run_trial import TrialListener


def begin_or_plan(request: Request, dry_run: bool, form: ListFormat) -> None:
    """Run a new study to its recommendation, or only show what it would do."""
    if dry_run:
        plan(request, form)
    else:
        begin(request, form)


def begin(request: Request, form: ListFormat) -> None:
    """Run a study to its recommendation: a new one, or one that another clone began."""
    stop_on_signals()
    with _progress_shown() as listener:
        recommendation = session.begin(request, listener)
    _finish(recommendation, form, read_cluster(request.cluster))


def resume(cluster: ClusterFile, form: ListFormat) -> None:
    """Continue the last study to its recommendation."""
    stop_on_signals()
    with _progress_shown() as listener:
        recommendation = session.resume(cluster, listener)
    _finish(recommendation, form, cluster)


def plan(request: Request, form: ListFormat) -> None:
    """Show what a study would do."""
    from advisor.cli.tune.dry_run import plan_as_json, plan_as_text

    forecast = session.forecast(request, tell)
    page = page_for(sys.stdout, Colour.AUTO, 0)
    write(plan_as_json(forecast) if form is ListFormat.JSON else plan_as_text(forecast, page))


def stop(cluster: ClusterFile) -> None:
    """End a study after its current trial."""
    folder = study_folder.folder_of(cluster)
    if not lock_holder(folder):
        raise UsageError(f"{cluster.name} is not being tuned")
    study_folder.stop_path(folder).touch()
    tell("the study ends after the current trial and restores the settings")


def rollback(cluster: ClusterFile) -> None:
    """Restore the cluster; ServerError when a setting still differs."""
    if differences := session.rollback(cluster, tell):
        raise ServerError("; ".join(differences))
    write(f"{cluster.name} is restored: every setting is as it was before tuning\n")


def apply(cluster: ClusterFile, yes: bool) -> None:
    """Apply the recommendation of the last study, after confirmation."""
    recommendation = last_report(cluster)
    if not recommendation.chosen:
        raise UsageError("the last study validated no improvement", hint="advisor tune status")
    write(as_text(recommendation))
    if not yes and not typer.confirm("Apply these settings, restarting servers where needed?", default=False):
        raise typer.Exit(ExitCode.NO_IMPROVEMENT)
    session.apply(cluster, recommendation, tell)
    write(f"applied to {cluster.name}; `advisor tune rollback` undoes it\n")


def tell(message: str) -> None:
    """A message on stderr, with the time."""
    ProgressDisplay().tell(message)


@contextmanager
def _progress_shown() -> Iterator[session.SessionListener]:
    """A listener that shows progress on stderr; however the session ends, no half-drawn line is left there."""
    display = ProgressDisplay()
    events = TrialListener(display.state, display.second, display.tell)
    try:
        yield session.SessionListener(events, display.trial, display.begun, display.stage)
    finally:
        display.end()


def _finish(recommendation: Recommendation, form: ListFormat, cluster: ClusterFile) -> None:
    """Keep and show the report; the exit code says whether an improvement was validated."""
    study = study_folder.last_study(study_folder.folder_of(cluster))
    save_reports(recommendation, study)
    write(rendered(recommendation, ReportFormat(form)))
    tell(f"the report is in {study}")
    if recommendation.left:
        raise ServerError("; ".join(recommendation.left), hint="advisor tune rollback")
    raise typer.Exit(ExitCode.OK if recommendation.chosen else ExitCode.NO_IMPROVEMENT)
