"""Where did the time of every group of threads go? One stacked bar for each, one legend, and the figures as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import ClassShare, ThreadProfile, WaitGroup
from advisor.report.charts.stacked import Entry, Segment, legend, stacked
from advisor.report.html.markup import Safe, breakable, tag
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.report.why.profile_groups import (
    LEAST_SHARE,
    WITHOUT_WORK,
    explained_shares,
    percent,
    shown_groups,
    threads_of,
    unexplained_words,
)

_COLOURS: Final = {
    WaitGroup.CPU: "c0",
    WaitGroup.LOCK: "c1",
    WaitGroup.ENGINE: "c3",
    WaitGroup.LOG: "c4",
    WaitGroup.REPLICATION: "c2",
    WaitGroup.NETWORK: "c5",
    WaitGroup.APPLIER: "c6",
}  # and what is without work is pale, what is unexplained hatched
_NAMES: Final = {
    WaitGroup.CPU: "CPU",
    WaitGroup.LOCK: "locks",
    WaitGroup.ENGINE: "storage engine",
    WaitGroup.LOG: "redo and binary log",
    WaitGroup.REPLICATION: "replication",
    WaitGroup.NETWORK: "network",
    WaitGroup.APPLIER: "order of applying",
}
_PALE: Final = "pale"
_HATCHED: Final = "hatched"
_FEW_LISTS: Final = 30  # with eight threads in each a share of 30 % is then known to within 3 %
_ABOUT: Final = (
    "Each bar is the whole time of one group of threads. The shares come from sampled process lists or, if a counter"
    " measures a wait exactly, from that counter. They add up to 100 %; unexplained time is hatched."
)
_COLUMNS: Final = (
    Column("Threads", Kind.NAME),
    Column("What", Kind.PROSE),
    Column("About"),
    Column("Share", Kind.NUMBER),
    Column("Seen as", Kind.PROSE),
)


def wait_profile(profile: Sequence[ThreadProfile], prose: Prose) -> Safe | None:
    """The section; None without process lists."""
    shown = shown_groups(profile)
    if not shown:
        return None
    about = tag("p", prose(_ABOUT), class_="quiet")
    few = min(group.samples for group in shown) < _FEW_LISTS
    doubt = tag("p", "Few process lists were read, so the shares are rough.", class_="quiet") if few else None
    heading = tag("h2", "Where the time goes", id="profile")
    rest = len(profile) - len(shown)
    hidden = f" (including groups without work: {rest})" if rest else ""
    figures = tag("details", tag("summary", f"All shares as a table{hidden}"), _table(profile), class_="shares")
    return tag(
        "section", heading, about, tag("div", legend(_entries(shown)), *map(_row, shown), doubt, figures, class_="card")
    )


def _row(group: ThreadProfile) -> Safe:
    segments = _segments(group)
    told = ", ".join(f"{segment.name} {segment.value}" for segment in segments)
    label = [tag("b", breakable(group.member), f" {group.group}"), tag("small", threads_of(group))]
    return stacked(label, f"{group.member}, {group.group}: {told}", segments)


def _segments(group: ThreadProfile) -> list[Segment]:
    """Classes in the order of the legend, the larger first; the unexplained last, even if it is nothing."""
    order = list(_COLOURS)
    shares = sorted(
        explained_shares(group),
        key=lambda share: (_idle(share), order.index(share.about) if share.about in order else len(order)),
    )
    segments = [
        Segment(
            each.title,
            each.share,
            percent(each.share),
            "" if _idle(each) else _COLOURS.get(each.about, "c7"),
            _PALE if _idle(each) else "",
        )
        for each in shares
        if each.share > 0
    ]
    words = unexplained_words(group) if group.unexplained >= LEAST_SHARE else ""
    name = f"unexplained ({words})" if words else "unexplained"
    return [*segments, Segment(name, group.unexplained, percent(group.unexplained), kind=_HATCHED, always=True)]


def _idle(share: ClassShare) -> bool:
    return share.wait_class in WITHOUT_WORK or share.about is WaitGroup.CLIENT


def _entries(shown: Sequence[ThreadProfile]) -> list[Entry]:
    """The colours that are in the bars."""
    seen = {share.about for group in shown for share in explained_shares(group) if share.share > 0 and not _idle(share)}
    entries = [Entry(_NAMES[about], colour) for about, colour in _COLOURS.items() if about in seen]
    return [*entries, Entry("no work, or between statements", kind=_PALE), Entry("unexplained", kind=_HATCHED)]


def _table(profile: Sequence[ThreadProfile]) -> Safe:
    rows = []
    for group in profile:
        name = f"{group.member} {group.group}, {threads_of(group)}"
        rows += [
            (name, share.title, _about(share), f"{share.share * 100:.1f} %", ", ".join(share.words))
            for share in group.shares
            if share.share >= LEAST_SHARE / 10
        ]
    return table("Where the time of each group of threads went", _COLUMNS, rows, stacked=True)


def _about(share: ClassShare) -> str:
    if share.about is WaitGroup.CLIENT:
        return "between statements"
    return "no work" if _idle(share) else _NAMES.get(share.about, str(share.about))
