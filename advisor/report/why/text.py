"""What does somebody read at the terminal who asked "why only 4000 inserts/s"?"""

from __future__ import annotations

from typing import Final

from advisor.model.diagnosis import Diagnosis, Side, TimeBreakdown, TimeShare
from advisor.model.server import join_labels
from advisor.report.why.cause_text import hypotheses_lines, rounded
from advisor.report.why.hypotheses import is_answer
from advisor.report.why.profile_text import profile_lines
from advisor.report.words.layout import Page
from advisor.report.words.terms import terms_in
from advisor.report.words.values import printable
from advisor.units import show

_MOST_MISSING: Final = 3
_MOST_STATES: Final = 4
_LEAST_STATE_SHARE: Final = 0.005  # it would be shown as 0 %
_BAR: Final = 24  # columns


def render(diagnosis: Diagnosis, page: Page, *, explain_terms: bool = False) -> str:
    """The diagnosis as text: the reply, where time went, the causes, ceilings, and what is not known."""
    lines = _heading(diagnosis, page)
    if diagnosis.summary:
        reply = printable(" ".join(diagnosis.summary))
        lines += ["", page.paint("reply to the customer", "strong"), *page.wrap(reply, 2)]
    lines += [*profile_lines(diagnosis.profile, page), *hypotheses_lines(diagnosis, page)]
    lines += [*_ceilings(diagnosis, page), *_time_breakdown(diagnosis.time_breakdown, page)]
    lines += [*_missing(diagnosis, page), *_durability_findings(diagnosis, page)]
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
        clients = f"{breakdown.little * 100:.0f} % of the clients"
        lines += page.wrap(f"cross-check: throughput × latency accounts for {clients}", 2)
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
        line = f"  {rounded(rate):>9}  {text}"
        lines.append(page.paint(line, "strong") if text.startswith("←") else line)
    return lines


def _missing(diagnosis: Diagnosis, page: Page) -> list[str]:
    """Evidence that is missing, where no cause is an answer."""
    if any(is_answer(cause) for cause in diagnosis.causes) or not diagnosis.unknown:
        return []
    lines = ["", page.paint("not known", "strong")]
    for missing in diagnosis.unknown[:_MOST_MISSING]:
        lines += page.wrap(f"{missing.need}; to get it:", 2)
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
