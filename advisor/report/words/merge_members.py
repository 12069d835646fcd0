"""Which findings are the same on several members? People read them once; programs get each.

They are findings of one rule with the same message, values and advice; only member and place differ. An option file
that several members share is one place, so its finding too is reported once.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.record import record
from advisor.model.rules import Finding


@record
class MergedFinding:
    """A finding and the members it holds for, in their order; () when it is about the cluster."""

    finding: Finding
    members: tuple[str, ...]


def merge_members(findings: Sequence[Finding]) -> list[MergedFinding]:
    """Findings in their order, each with the members of all findings that are the same."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_identity(finding), []).append(finding)
    return [
        MergedFinding(group[0], tuple(dict.fromkeys(finding.member for finding in group if finding.member)))
        for group in groups.values()
    ]


def _identity(finding: Finding) -> tuple[object, ...]:
    """Everything that is reported, except member and places."""
    return (
        finding.rule.id,
        finding.verdict,
        finding.severity,
        finding.message,
        finding.item if not finding.member else "",
        tuple((fact.name, str(fact.value)) for fact in finding.because),
        tuple((change.name, change.value, change.was, change.releases) for change in finding.changes),
        finding.advice.do if finding.advice else "",
        finding.holds_for,
    )
