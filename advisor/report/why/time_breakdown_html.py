"""Where did the time go? The shares of writers, appliers and devices as bars, and the two checks beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import Side, TimeBreakdown, TimeShare
from advisor.report.charts.bars import Bar, Scale, bars
from advisor.report.charts.figure import number
from advisor.report.html.markup import Safe, tag
from advisor.report.html.prose import Prose
from advisor.report.words.values import show_source

_NEGLIGIBLE: Final = 0.005  # half a percent, which is shown as nothing
_ABOUT: Final = {
    Side.CLIENT: "The time of all writing clients together is 100 %.",
    Side.APPLIER: "The time of the applying threads of each member is 100 %.",
    Side.DEVICE: "How much of the time at least one thread used it; these do not add up with anything.",
}
_HEADS: Final = {Side.CLIENT: "Writers", Side.APPLIER: "Appliers", Side.DEVICE: "Devices"}


def budget(found: TimeBreakdown, prose: Prose) -> Safe | None:
    """The section; None when no share is known."""
    if not found.shares:
        return None
    sides = [_side(side, found, prose) for side in Side if any(share.side is side for share in found.shares)]
    return tag("section", tag("h2", "Where the time goes", id="budget"), *sides, _states(found))


def _side(side: Side, found: TimeBreakdown, prose: Prose) -> Safe:
    """One card: the shares of every member that has some, on one scale."""
    shares = [share for share in found.shares if share.side is side]
    most = max(1.0, *(share.share for share in shares))
    said = f"{_ABOUT[side]} {_checked(found)}" if side is Side.CLIENT else _ABOUT[side]
    parts = [tag("h3", _HEADS[side]), tag("p", prose(said), class_="quiet")]
    for member in sorted({share.member for share in shares}):
        lines = [_bar(share) for share in shares if share.member == member]
        lines += _unexplained(found) if side is Side.CLIENT else []
        parts += [tag("h4", member), bars(lines, Scale(0.0, most, logarithmic=False))]
    return tag("div", *parts, class_="card")


def _bar(share: TimeShare) -> Bar:
    source = show_source(share.source) if share.source != "derived" else ""
    return Bar(share.what, f"{number(share.share * 100)} %", share.share, source)


def _unexplained(found: TimeBreakdown) -> list[Bar]:
    rest = None if found.explained is None else 1 - found.explained
    if rest is None or rest < _NEGLIGIBLE:
        return []
    return [Bar("not explained by any counter", f"{number(round(rest * 100, 1))} %", rest, kind="unexplained")]


def _checked(found: TimeBreakdown) -> str:
    """The sum and Little's law, in words."""
    parts = [f"{number(found.clients)} clients"] if found.clients is not None else []
    parts += [f"{number(found.interval_seconds)} s"] if found.interval_seconds else []
    said = f"{' × '.join(parts)}. " if parts else ""
    if found.explained is not None and found.explained > 1 + _NEGLIGIBLE:
        said += f"The shares add up to {found.explained:.0%}: some of that time was counted twice. "
    if found.little is not None:
        said += f"Little's law accounts for {found.little:.0%} of the clients."
    return said.strip()


def _states(found: TimeBreakdown) -> Safe | None:
    if not found.states:
        return None
    rows = _rows(found.states)
    head = tag(
        "tr", tag("th", "State of the writing sessions", scope="col"), tag("th", "Share", scope="col", class_="n")
    )
    about = tag("p", "Sampled thread states: a witness that does not depend on the counters above.", class_="quiet")
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return tag("details", tag("summary", "What the sessions said they were doing"), about, table, class_="card")


def _rows(states: Sequence[tuple[str, float]]) -> list[Safe]:
    return [tag("tr", tag("td", state), tag("td", f"{share:.0%}", class_="n")) for state, share in states]
