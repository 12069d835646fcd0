"""Which findings say the same of several members? People read them once; programs get each.

Alike are findings of one rule with the same words, values and advice; only the member and the places differ. An
option file that several members share is one place, and its finding too is said once.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.record import record
from advisor.model.rules import Finding


@record
class Told:
    """A finding as it is told, and the members it holds for, in their order; () when it is about the cluster."""

    finding: Finding
    members: tuple[str, ...]


def told_once(findings: Sequence[Finding]) -> list[Told]:
    """Findings in their order, each with the members of all that are alike."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_words(finding), []).append(finding)
    return [Told(group[0], tuple(dict.fromkeys(f.member for f in group if f.member))) for group in groups.values()]


def _words(finding: Finding) -> tuple[object, ...]:
    """All that is told but for the member and the places."""
    return (
        finding.rule.id,
        finding.verdict,
        finding.severity,
        finding.message,
        finding.item if not finding.member else "",
        tuple((fact.name, str(fact.value)) for fact in finding.because),
        tuple((change.name, change.value, change.was) for change in finding.changes),
        finding.advice.do if finding.advice else "",
        finding.holds_for,
    )
