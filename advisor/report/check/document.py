"""What does the JSON report of `advisor check` contain? The files in schemas/ are made from these dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.rules import Finding, Judgement, Severity, Verdict
from advisor.report.check.missing_evidence import way_to
from advisor.report.words.json_pieces import AdviceGiven, Because, Where, because_of, setting_of, where_of
from advisor.report.words.labels import effects

SCHEMA: Final = "advisor/findings/2"


@dataclass(frozen=True, slots=True)
class Told:
    """One finding. `certain`: it holds for every possible release; else `holds_for` names those it holds for.

    `commands`: the lines of the commands that make the changes in a cloud; [] where settings are not a cloud's.
    """

    rule: str
    verdict: str
    severity: str
    title: str
    message: str
    member: str
    item: str
    because: list[Because]
    where: Where | None
    advice: AdviceGiven | None
    commands: list[str]
    see: list[str]
    certain: bool
    holds_for: list[str]
    suppressed: str | None


@dataclass(frozen=True, slots=True)
class NotJudged:
    """A rule that lacked evidence: the missing names, and how to get each."""

    rule: str
    title: str
    member: str
    missing: list[str]
    get: list[str]


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts: findings that are not suppressed by severity, then verdicts."""

    critical: int
    warning: int
    info: int
    uncertain: int
    suppressed: int
    broken: int
    unknown: int
    clear: int
    not_applicable: int


@dataclass(frozen=True, slots=True)
class Document:
    """The report on one path. `would_start` per release: true, false, or null when it is not known."""

    schema: str
    target: str
    topology: str
    members: list[str]
    releases: list[str]
    inferred: bool
    inference: str
    would_start: dict[str, bool | None]
    findings: list[Told]
    unknown: list[NotJudged]
    problems: list[str]
    summary: Summary


@dataclass(frozen=True, slots=True)
class Documents:
    """What was judged, a document for each path, also where there is only one."""

    schema: str
    reports: list[Document]


def document(judgement: Judgement) -> Document:
    """One judgement as the JSON report has it."""
    findings = [f for f in judgement.findings if f.verdict in (Verdict.FINDING, Verdict.BROKEN)]
    return Document(
        schema=SCHEMA,
        target=judgement.path,
        topology=judgement.topology,
        members=list(judgement.members),
        releases=list(judgement.releases),
        inferred=judgement.inferred,
        inference=judgement.inference,
        would_start=dict(judgement.would_start),
        findings=[_told(finding) for finding in findings],
        unknown=[_not_judged(f) for f in judgement.findings if f.verdict is Verdict.UNKNOWN],
        problems=list(judgement.problems),
        summary=_summary(judgement),
    )


def render(judgements: Sequence[Judgement]) -> str:
    """{"schema", "reports": [document, …]} for one path and for many. UTF-8 text, indented by two."""
    import json

    content = Documents(SCHEMA, [document(judgement) for judgement in judgements])
    text = json.dumps(asdict(content), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _told(finding: Finding) -> Told:
    rule = finding.rule
    return Told(
        rule=rule.id,
        verdict=str(finding.verdict),
        severity=str(finding.severity),
        title=rule.title,
        message=finding.message,
        member=finding.member,
        item=finding.item,
        because=[because_of(fact) for fact in finding.because],
        where=where_of(finding.file, finding.line),
        advice=_advice(finding),
        commands=list(finding.commands),
        see=list(rule.see),
        certain=finding.certain,
        holds_for=list(finding.holds_for),
        suppressed=finding.suppressed or None,
    )


def _advice(finding: Finding) -> AdviceGiven | None:
    advice = finding.advice
    if advice is None:
        return None
    last = effects(finding.changes)
    return AdviceGiven(
        set=[setting_of(change) for change in finding.changes],
        do=advice.do,
        risk=[str(risk) for risk in advice.risk],
        takes_effect=str(last[0]) if last else None,
        costs=advice.costs,
    )


def _not_judged(finding: Finding) -> NotJudged:
    missing = list(finding.missing)
    return NotJudged(
        finding.rule.id, finding.rule.title, finding.member, missing, list(dict.fromkeys(map(way_to, missing)))
    )


def _summary(judgement: Judgement) -> Summary:
    findings = [f for f in judgement.findings if f.verdict is Verdict.FINDING and not f.suppressed]
    of = {severity: sum(f.severity is severity for f in findings) for severity in Severity}
    return Summary(
        critical=of[Severity.CRITICAL],
        warning=of[Severity.WARNING],
        info=of[Severity.INFO],
        uncertain=sum(not f.certain for f in findings),
        suppressed=sum(bool(f.suppressed) for f in judgement.findings),
        broken=judgement.counts.get(Verdict.BROKEN, 0),
        unknown=judgement.counts.get(Verdict.UNKNOWN, 0),
        clear=judgement.counts.get(Verdict.CLEAR, 0),
        not_applicable=judgement.counts.get(Verdict.NOT_APPLICABLE, 0),
    )
