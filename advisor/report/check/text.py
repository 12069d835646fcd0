"""What does a DBA read at the terminal?"""

from __future__ import annotations

import os
from collections.abc import Sequence

from advisor.annotations import Final
from advisor.model.evidence import Fact
from advisor.model.rules import Change, Finding, Judgement, Verdict
from advisor.model.server import join_labels
from advisor.report.check.missing_evidence import needs
from advisor.report.words.labels import EFFECTS, RISKS, effects, holds_for, only_in, summary, would_start
from advisor.report.words.layout import Page
from advisor.report.words.merge_members import MergedFinding, merge_members
from advisor.report.words.values import near, place, printable, show_change, show_fact, show_source

MOST_WAYS: Final = 5  # to more evidence
_IN_THE_HEADING: Final = ("version", "family", "vendor")  # the heading names the release


def render(judgements: Sequence[Judgement], page: Page, *, verbosity: int = 0) -> str:
    """All judgements as text. `verbosity` -1: findings only; 1: also what lacked evidence or is suppressed."""
    lines: list[str] = []
    for judgement in judgements:
        block = _judgement(judgement, page, verbosity)
        lines += ["", *block] if lines and block else block
    return "\n".join(lines) + "\n" if lines else ""


def _judgement(judgement: Judgement, page: Page, verbosity: int) -> list[str]:
    findings = [f for f in judgement.findings if f.verdict is Verdict.FINDING and not f.suppressed]
    broken = [f for f in judgement.findings if f.verdict is Verdict.BROKEN]
    if verbosity < 0 and not findings and not broken:
        return []
    lines = _heading(judgement, page, verbosity)
    for merged in merge_members((*broken, *findings)):
        lines += ["", *show_finding(merged, judgement, page)]
    if verbosity < 0:
        return lines
    lines += _unknown(judgement, page, verbosity)
    if verbosity > 0:
        lines += _suppressed([f for f in judgement.findings if f.suppressed], page)
    return [*lines, "", *page.wrap(summary(judgement), 0)]


def _heading(judgement: Judgement, page: Page, verbosity: int) -> list[str]:
    name = printable(judgement.path)
    subject = [join_labels(judgement.releases) if not judgement.inferred else "", judgement.topology.replace("_", " ")]
    members = len(judgement.members)
    subject.append(f"{members} members" if members > 1 else "")
    first, *rest = page.wrap(f"{name}: {', '.join(filter(None, subject)) or 'release not stated'}", 0)
    lines = [page.paint(name, "strong") + first[len(name) :] if first.startswith(name) else first, *rest]
    if judgement.inferred and judgement.inference:
        lines += page.wrap(judgement.inference, 2)
    start = would_start(judgement.would_start)
    lines += [page.paint(line, "critical") for line in page.wrap(start, 2)] if start else []
    for problem in judgement.problems:
        lines += page.wrap("note: " + printable(problem), 2)
    files = judgement.files if verbosity > 0 else ()
    lines += [line for file in files for line in page.wrap(f"read: {place(file)}", 2)]
    return lines


def _head(merged: MergedFinding, judgement: Judgement, page: Page) -> list[str]:
    """Severity, rule and members on the left, the place on the right, or below if there is no room."""
    finding = merged.finding
    word = "broken" if finding.verdict is Verdict.BROKEN else str(finding.severity)
    where = near(finding.file, finding.line, judgement.path)
    own = f"{printable(os.path.basename(finding.file))}:{finding.line}" if where.startswith("line ") else where
    alone = len(judgement.members) < 2 or finding.rule.scope == "cluster"
    members = f" [{printable(', '.join(merged.members))}]" if merged.members and not alone else ""
    title = f"{word.upper():8}  {finding.rule.id}{members}"
    where = own if page.width - len(title) - len(own) >= 2 else where
    gap = page.width - len(title) - len(where)
    if not where or gap >= 2:
        return [page.paint(title, word) + (" " * gap + page.paint(where, "faint") if where else "")]
    return [page.paint(title, word), *(page.paint(line, "faint") for line in page.wrap(where, 2))]


