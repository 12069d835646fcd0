"""How does a terminal show where the time of writers and appliers went? A bar for each class, the unexplained last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import ThreadProfile, Threads
from advisor.report.words.layout import Page
from advisor.report.words.values import printable
from advisor.units import show

_BAR: Final = 16  # columns
_LEAST: Final = 0.01  # a smaller share is not worth a line
_ALWAYS: Final = (Threads.WRITERS, Threads.APPLIERS)
_WITHOUT_WORK: Final = ("worker_idle", "receiver_wait", "client_time")
_NOT_EXPLAINED: Final = ("statement_work", "unexplained")


def profile_lines(profile: Sequence[ThreadProfile], page: Page) -> list[str]:
    """Writers and appliers, and any other group that has something to do; [] without process lists."""
    shown = [group for group in profile if group.group in _ALWAYS or _works(group)]
    if not shown:
        return []
    lines = ["", page.paint("where the time goes (share of each group's time)", "strong")]
    for group in shown:
        lines += _group(group, page)
    return lines


def _works(group: ThreadProfile) -> bool:
    return bool(group.shares) and group.shares[0].wait_class not in _WITHOUT_WORK


def _group(group: ThreadProfile, page: Page) -> list[str]:
    threads = show(round(group.threads, 1))
    noun = "thread" if threads == "1" else "threads"
    lists = "process list" if group.samples == 1 else "process lists"
    lines = page.wrap(f"{printable(group.member)}, {group.group}: {threads} {noun}, {group.samples} {lists}", 2)
    explained = [share for share in group.shares if share.wait_class not in _NOT_EXPLAINED and share.share >= _LEAST]
    lines += [_bar(share.share, share.title, page) for share in explained]
    words = [word for share in group.shares if share.wait_class in _NOT_EXPLAINED for word in share.words]
    seen = f" ({printable(', '.join(words))})" if words and group.unexplained >= _LEAST else ""
    return [*lines, _bar(group.unexplained, f"unexplained{seen}", page)]


def _bar(share: float, text: str, page: Page) -> str:
    filled = round(min(1.0, share) * _BAR)
    line = f"  {share * 100:5.1f} %  {'█' * filled}{'·' * (_BAR - filled)}  {text}"
    width = max(page.width, 60)
    return line if len(line) <= width else line[: width - 1] + "…"
