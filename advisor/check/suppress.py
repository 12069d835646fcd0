"""Which findings has somebody accepted, for which reason, until when?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch

from advisor.model.options import Suppression
from advisor.model.record import replace
from advisor.model.rules import Finding, Judgement, Rule, Verdict

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def suppress(judgement: Judgement, suppressions: Sequence[Suppression], rules: Iterable[Rule], today: str) -> Judgement:
    """The judgement with accepted findings marked by their reason; they count no more.

    A suppression with a line covers findings that point at that line or rest on a fact from it; without a line
    it covers its file (a name, or a pattern of absolute paths), and without a file everything. `today` is an ISO date.
    One that is out of date, or names no rule, covers nothing and becomes a problem of the judgement.
    """
    known = {rule.id for rule in rules}
    alive = [s for s in suppressions if not _fault(s, known, today)]
    findings = tuple(_marked(finding, judgement, alive) for finding in judgement.findings)
    faults = dict.fromkeys(_faults(suppressions, known, today))
    return replace(judgement, findings=findings, problems=(*judgement.problems, *faults))


def _marked(finding: Finding, judgement: Judgement, alive: Sequence[Suppression]) -> Finding:
    if finding.verdict is not Verdict.FINDING or finding.suppressed:
        return finding
    for suppression in alive:
        if suppression.rule == finding.rule.id and _covers(suppression, finding, judgement):
            return replace(finding, suppressed=suppression.reason or "no reason given")
    return finding


def _covers(suppression: Suppression, finding: Finding, judgement: Judgement) -> bool:
    if suppression.line:
        wanted = f"{suppression.file}:{suppression.line}"
        return wanted in (f"{finding.file}:{finding.line}", *(fact.source for fact in finding.because))
    if not suppression.file:
        return True
    files = {finding.file or judgement.path, judgement.path}
    return any(name == suppression.file or fnmatch(os.path.abspath(name), suppression.file) for name in files)


def _faults(suppressions: Sequence[Suppression], known: set[str], today: str) -> Iterator[str]:
    for suppression in suppressions:
        fault = _fault(suppression, known, today)
        if fault:
            place = f"{suppression.file}:{suppression.line}: " if suppression.line else ""
            yield f"{place}ignoring {suppression.rule} has no effect: {fault}"


def _fault(suppression: Suppression, known: set[str], today: str) -> str:
    if suppression.rule not in known:
        return "there is no such rule"
    if not suppression.until:
        return ""
    if not _ISO_DATE.fullmatch(suppression.until):
        return f"until={suppression.until} is not a date such as 2027-01-31"
    return f"it expired on {suppression.until}" if suppression.until < today else ""