def show_finding(merged: MergedFinding, judgement: Judgement, page: Page) -> list[str]:
    """One finding with its evidence (on its first member), what to change, and what that costs."""
    finding = merged.finding
    broken = finding.verdict is Verdict.BROKEN
    lines = _head(merged, judgement, page)
    lines += page.wrap(printable(finding.message or finding.rule.title), 2)
    about = judgement.path
    lines += page.columns("because", _because(finding.because, about))
    lines += _changes(finding.changes, about, page)
    advice = finding.advice
    if advice is not None:
        lines += page.labelled("do", [printable(advice.do)] if advice.do else [])
        if finding.changes or advice.do:
            lines += page.labelled("risk", [f"{risk}: {RISKS[risk]}" for risk in advice.risk])
        lines += page.labelled("takes effect", [EFFECTS[effect] for effect in effects(finding.changes)])
        lines += page.labelled("costs", [printable(advice.costs)] if advice.costs else [])
        lines += page.labelled("command", [printable(line) for line in finding.commands])
    if not finding.certain and not broken:
        lines += page.labelled("holds for", [holds_for(finding.holds_for, judgement.releases)])
    return lines


def _because(facts: Sequence[Fact], about: str) -> list[tuple[str, str]]:
    """The facts with their sources; yes-or-no facts share one row."""
    simple = [f for f in facts if isinstance(f.value, bool) and f.name.startswith("fact.")]
    shown = {show_fact(fact) for fact in facts}
    rows = [
        (show_fact(fact), show_source(fact.source, about))
        for fact in facts
        if fact not in simple
        and fact.name not in _IN_THE_HEADING
        and not (isinstance(fact.value, str) and fact.value in shown)
    ]
    words = [("" if fact.value else "not ") + fact.name.removeprefix("fact.") for fact in simple]
    return [*rows, (", ".join(words), "")] if words else rows


def _changes(changes: Sequence[Change], about: str, page: Page) -> list[str]:
    new_values = [
        (f"{c.name} = {show_change(c)}" + (f" (now {show_change(c, old=True)})" if c.was else "") + only_in(c), c)
        for c in changes
        if c.value is not None
    ]
    removed = [(printable(c.name) + only_in(c), c) for c in changes if c.value is None]
    rows = [
        [(text, show_source(f"{c.file}:{c.line}", about) if c.file else "") for text, c in p]
        for p in (new_values, removed)
    ]
    return page.columns("set", rows[0]) + page.columns("remove", rows[1])


def _unknown(judgement: Judgement, page: Page, verbosity: int) -> list[str]:
    """The ways to more evidence, and the command that uses the files they create."""
    unknown = [finding for finding in judgement.findings if finding.verdict is Verdict.UNKNOWN]
    if not unknown:
        return []
    rules = {finding.rule.id for finding in unknown}
    plural = "s" if len(rules) > 1 else ""
    count = f"{len(rules)} rule{plural} could not be judged; ways to get the evidence:"
    lines = ["", *(page.paint(line, "strong") for line in page.wrap(count, 0))]
    ways = needs(unknown, running=judgement.running)
    shown = ways if verbosity > 0 else ways[:MOST_WAYS]
    for need in shown:
        first, *rest = page.wrap(need.way.text, 7)
        lines += [f"{len(need.rules):5}  {first.lstrip()}", *rest]
        if verbosity > 0:
            detail = page.wrap(f"{', '.join(need.rules)} (needs {', '.join(need.names)})", 7)
            lines += [page.paint(line, "faint") for line in detail]
    if len(ways) > len(shown):
        lines.append(f"       and {len(ways) - len(shown)} more; -v shows them")
    files = " ".join(dict.fromkeys(file for need in shown for file in need.way.files))
    if files and len(judgement.members) == 1 and not judgement.running:
        first, *rest = page.wrap(_then(judgement.path, files), 7)
        lines += [f" then  {first.lstrip()}", *rest]
    return lines


def _then(path: str, files: str) -> str:
    """What uses the files."""
    if os.path.isdir(path):
        return f"put {files} into {printable(path)}, and run advisor check {printable(path)}"
    return f"advisor check {printable(path)} {files} --together"


def _suppressed(suppressed: Sequence[Finding], page: Page) -> list[str]:
    lines = ["", page.paint("suppressed:", "strong")] if suppressed else []
    for finding in suppressed:
        where = place(finding.file, finding.line)
        lines += page.wrap(f"{finding.rule.id} {where}: {printable(finding.suppressed)}", 2)
    return lines
