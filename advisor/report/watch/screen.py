"""What does the live screen show? Rate, time of statements, lag, backlog, waits and the slowest, on 24 × 80."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from advisor.model.diagnosis import Threads
from advisor.model.monitoring.now import ClusterNow, MemberNow, WaitNow
from advisor.model.server import Role
from advisor.report.watch.lines import flow_words, lag_words, writer_of
from advisor.report.words.amounts import UNKNOWN, duration, rate, share, whole
from advisor.report.words.layout import Page
from advisor.report.words.values import printable

LINES: Final = 24
_HEADINGS: Final = (
    f"{'member':20}{'role':11}{'commits/s':>10}{'applies/s':>10}{'lag':>9}{'backlog':>9}{'statement':>11}"
)
_BARS: Final = "▁▂▃▄▅▆▇█"
_SHOWN: Final = (Threads.WRITERS, Threads.CLIENTS, Threads.APPLIERS)
_MOST_MEMBERS: Final = 7
_MOST_EVENTS: Final = 3
_WAITS_OF_A_GROUP: Final = 3


class Screen:
    """Makes the lines of each second; remembers the rates of the last minutes, and the last events."""

    def __init__(self) -> None:
        self._rates: deque[float | None] = deque(maxlen=600)
        self._events: deque[str] = deque(maxlen=_MOST_EVENTS)

    def tell(self, text: str) -> None:
        """An event, for the last lines of the screen."""
        self._events.append(f"{datetime.now().astimezone():%H:%M:%S} {text}")

    def lines(self, now: ClusterNow, page: Page, height: int = LINES) -> list[str]:
        """The screen of a second, at most `height` lines, each at most as wide as the page."""
        self._rates.append(now.committed_per_second)
        top = [page.paint(_cut(self._title(now), page.width), "strong"), "", *self._rate(now, page), ""]
        table = [page.paint(_cut(_HEADINGS, page.width), "faint"), *_members(now, page)]
        end = [_cut(line, page.width) for line in (*_cause(now), *self._events)]
        room = height - len(top) - len(table) - len(end) - 3
        waits = _waits(now, page, max(0, room))
        body = [*top, *table, "", *waits, *([""] if waits else []), *end]
        return body[: height - 1]

    def _title(self, now: ClusterNow) -> str:
        ring = now.ring
        if ring is None:
            recorded = ""
        elif ring.stopped:
            recorded = f"NOT RECORDED: {ring.stopped}"
        else:
            recorded = f"{ring.used_bytes / 2**20:,.0f} of {ring.most_bytes / 2**20:,.0f} MiB recorded"
        return f"{printable(now.cluster)}  {datetime.fromtimestamp(now.at_seconds).astimezone():%H:%M:%S}  {recorded}"

    def _rate(self, now: ClusterNow, page: Page) -> Iterator[str]:
        sustained = f"{rate(now.sustained_per_second)} sustained in the last minute"
        yield f"{rate(now.committed_per_second)} transactions/s, {sustained}"
        yield _sparkline(list(self._rates)[-page.width :])
        for words in filter(None, (lag_words(now), flow_words(now))):
            yield _cut(printable(words), page.width)
        states = ", ".join(f"{each.member}: {each.state}" for each in now.members if each.state)
        if states:
            yield page.paint(_cut(printable(states), page.width), "warning")


def _members(now: ClusterNow, page: Page) -> Iterator[str]:
    for member in now.members[:_MOST_MEMBERS]:
        name = _cut(printable(member.member), 19)
        if member.unreachable:
            yield page.paint(_cut(f"{name:20}cannot be read: {printable(member.failure)}", page.width), "warning")
            continue
        figures = f"{rate(member.committed_per_second):>10}{_applying(member, len(now.members) > 1)}"
        yield _cut(f"{name:20}{member.role or '':11}{figures}{duration(member.statement_ms):>11}", page.width)
    if len(now.members) > _MOST_MEMBERS:
        yield f"and {len(now.members) - _MOST_MEMBERS} more"


def _applying(member: MemberNow, has_others: bool) -> str:
    """What it applies, its lag and its backlog; blank where there is nothing to apply, "?" where that is unknown."""
    backlog, lag, applied = member.backlog_transactions, member.lag_seconds, member.applied_per_second
    blank = "" if backlog is not None or not (has_others and member.may_be_behind) else UNKNOWN
    applies = (UNKNOWN if member.role is Role.REPLICA else blank) if applied is None else rate(applied)
    age = (UNKNOWN if backlog else blank) if lag is None else duration(lag * 1000)
    return f"{applies:>10}{age:>9}{blank if backlog is None else whole(backlog):>9}"


def _waits(now: ClusterNow, page: Page, room: int) -> list[str]:
    """What threads wait for: those of the writer first, then those of the slowest member."""
    lines: list[str] = []
    for member in _in_order(now):
        for group in _SHOWN:
            waits = [wait for wait in member.waits if wait.group is group]
            if waits:
                lines += _group(member, group, waits, page)
    return lines[:room]


def _in_order(now: ClusterNow) -> Sequence[MemberNow]:
    first = [member for member in (writer_of(now), now.slowest) if member is not None]
    return list(dict.fromkeys([*first, *now.members]))


def _group(member: MemberNow, group: Threads, waits: Sequence[WaitNow], page: Page) -> Iterator[str]:
    threads = sum(wait.threads for wait in waits)
    yield page.paint(_cut(f"{printable(member.member)}, {group}: {threads:.1f} threads", page.width), "faint")
    for wait in waits[:_WAITS_OF_A_GROUP]:
        yield _cut(f"{share(wait.threads / threads):>6}  {wait.title}", page.width)


def _cause(now: ClusterNow) -> Iterator[str]:
    cause = now.first_cause
    if cause is not None:
        yield f"first cause: {cause.title} [{printable(cause.member)}], confidence {cause.confidence:.2f}"
    else:
        yield f"first cause: {UNKNOWN}"


def _sparkline(rates: Sequence[float | None]) -> str:
    """A bar for each second; a blank where the rate is unknown."""
    most = max((value for value in rates if value), default=0.0)
    return "".join(
        " " if value is None else _BARS[min(len(_BARS) - 1, int(value / most * len(_BARS))) if most else 0]
        for value in rates
    )


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
