"""What goes into a ticket? A diagnosis as Markdown, the reply to the customer first."""

from __future__ import annotations

from advisor.model.diagnosis import Diagnosis, RankedCause, Side
from advisor.report.words.labels import RISKS
from advisor.report.words.values import printable, show_change


def render(diagnosis: Diagnosis) -> str:
    """The whole report."""
    lines = [f"# `{printable(diagnosis.path)}`", "", *(f"{_escape(line)}" for line in diagnosis.summary), ""]
    if diagnosis.problems:
        lines += [*(f"- {_escape(problem)}" for problem in diagnosis.problems), ""]
    if diagnosis.time_breakdown.shares:
        lines += ["## Where the time goes", "", "| Share | What | Member |", "|---:|---|---|"]
        for share in diagnosis.time_breakdown.shares:
            kind = "" if share.side is Side.CLIENT else " (busy)"
            lines.append(f"| {share.share * 100:.1f} % | {_escape(share.what)}{kind} | {_escape(share.member)} |")
        lines.append("")
    if diagnosis.ceilings:
        lines += ["## Ceilings", "", "| Transactions/s | Limit | Member |", "|---:|---|---|"]
        lines += [
            f"| {each.per_second:.0f} | {_escape(each.ceiling.title)} | {_escape(each.member)} |"
            for each in diagnosis.ceilings
        ]
        lines.append("")
    lines += ["## Causes", ""]
    for candidate in diagnosis.causes:
        lines += _cause(candidate)
    if not diagnosis.causes:
        lines += ["The evidence does not point to any.", ""]
    if diagnosis.next is not None:
        lines += ["## What would settle it", "", _escape(diagnosis.next.need), ""]
        lines += ["```", *diagnosis.next.command.splitlines(), "```"] if diagnosis.next.command else []
    return "\n".join(lines).rstrip() + "\n"


def _cause(candidate: RankedCause) -> list[str]:
    lines = [
        f"### {_escape(candidate.cause.title)}",
        "",
        f"`{candidate.cause.id}`, confidence {candidate.confidence:.2f}",
        "",
    ]
    lines += [f"- {'' if sign.speaks_for else 'against: '}{_escape(sign.says)}" for sign in candidate.signs]
    lines += [
        f"- set `{change.name} = {show_change(change)}`" for change in candidate.changes if change.value is not None
    ]
    if candidate.advice is not None and (candidate.advice.do or candidate.changes):
        lines += [f"- {_escape(candidate.advice.do)}"] if candidate.advice.do else []
        lines += [f"- risk {risk}: {RISKS[risk]}" for risk in candidate.advice.risk]
    if candidate.predicted is not None:
        lines.append(f"- expected: {candidate.predicted.low:.0f} to {candidate.predicted.high:.0f} transactions/s")
    return [*lines, ""]


def _escape(text: str) -> str:
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, "\\" + sign)
    return printable(text)
