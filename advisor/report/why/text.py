"""What does somebody read at the terminal who asked "why only 4000 inserts/s"?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import Diagnosis, RankedCause, Side, TimeBreakdown, TimeShare
from advisor.model.server import join_labels
from advisor.report.words.labels import EFFECTS, RISKS, effects
from advisor.report.words.layout import Page
from advisor.report.words.terms import terms_in
from advisor.report.words.values import printable, show_change, show_source
from advisor.units import show

SURE: Final = 0.5
_LEAST: Final = 0.1  # a cause less sure than this is not worth a line
_MOST_NEEDS: Final = 3
_MOST_STATES: Final = 4
_BAR: Final = 24  # columns


def render(diagnosis: Diagnosis, page: Page, *, explain_terms: bool = False) -> str:
    """The diagnosis as text: what was seen, the budget, the ceilings, the causes, what to look at next, a reply."""
    lines = [*_heading(diagnosis, page), *_budget(diagnosis.time_breakdown, page), *_ladder(diagnosis, page)]
    lines += _causes(diagnosis, page)
    lines += _next(diagnosis, page)
    lines += _beside(diagnosis, page)
    lines += ["", page.paint("reply to the customer", "strong"), *page.wrap(" ".join(diagnosis.summary), 2)]
    if explain_terms:
        text = "\n".join(lines)
        lines += ["", page.paint("words", "strong")]
        lines += [line for word, meaning in terms_in(text) for line in page.wrap(f"{word}: {meaning}", 2)]
    return "\n".join(lines) + "\n"


def _heading(diagnosis: Diagnosis, page: Page) -> list[str]:
    members = f"{len(diagnosis.members)} members" if len(diagnosis.members) > 1 else ""
    what = ", ".join(filter(None, (join_labels(diagnosis.releases), diagnosis.topology.replace("_", " "), members)))
    lines = page.wrap(f"{printable(diagnosis.path)}: {what}", 0)
    rate, seconds = diagnosis.throughput_per_second, diagnosis.interval_seconds
    if rate is None:
        seen = "throughput not known"
    else:
        over = f", over {show(round(seconds, 1))} s" if seconds else ", as observed"
        seen = f"{show(round(rate, 1))} transactions/s" + (f" at {diagnosis.writer}" if diagnosis.writer else "") + over
    lines += [page.paint("  " + printable(seen), "strong")]
    return lines + [line for problem in diagnosis.problems for line in page.wrap("note: " + printable(problem), 2)]


def _budget(budget: TimeBreakdown, page: Page) -> list[str]:
    if not budget.shares:
        return []
    clients = f"{show(round(budget.clients, 1))} clients' time" if budget.clients else "clients' time"
    client = [share for share in budget.shares if share.side is Side.CLIENT]
    lines = ["", page.paint(f"where the {clients} goes", "strong")] if client else []
    lines += [_bar(share, page) for share in client]
    if budget.explained is not None:
        left = 1 - budget.explained
        word = "not told apart, mostly work inside statements" if left >= 0 else "counted twice"
        lines.append(f"  {abs(left) * 100:5.1f} %  {word}")
    if budget.little is not None:
        lines += page.wrap(f"check: throughput × latency accounts for {budget.little * 100:.0f} % of the clients", 2)
    if budget.states:
        told = ", ".join(f"{printable(state)} {share * 100:.0f} %" for state, share in budget.states[:_MOST_STATES])
        lines += page.wrap(f"seen in process lists: {told}", 2)
    others = [share for share in budget.shares if share.side is not Side.CLIENT]
    if others:
        lines += ["", page.paint("busy (a share of the time, not of the clients' time)", "strong")]
        lines += [_bar(share, page) for share in others]
    return lines


def _bar(share: TimeShare, page: Page) -> str:
    filled = round(min(1.0, share.share) * _BAR)
    bar = "█" * filled + "·" * (_BAR - filled)
    where = f" [{printable(share.member)}]" if share.side is not Side.CLIENT else ""
    return f"  {share.share * 100:5.1f} %  {bar}  {share.what}{where}"[: max(page.width, 60)]


def _ladder(diagnosis: Diagnosis, page: Page) -> list[str]:
    if not diagnosis.ceilings:
        return []
    rows = [(rung.per_second, f"{rung.ceiling.title} [{printable(rung.member)}]") for rung in diagnosis.ceilings]
    observed = diagnosis.throughput_per_second
    if observed is not None:
        rows.append((observed, "← observed"))
    lines = ["", page.paint("ceilings, transactions/s", "strong")]
    for rate, text in sorted(rows, key=lambda row: -row[0]):
        line = f"  {_rounded(rate):>9}  {text}"
        lines.append(page.paint(line, "strong") if text.startswith("←") else line)
    return lines


def _causes(diagnosis: Diagnosis, page: Page) -> list[str]:
    told = [suspect for suspect in diagnosis.causes if suspect.confidence >= _LEAST]
    if not told:
        return ["", page.paint("causes", "strong"), *page.wrap("nothing speaks for a particular one", 2)]
    sure = any(suspect.confidence >= SURE for suspect in told)
    lines = ["", page.paint("causes" if sure else "candidates; the evidence does not decide", "strong")]
    for number, suspect in enumerate(told, 1):
        lines += _cause(number, suspect, diagnosis, page)
    return lines


def _cause(number: int, suspect: RankedCause, diagnosis: Diagnosis, page: Page) -> list[str]:
    member = f" [{printable(suspect.member)}]" if len(diagnosis.members) > 1 else ""
    head = f"{number}. {suspect.cause.title}{member}"
    sure = f"confidence {suspect.confidence:.2f}"
    lines = [page.paint(line, "warning" if suspect.confidence >= SURE else "faint") for line in page.wrap(head, 2)]
    lines += page.labelled(
        "label", [f"{suspect.cause.id}, {sure}" + (f" ({suspect.limited})" if suspect.limited else "")]
    )
    lines += page.labelled("behind it", [", ".join(suspect.deeper)] if suspect.deeper else [])
    for ground in suspect.signs:
        sources = list(
            dict.fromkeys(show_source(fact.source, diagnosis.path) for fact in ground.because if fact.source)
        )
        text = printable(ground.says) + (f" ({'; '.join(sources[:2])})" if sources else "")
        lines += page.labelled("because" if ground.speaks_for else "against", [text])
    if suspect.confidence >= SURE:
        lines += _advice(suspect, page)
    return [*lines, ""]


def _advice(suspect: RankedCause, page: Page) -> list[str]:
    advice, lines = suspect.advice, []
    rows = [
        (f"{c.name} = {show_change(c)}", f"now {show_change(c, old=True)}" if c.was else "") for c in suspect.changes
    ]
    lines += page.columns("set", rows)
    if advice is not None:
        lines += page.labelled("do", [printable(advice.do)] if advice.do else [])
        lines += page.labelled("risk", [f"{risk}: {RISKS[risk]}" for risk in advice.risk])
        lines += page.labelled("takes effect", [EFFECTS[effect] for effect in effects(suspect.changes)])
        lines += page.labelled("costs", [printable(advice.costs)] if advice.costs else [])
    if suspect.predicted is not None:
        p = suspect.predicted
        lines += page.labelled(
            "expect", [f"{_rounded(p.low)} to {_rounded(p.high)} transactions/s, likely {_rounded(p.mid)}"]
        )
    return lines


def _next(diagnosis: Diagnosis, page: Page) -> list[str]:
    lines: list[str] = []
    if diagnosis.next is not None:
        lines += [page.paint("what would settle it", "strong"), *page.wrap(diagnosis.next.need, 2)]
        lines += [f"    {line}" for line in diagnosis.next.command.splitlines()]
    for need in diagnosis.unknown[:_MOST_NEEDS] if not _is_sure(diagnosis.causes) else ():
        lines += page.wrap(f"not known: {need.need}; get it with", 2)
        lines += [f"    {line}" for line in need.command.splitlines()]
    return lines


def _beside(diagnosis: Diagnosis, page: Page) -> list[str]:
    """Findings on durability, one line each: no cause, but worth knowing."""
    if not diagnosis.durability_findings:
        return []
    lines = ["", page.paint("settings that endanger data; not the cause", "strong")]
    for rule in dict.fromkeys(finding.rule.id for finding in diagnosis.durability_findings):
        found = [finding for finding in diagnosis.durability_findings if finding.rule.id == rule]
        lines += page.wrap(f"{found[0].rule.title} ({rule}; advisor explain {rule})", 2)
    return lines


def _is_sure(suspects: Sequence[RankedCause]) -> bool:
    return any(suspect.confidence >= SURE for suspect in suspects)


def _rounded(rate: float) -> str:
    """Three digits that mean something: 16412 → 16400."""
    digits = max(0, len(str(int(rate))) - 3)
    return f"{round(rate, -digits):.0f}" if rate >= 10 else f"{rate:.2g}"
