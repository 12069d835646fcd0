"""How does `advisor tune` go about it? Runs, says how it goes, keeps the reports, and answers about the last study."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from advisor.atomic_write import write_file
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.signals import stop_on_signals
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.tune.progress import View
from advisor.cli.tune.request import Words, build_request
from advisor.errors import InputError, ServerError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import Recommendation
from advisor.report.tune.document import document, read_document
from advisor.report.tune.text import recommendation_as_text
from advisor.tune import session
from advisor.tune.request.request import Request, from_data
from advisor.tune.state import study_folder
from advisor.tune.state.journal import read_journal
from advisor.tune.state.lock import lock_holder
from advisor.tune.trial.environment import TrialListener


def begin_or_plan(words: Words, dry_run: bool, form: ListFormat) -> None:
    """A new study, to its answer; or only what it would do."""
    request = build_request(words)
    if dry_run:
        plan(request, form)
        return
    stop_on_signals()
    with _watched() as listener:
        found = session.begin(request, listener)
    _answer(found, form, request.cluster)


def join(cluster: ClusterFile, study: str, storage: str, password_file: Path | None, writers: str, folders: list[str],
         form: ListFormat) -> None:  # fmt: skip
    """A part in a study that another controller began, to its answer."""
    from advisor.tune.distributed.join import request_to_join
    from advisor.tune.state.database import parse_storage, url_of

    address = url_of(parse_storage(storage))
    secret = str(password_file.resolve()) if password_file else ""
    places = [str(Path(folder).resolve()) for folder in folders]
    names = [name for name in writers.split(",") if name]
    request = request_to_join(address, study, secret, cluster, names, places)
    stop_on_signals()
    with _watched() as listener:
        found = session.begin(request, listener)
    _answer(found, form, request.cluster)


def resume(cluster: ClusterFile, form: ListFormat) -> None:
    """The last study, to its answer."""
    stop_on_signals()
    with _watched() as listener:
        found = session.resume(cluster, listener)
    _answer(found, form, cluster.path)


def tell(line: str) -> None:
    """A line of progress, with the time."""
    View().tell(line)


@contextmanager
def _watched() -> Iterator[session.SessionListener]:
    """SessionListener that show what they hear on stderr; however it ends, nothing half-drawn is left there."""
    view = View()
    try:
        yield session.SessionListener(
            TrialListener(view.state, view.second, view.tell), view.trial, view.begun, view.stage
        )
    finally:
        view.end()


def _answer(found: Recommendation, form: ListFormat, cluster: str) -> None:
    from advisor.cluster_file import read_cluster

    study = study_folder.last_study(study_folder.folder_of(read_cluster(cluster)))
    _save(found, study)
    write(_rendered(found, str(form)))
    tell(f"the report is in {study}")
    if found.left:
        raise ServerError("; ".join(found.left), hint="advisor tune rollback")
    raise typer.Exit(ExitCode.OK if found.chosen else ExitCode.NO_IMPROVEMENT)


def _save(found: Recommendation, folder: Path) -> None:
    for name, form in (("report.json", "json"), ("report.md", "markdown"), ("report.html", "html")):
        write_file(folder / name, _rendered(found, form))


def status(cluster: ClusterFile) -> None:
    """How the last study stands."""
    folder = study_folder.folder_of(cluster)
    holder, account = lock_holder(folder), read_journal(study_folder.journal_path(folder))
    study = study_folder.last_study(folder)
    write(f"{cluster.name}: {'being tuned by ' + holder if holder else 'nobody is tuning it'}\n")
    if account.applied:
        write("its answer was applied; advisor tune rollback takes it back\n")
    elif account.open:
        last = account.last
        doing = f"{last.get('kind', '')} {last.get('state', last.get('event', ''))}".strip()
        write(f"changed now: {doing}\n" if holder else "NOT PUT BACK: advisor tune resume, or advisor tune rollback\n")
    elif account.differences:
        write("put back, but for what follows; advisor tune rollback tries again\n")
        write("".join(f"  {line}\n" for line in account.differences))
    else:
        write("settings as they were found\n")
    asked = from_data(study_folder.request_of(study), str(study))
    if asked.storage:
        from advisor.tune.distributed.status import participants_as_lines

        write("\n".join(participants_as_lines(asked)) + "\n")
    report_file = study / "report.json"
    if report_file.exists():
        found = _load(report_file)
        write(_rendered(found, "text"))
    else:
        write(f"study {study.name} has no answer yet\n")


def stop(cluster: ClusterFile) -> None:
    """End a study after its present trial."""
    folder = study_folder.folder_of(cluster)
    if not lock_holder(folder):
        raise UsageError(f"nobody is tuning {cluster.name}")
    study_folder.stop_path(folder).touch()
    tell("it ends after the present trial, and puts the settings back")


def rollback(cluster: ClusterFile) -> None:
    """Put the cluster back."""
    left = session.rollback(cluster, tell)
    if left:
        raise ServerError("; ".join(left))
    write(f"{cluster.name} is as it was found\n")


def report(cluster: ClusterFile, folder: Path | None, form: str) -> None:
    """Write the report of the last study into a folder, or in one form to stdout."""
    found = _load(study_folder.last_study(study_folder.folder_of(cluster)) / "report.json")
    if folder is None:
        write(_rendered(found, form))
        return
    if form != "text":
        raise UsageError("a folder gets every form", hint="--format without a folder")
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder")
    _save(found, folder)


def _rendered(found: Recommendation, form: str) -> str:
    from advisor.report.tune import html, markdown

    if form == "json":
        return json.dumps(document(found), indent=2) + "\n"
    if form == "text":
        return recommendation_as_text(found, page_for(sys.stdout, Colour.AUTO, 0))
    return html.render(found) if form == "html" else markdown.render(found)


def _load(path: Path) -> Recommendation:
    try:
        return read_document(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise UsageError("the last study has no answer yet", hint="advisor tune resume") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        hint = "`advisor tune resume` writes it anew"
        raise InputError("not a report of this release", file=str(path), hint=hint) from None


def plan(request: Request, form: ListFormat) -> None:
    """What would be done."""
    from advisor.cli.tune.dry_run import plan_as_json, plan_as_text

    found = session.forecast(request, tell)
    page = page_for(sys.stdout, Colour.AUTO, 0)
    write(plan_as_json(found) if form is ListFormat.JSON else plan_as_text(found, page))


def apply(cluster: ClusterFile, yes: bool) -> None:
    """Write what was proved, after a question."""
    study = study_folder.last_study(study_folder.folder_of(cluster))
    found = _load(study / "report.json")
    if not found.chosen:
        raise UsageError("the last study proved nothing better", hint="advisor tune status")
    write(_rendered(found, "text"))
    if not yes and not typer.confirm("Apply this, restarting servers where needed?", default=False):
        raise typer.Exit(ExitCode.NO_IMPROVEMENT)
    session.apply(cluster, found, tell)
    write(f"applied to {cluster.name}; `advisor tune rollback` takes it back\n")


def show_dashboard(cluster: ClusterFile, port: int) -> None:
    """optuna-dashboard on the last study, in its file or its storage."""
    from advisor.tune.state.database import open_storage

    study = study_folder.last_study(study_folder.folder_of(cluster))
    asked = from_data(study_folder.request_of(study), str(study))
    storage = open_storage(asked.storage or f"sqlite:///{study / 'study.db'}", asked.password_file, make=False)
    try:
        from optuna_dashboard import run_server
    except ImportError:
        raise UsageError("optuna-dashboard is not installed", hint="pip install 'advisor[dashboard]'") from None
    tell(f"http://127.0.0.1:{port}/ until Ctrl-C")
    run_server(storage.backend, host="127.0.0.1", port=port)
