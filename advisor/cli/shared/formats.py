"""How can a report be written?"""

from __future__ import annotations

from enum import StrEnum


class Form(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    MARKDOWN = "markdown"
