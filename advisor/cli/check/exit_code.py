"""Which exit code do judgements give?"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from advisor.cli.shared.exit_code import ExitCode
from advisor.model.rules import Finding, Judgement, Severity, Verdict


class FailOn(StrEnum):
    """The weakest severity that makes the exit code 1."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"
    NEVER = "never"


def exit_code(judgements: Iterable[Judgement], fail_on: FailOn, *, strict: bool = False) -> ExitCode:
    """3 when a rule broke, 1 when a finding counts, else 0.

    A finding counts at or above `fail_on` when it holds for every possible release. `strict`: one that holds for
    some of them counts too, and so does every rule that could not be judged.
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
