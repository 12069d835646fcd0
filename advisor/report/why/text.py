"""What does somebody read at the terminal who asked "why only 4000 inserts/s"?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import SURE, Diagnosis, RankedCause, Side, TimeBreakdown, TimeShare
from advisor.model.server import join_labels
from advisor.report.why.profile_text import profile_lines
from advisor.report.words.labels import EFFECTS, RISKS, effects
from advisor.report.words.layout import Page
from advisor.report.words.terms import terms_in
from advisor.report.words.values import printable, show_change, show_source
from advisor.units import show

_LEAST: Final = 0.1  # a cause less likely than this is not worth a line
_MOST_MISSING: Final = 3
_MOST_STATES: Final = 4
_LEAST_STATE_SHARE: Final = 0.005  # it would be shown as 0 %
_BAR: Final = 24  # columns


def render(diagnosis: Diagnosis, page: Page, *, explain_terms: bool = False) -> str:
    """The diagnosis as text: rate, where time went, ceilings, causes, what to look at next, and a reply."""
    lines = [*_heading(diagnosis, page), *profile_lines(diagnosis.profile, page)]
    lines += [*_time_breakdown(diagnosis.time_breakdown, page), *_ceilings(diagnosis, page)]
    lines += _causes(diagnosis, page)
    lines += _next(diagnosis, page)
    lines += _durability_findings(diagnosis, page)
    lines += ["", page.paint("reply to the customer", "strong"), *page.wrap(" ".join(diagnosis.summary), 2)]
    if explain_terms:
        text = "\n".join(lines)
        lines += ["", page.paint("terms", "strong")]
        lines += [line for word, meaning in terms_in(text) for line in page.wrap(f"{word}: {meaning}", 2)]
    return "\n".join(lines) + "\n"


def _heading(diagnosis: Diagnosis, page: Page) -> list[str]:
    members = f"{len(diagnosis.members)} members" if len(diagnosis.members) > 1 else ""
    cluster = ", ".join(filter(None, (join_labels(diagnosis.releases), diagnosis.topology.replace("_", " "), members)))
    lines = page.wrap(f"{printable(diagnosis.path)}: {cluster}", 0)
    rate, seconds = diagnosis.throughput_per_second, diagnosis.interval_seconds
    if rate is None:
        measured = "throughput not known"
    else:
        over = f", over {show(round(seconds, 1))} s" if seconds else ", as observed"
        member = f" at {diagnosis.writer}" if diagnosis.writer else ""
        measured = f"{show(round(rate, 1))} transactions/s{member}{over}"
    lines += [page.paint("  " + printable(measured), "strong")]
    return lines + [line for problem in diagnosis.problems for line in page.wrap("note: " + printable(problem), 2)]


def _time_breakdown(breakdown: TimeBreakdown, page: Page) -> list[str]:
    if not breakdown.shares:
        return []
    client_shares = [share for share in breakdown.shares if share.side is Side.CLIENT]
    lines = ["", page.paint(f"where the {_clients_time(breakdown.clients)} goes", "strong")] if client_shares else []
    lines += [_bar(share, page) for share in client_shares]
    if breakdown.explained is not None:
        rest = 1 - breakdown.explained
        lines.append(f"  {abs(rest) * 100:5.1f} %  {_rest(breakdown) if rest >= 0 else 'counted twice'}")
    if breakdown.little is not None:
        lines += page.wrap(f"check: throughput × latency accounts for {breakdown.little * 100:.0f} % of the clients", 2)
    states = [(state, share) for state, share in breakdown.states[:_MOST_STATES] if share >= _LEAST_STATE_SHARE]
    if states:
        shown = ", ".join(f"{printable(state)} {share * 100:.0f} %" for state, share in states)
        lines += page.wrap(f"in the process lists: {shown}", 2)
    others = [share for share in breakdown.shares if share.side is not Side.CLIENT]
    if others:
        lines += ["", page.paint("busy (a share of elapsed time, not of the clients' time)", "strong")]
        lines += [_bar(share, page) for share in others]
    return lines


def _clients_time(clients: float | None) -> str:
    """Whose time it is: 1 → "client's time", 64 → "time of 64 clients"."""
    if not clients:
        return "clients' time"
    return "client's time" if clients == 1 else f"time of {show(round(clients, 1))} clients"


def _rest(breakdown: TimeBreakdown) -> str:
    """What the time that no counter explains was; the process lists may contradict that it was work."""
    idle = dict(breakdown.states).get("idle", 0.0)
    return f"not broken down, mostly {'idle' if idle > 1 / 2 else 'work inside statements'}"


def _bar(share: TimeShare, page: Page) -> str:
    filled = round(min(1.0, share.share) * _BAR)
    bar = "█" * filled + "·" * (_BAR - filled)
    member = f" [{printable(share.member)}]" if share.side is not Side.CLIENT else ""
    return f"  {share.share * 100:5.1f} %  {bar}  {share.what}{member}"[: max(page.width, 60)]


def _ceilings(diagnosis: Diagnosis, page: Page) -> list[str]:
    if not diagnosis.ceilings:
        return []
    rows = [(each.per_second, f"{each.ceiling.title} [{printable(each.member)}]") for each in diagnosis.ceilings]
    observed = diagnosis.throughput_per_second
    if observed is not None:
        rows.append((observed, "← observed"))
    lines = ["", page.paint("ceilings, transactions/s", "strong")]
    for rate, text in sorted(rows, key=lambda row: -row[0]):
        line = f"  {_rounded(rate):>9}  {text}"
        lines.append(page.paint(line, "strong") if text.startswith("←") else line)
    return lines


def _causes(diagnosis: Diagnosis, page: Page) -> list[str]:
    candidates = [candidate for candidate in diagnosis.causes if candidate.confidence >= _LEAST]
    if not candidates:
        return ["", page.paint("causes", "strong"), *page.wrap("the evidence does not point to any", 2), ""]
    heading = "causes" if _any_sure(candidates) else "candidates; the evidence is inconclusive"
    lines = ["", page.paint(heading, "strong")]
    for number, candidate in enumerate(candidates, 1):
        lines += _cause(number, candidate, diagnosis, page)
    return lines


def _cause(number: int, candidate: RankedCause, diagnosis: Diagnosis, page: Page) -> list[str]:
    member = f" [{printable(candidate.member)}]" if len(diagnosis.members) > 1 else ""
    sure = candidate.confidence >= SURE
    heading = page.wrap(f"{number}. {candidate.cause.title}{member}", 2)
    lines = [page.paint(line, "warning" if sure else "faint") for line in heading]
    limited = f" ({candidate.limited})" if candidate.limited else ""
    lines += page.labelled("cause", [f"{candidate.cause.id}, confidence {candidate.confidence:.2f}{limited}"])
    lines += page.labelled("symptom of", [", ".join(candidate.deeper)] if candidate.deeper else [])
    for sign in candidate.signs:
        places = (show_source(fact.source, diagnosis.path) for fact in sign.because if fact.source)
        sources = "; ".join(list(dict.fromkeys(places))[:2])
        text = printable(sign.says) + (f" ({sources})" if sources else "")
        lines += page.labelled("because" if sign.speaks_for else "against", [text])
    if sure:
        lines += _advice(candidate, page)
    return [*lines, ""]


def _advice(candidate: RankedCause, page: Page) -> list[str]:
    advice, lines = candidate.advice, []
    rows = [
        (f"{change.name} = {show_change(change)}", f"now {show_change(change, old=True)}" if change.was else "")
        for change in candidate.changes
    ]
    lines += page.columns("set", rows)
    if advice is not None and (advice.do or candidate.changes):
        lines += page.labelled("do", [printable(advice.do)] if advice.do else [])
        lines += page.labelled("risk", [f"{risk}: {RISKS[risk]}" for risk in advice.risk])
        lines += page.labelled("takes effect", [EFFECTS[effect] for effect in effects(candidate.changes)])
        lines += page.labelled("costs", [printable(advice.costs)] if advice.costs else [])
    if candidate.predicted is not None:
        low, mid, high = (
            _rounded(rate) for rate in (candidate.predicted.low, candidate.predicted.mid, candidate.predicted.high)
        )
        lines += page.labelled("expect", [f"{low} to {high} transactions/s, most likely {mid}"])
    return lines


def _next(diagnosis: Diagnosis, page: Page) -> list[str]:
    lines: list[str] = []
    if diagnosis.next is not None:
        lines += [page.paint("what would settle it", "strong"), *page.wrap(diagnosis.next.need, 2)]
        lines += [f"    {line}" for line in diagnosis.next.command.splitlines()]
    for missing in diagnosis.unknown[:_MOST_MISSING] if not _any_sure(diagnosis.causes) else ():
        lines += page.wrap(f"not known: {missing.need}; to get it:", 2)
        lines += [f"    {line}" for line in missing.command.splitlines()]
    return lines


def _durability_findings(diagnosis: Diagnosis, page: Page) -> list[str]:
    """One line for each rule: not a cause, but worth knowing."""
    rules = {finding.rule.id: finding.rule for finding in diagnosis.durability_findings}
    if not rules:
        return []
    lines = ["", page.paint("settings that endanger data (not the cause)", "strong")]
    for rule in rules.values():
        lines += page.wrap(f"{rule.title} ({rule.id}; see advisor explain {rule.id})", 2)
    return lines


def _any_sure(causes: Sequence[RankedCause]) -> bool:
    return any(candidate.confidence >= SURE for candidate in causes)


def _rounded(rate: float) -> str:
    """Three significant digits: 16412 → 16400."""
    digits = max(0, len(str(int(rate))) - 3)
    return f"{round(rate, -digits):.0f}" if rate >= 10 else f"{rate:.2g}"
