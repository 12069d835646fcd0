"""How do judgements reach the user? Picks the renderer of the form that was asked for, and writes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from advisor.cli.shared.formats import CheckFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.model.rules import Judgement


def present(judgements: Sequence[Judgement], form: CheckFormat, colour: Colour, width: int, verbosity: int) -> None:
    """Write the report to stdout."""
    write(render(judgements, form, colour, width, verbosity))


def render(judgements: Sequence[Judgement], form: CheckFormat, colour: Colour, width: int, verbosity: int) -> str:
    """The report as text in its form; only that form's renderer is imported."""
    if form is CheckFormat.JSON:
        from advisor.report.check import document

        return document.render(judgements)
    if form is CheckFormat.SARIF:
        from advisor.report.check import sarif

        return sarif.render(judgements)
    if form is CheckFormat.MARKDOWN:
        from advisor.report.check import markdown

        return markdown.render(judgements)
    from advisor.report.check import text

    return text.render(judgements, page_for(sys.stdout, colour, width), verbosity=verbosity)
