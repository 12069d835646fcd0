"""Where did the time go? The shares of writers, appliers and devices as bars, with the two checks."""

from __future__ import annotations

from typing import Final

from advisor.model.diagnosis import Side, TimeBreakdown, TimeShare
from advisor.report.charts.bars import Bar, Scale, bars
from advisor.report.charts.figure import number
from advisor.report.html.markup import Safe, tag
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.report.words.values import show_source

_NEGLIGIBLE: Final = 0.005  # half a percent, which is shown as nothing
_ABOUT: Final = {
    Side.CLIENT: "100 % is the time of all writing clients together.",
    Side.APPLIER: "100 % is the time of the applier threads of each member.",
    Side.DEVICE: "The share of time in which at least one thread used the device; these shares do not add up.",
}
_HEADS: Final = {Side.CLIENT: "Writers", Side.APPLIER: "Appliers", Side.DEVICE: "Devices"}


def time_breakdown(breakdown: TimeBreakdown, prose: Prose) -> Safe | None:
    """The section; None when no share is known."""
    if not breakdown.shares:
        return None
    sides = [_side(side, breakdown, prose) for side in Side if any(share.side is side for share in breakdown.shares)]
    return tag("section", tag("h2", "Time by counters", id="budget"), *sides, _states(breakdown))


def _side(side: Side, breakdown: TimeBreakdown, prose: Prose) -> Safe:
    """One card: the shares of every member that has some, on one scale."""
    shares = [share for share in breakdown.shares if share.side is side]
    most = max(1.0, *(share.share for share in shares))
    about = f"{_ABOUT[side]} {_checks(breakdown)}" if side is Side.CLIENT else _ABOUT[side]
    parts = [tag("h3", _HEADS[side]), tag("p", prose(about), class_="quiet")]
    for member in sorted({share.member for share in shares}):
        lines = [_bar(share) for share in shares if share.member == member]
        lines += _unexplained(breakdown) if side is Side.CLIENT else []
        parts += [tag("h4", member), bars(lines, Scale(0.0, most, logarithmic=False))]
    return tag("div", *parts, class_="card")


def _bar(share: TimeShare) -> Bar:
    source = show_source(share.source) if share.source != "derived" else ""
    return Bar(share.what, f"{number(share.share * 100)} %", share.share, source)


def _unexplained(breakdown: TimeBreakdown) -> list[Bar]:
    rest = None if breakdown.explained is None else 1 - breakdown.explained
    if rest is None or rest < _NEGLIGIBLE:
        return []
    return [Bar("not broken down by any counter", f"{number(round(rest * 100, 1))} %", rest, kind="unexplained")]


def _checks(breakdown: TimeBreakdown) -> str:
    """The sum and Little's law, in words."""
    parts = [f"{number(breakdown.clients)} clients"] if breakdown.clients is not None else []
    parts += [f"{number(breakdown.interval_seconds)} s"] if breakdown.interval_seconds else []
    checks = f"{' × '.join(parts)}. " if parts else ""
    if breakdown.explained is not None and breakdown.explained > 1 + _NEGLIGIBLE:
        checks += f"The shares add up to {breakdown.explained:.0%}: some time was counted twice. "
    if breakdown.little is not None:
        checks += f"Little's law accounts for {breakdown.little:.0%} of the clients."
    return checks.strip()


def _states(breakdown: TimeBreakdown) -> Safe | None:
    if not breakdown.states:
        return None
    about = tag("p", "Sampled thread states, which do not depend on the counters above.", class_="quiet")
    title = "State of the writing sessions"
    rows = [(state, f"{share:.0%}") for state, share in breakdown.states]
    states = table(title, (Column(title), Column("Share", Kind.NUMBER)), rows)
    return tag("details", tag("summary", "What the sessions were doing (process lists)"), about, states, class_="card")
