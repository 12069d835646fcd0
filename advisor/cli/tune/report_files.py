"""Where is the report of a study kept, and in which formats is it written?"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from advisor.atomic_write import write_file
from advisor.cli.shared.formats import ReportFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.errors import InputError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import Recommendation
from advisor.report.tune.document import document, read_document
from advisor.report.tune.text import recommendation_as_text
from advisor.tune.state import study_folder

_FILES = {
    "report.json": ReportFormat.JSON,
    "report.md": ReportFormat.MARKDOWN,
    "report.html": ReportFormat.HTML,
}


def last_report(cluster: ClusterFile) -> Recommendation:
    """The recommendation of the last study; UsageError when it has none yet, InputError when it cannot be read."""
    path = study_folder.last_study(study_folder.folder_of(cluster)) / "report.json"
    try:
        return read_document(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise UsageError("the last study has no recommendation yet", hint="advisor tune resume") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        hint = "`advisor tune resume` writes it again"
        raise InputError("not a report of this release", file=str(path), hint=hint) from None


def save_reports(recommendation: Recommendation, folder: Path) -> None:
    """Every format, each in its file of a folder."""
    for name, form in _FILES.items():
        write_file(folder / name, rendered(recommendation, form))


def write_report(cluster: ClusterFile, folder: Path | None, form: ReportFormat) -> None:
    """The last report in every format to a folder, or in one to stdout."""
    recommendation = last_report(cluster)
    if folder is None:
        write(rendered(recommendation, form))
        return
    if form is not ReportFormat.TEXT:
        raise UsageError("--format is for the screen; a folder gets every format", hint="leave out --format")
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    save_reports(recommendation, folder)


def as_text(recommendation: Recommendation) -> str:
    """For people, as wide as the terminal."""
    return recommendation_as_text(recommendation, page_for(sys.stdout, Colour.AUTO, 0))


def rendered(recommendation: Recommendation, form: ReportFormat) -> str:
    """In one format."""
    from advisor.report.tune import html, markdown

    if form is ReportFormat.JSON:
        return json.dumps(document(recommendation), indent=2) + "\n"
    if form is ReportFormat.TEXT:
        return as_text(recommendation)
    return html.render(recommendation) if form is ReportFormat.HTML else markdown.render(recommendation)
