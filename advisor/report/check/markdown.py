"""What goes into a ticket? Findings as Markdown: an overview table, then one section each."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.rules import Finding, Judgement, Verdict
from advisor.model.server import join_labels
from advisor.report.check.missing_evidence import needs
from advisor.report.words.labels import EFFECTS, RISKS, effects, holds_for, only_in, summary, would_start
from advisor.report.words.merge_members import MergedFinding, merge_members
from advisor.report.words.table import escape, markdown_table
from advisor.report.words.values import place, printable, show_change, show_fact, show_source


def render(judgements: Sequence[Judgement]) -> str:
    """All judgements, one after the other."""
    return "\n".join(line for judgement in judgements for line in [*_judgement(judgement), ""]).rstrip() + "\n"


def _judgement(judgement: Judgement) -> list[str]:
    findings = [f for f in judgement.findings if f.verdict in (Verdict.BROKEN, Verdict.FINDING) and not f.suppressed]
    lines = [f"# `{printable(judgement.path)}`", ""]
    judged = judgement.inference if judgement.inferred else f"Judged for {join_labels(judgement.releases)}."
    lines += [escape(judged), ""] if judged else []
    start = would_start(judgement.would_start)
    lines += [f"**{escape(start[:1].upper() + start[1:])}.**", ""] if start else []
    lines += [f"- {escape(problem)}" for problem in judgement.problems]
    if findings:
        merged = merge_members(findings)
        lines += [*markdown_table(("", "Rule", "Finding", "Where"), [_row(finding) for finding in merged]), ""]
        for finding in merged:
            lines += _section(finding.finding, judgement)
    unknown = needs(f for f in judgement.findings if f.verdict is Verdict.UNKNOWN)
    if unknown:
        lines += ["## Not judged: evidence is missing", ""]
        lines += [f"- {escape(need.way.text)}: {', '.join(f'`{rule}`' for rule in need.rules)}" for need in unknown]
        lines += [""]
    return [*lines, f"{escape(summary(judgement))}."]


def _row(merged: MergedFinding) -> tuple[str, ...]:
    finding = merged.finding
    where = f"`{place(finding.file, finding.line)}`" if finding.file else ", ".join(map(escape, merged.members))
    return _word(finding), f"`{finding.rule.id}`", escape(finding.message or finding.rule.title), where


def _word(finding: Finding) -> str:
    return "broken" if finding.verdict is Verdict.BROKEN else str(finding.severity)


def _section(finding: Finding, judgement: Judgement) -> list[str]:
    lines = [f"## {escape(finding.rule.title)}", "", escape(finding.message), ""]
    lines += [
        f"- `{show_fact(fact)}`" + (f" ({escape(show_source(fact.source))})" if fact.source else "")
        for fact in finding.because
    ]
    lines += ["", escape(finding.rule.why), ""] if finding.rule.why else [""]
    lines += [f"- {escape(line)}" for line in advice_lines(finding, judgement)]
    lines += ["", "```sh", *finding.commands, "```", ""] if finding.commands else []
    lines += [f"- See {link}" for link in finding.rule.see]
    return [*lines, ""]


def advice_lines(finding: Finding, judgement: Judgement) -> list[str]:
    """What to change, its risk and costs, and where the finding holds when that is not certain; a sentence each."""
    lines = [
        f"Remove {change.name}{only_in(change)}."
        if change.value is None
        else f"Set {change.name} = {show_change(change)}{only_in(change)}."
        for change in finding.changes
    ]
    advice = finding.advice
    if advice is not None:
        lines += [advice.do] if advice.do else []
        if finding.changes or advice.do:
            lines += [f"Risk {risk}: {RISKS[risk]}." for risk in advice.risk]
        lines += [f"Takes effect {EFFECTS[effect]}." for effect in effects(finding.changes)]
        lines += [f"Costs: {advice.costs}"] if advice.costs else []
    if not finding.certain:
        lines.append(f"Holds for {holds_for(finding.holds_for, judgement.releases)}.")
    return lines
