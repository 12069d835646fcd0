"""How do judgements reach the user: as a report in the format asked for, and as an exit code?"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum

from advisor.annotations import TYPE_CHECKING, Final
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.model.record import record
from advisor.model.rules import Finding, Judgement, Severity, Verdict
from advisor.report.words.layout import Page

if TYPE_CHECKING:
    from pathlib import Path


class CheckFormat(StrEnum):
    """The report of `check`."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    MARKDOWN = "markdown"
    GITHUB = "github"
    HTML = "html"


_COLUMNS_OF_A_FILE: Final = 80


class FailOn(StrEnum):
    """The lowest severity that makes the exit code 1."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"
    NEVER = "never"


@record
class Presentation:
    """How the report is written. `verbosity` is -1 for --quiet, 1 for --verbose; `width` 0: the terminal's.

    `output` is the file that gets the report; None: stdout.
    """

    form: CheckFormat = CheckFormat.TEXT
    colour: Colour = Colour.AUTO
    width: int = 0
    verbosity: int = 0
    output: Path | None = None


def write_report(judgements: Sequence[Judgement], presentation: Presentation) -> None:
    """Write the report to stdout or its file; only the renderer of its format is imported."""
    if presentation.output is None:
        write(_render(judgements, presentation))
        return
    from advisor.cli.check.report_file import refuse_input_as_output, write_report_file

    refuse_input_as_output(presentation.output, [file for j in judgements for file in (j.path, *j.files)])
    write_report_file(presentation.output, _render(judgements, presentation))


def _render(judgements: Sequence[Judgement], presentation: Presentation) -> str:
    if presentation.form is CheckFormat.JSON:
        from advisor.report.check import document

        return document.render(judgements)
    if presentation.form is CheckFormat.SARIF:
        from advisor.report.check import sarif

        return sarif.render(judgements)
    if presentation.form is CheckFormat.MARKDOWN:
        from advisor.report.check import markdown

        return markdown.render(judgements)
    if presentation.form is CheckFormat.GITHUB:
        from advisor.report.check import github

        return github.render(judgements)
    from advisor.report.check import text

    page = page_for(sys.stdout, presentation.colour, presentation.width)
    if presentation.output is not None:
        page = Page(presentation.width or _COLUMNS_OF_A_FILE, presentation.colour is Colour.ALWAYS)
    return text.render(judgements, page, verbosity=presentation.verbosity)


def exit_code(judgements: Iterable[Judgement], fail_on: FailOn, *, strict: bool = False) -> ExitCode:
    """RULE_BROKEN when a rule failed, FINDINGS when a finding counts, else OK.

    A finding counts at or above `fail_on` when it holds for every possible release. `strict`: findings that hold for
    some of the releases count too, and so does every rule that could not be judged.
    """
    findings = [finding for judgement in judgements for finding in judgement.findings]
    if any(finding.verdict is Verdict.BROKEN for finding in findings):
        return ExitCode.RULE_BROKEN
    if fail_on is FailOn.NEVER:
        return ExitCode.OK
    counted = any(_counts(finding, fail_on, strict) for finding in findings)
    return ExitCode.FINDINGS if counted else ExitCode.OK


def _counts(finding: Finding, fail_on: FailOn, strict: bool) -> bool:
    if finding.suppressed:
        return False
    if finding.verdict is Verdict.UNKNOWN:
        return strict
    order = list(Severity)
    return (finding.certain or strict) and order.index(finding.severity) >= order.index(Severity(fail_on))
