"""In which formats can a report or a list be written? Each command takes the set it has renderers for."""

from __future__ import annotations

from enum import StrEnum


class CheckFormat(StrEnum):
    """The report of `check`."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    MARKDOWN = "markdown"


class ReportFormat(StrEnum):
    """The reports of `why`, `tune` and `experiment`."""

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
