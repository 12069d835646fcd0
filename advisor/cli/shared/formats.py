"""In which formats can a report or a list be written? Each command takes the set it has renderers for.

That of `check`, which has to start fast, stands in `advisor/cli/check/output.py`.
"""

from __future__ import annotations

from enum import StrEnum


class ReportFormat(StrEnum):
    """The reports of `why`, `compare`, `tune` and `experiment`."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


class RunFormat(StrEnum):
    """A run of `bench`."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class ListFormat(StrEnum):
    """Lists, states and plans."""

    TEXT = "text"
    JSON = "json"


class MoveFormat(StrEnum):
    """The report of `move`."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
