"""What does a GitHub Actions runner read? Workflow commands, which it shows beside the lines of a change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from advisor.model.rules import Finding, Judgement, Severity, Verdict
from advisor.report.check.markdown import advice_lines
from advisor.report.words.labels import summary
from advisor.report.words.values import file_of, place, printable

_COMMANDS: Final = {Severity.CRITICAL: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(judgements: Sequence[Judgement]) -> str:
    """One command per finding, and a line with the counts per path, which the runner keeps in its log.

    A finding that holds for only some of the possible releases is a notice: it does not change the exit code either.
    See https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
    """
    lines: list[str] = []
    for judgement in judgements:
        lines += [_command(judgement, f) for f in judgement.findings if _is_reported(f)]
        lines.append(f"advisor: {place(judgement.path)}: {printable(summary(judgement))}")
    return "".join(f"{line}\n" for line in lines)


def _is_reported(finding: Finding) -> bool:
    return finding.verdict in (Verdict.FINDING, Verdict.BROKEN) and not finding.suppressed


def _command(judgement: Judgement, finding: Finding) -> str:
    broken = finding.verdict is Verdict.BROKEN
    word = "error" if broken else _COMMANDS[finding.severity] if finding.certain else "notice"
    text = "\n".join([finding.message or finding.rule.title, *([] if broken else advice_lines(finding, judgement))])
    if finding.member and len(judgement.members) > 1:
        text = f"{finding.member}: {text}"
    properties = [f"file={_property(_in_repository(finding.file or file_of(judgement.path)))}"]
    properties += [f"line={finding.line}"] if finding.line else []
    properties.append(f"title={_property(finding.rule.id)}")
    return f"::{word} {','.join(properties)}::{_data(printable(text))}"


def _in_repository(file: str) -> str:
    """The file as the runner wants it: below the folder that was checked out, else as it is shown elsewhere."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    near = os.path.relpath(file, workspace) if workspace and file else ".."
    return place(file) if near.startswith("..") else printable(near)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
