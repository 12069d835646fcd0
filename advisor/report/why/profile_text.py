"""How does a terminal show where the time of writers and appliers went? A bar for each class, the unexplained last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import ThreadProfile
from advisor.report.why.profile_groups import (
    LEAST_SHARE,
    explained_shares,
    shown_groups,
    threads_of,
    unexplained_words,
)
from advisor.report.words.layout import Page
from advisor.report.words.values import printable

_BAR: Final = 16  # columns


def profile_lines(profile: Sequence[ThreadProfile], page: Page) -> list[str]:
    """Writers and appliers, and any other group that has something to do; [] without process lists."""
    shown = shown_groups(profile)
    if not shown:
        return []
    lines = ["", page.paint("where the time goes (share of each group's time)", "strong")]
    for group in shown:
        lines += _group(group, page)
    return lines


def _group(group: ThreadProfile, page: Page) -> list[str]:
    lists = f"{group.samples} {'process list' if group.samples == 1 else 'process lists'}"
    if group.instrumented:
        lists += f" ({group.instrumented} with wait instruments; margin {group.margin * 100:.0f} %)"
    lines = page.wrap(f"{printable(group.member)}, {group.group}: {threads_of(group)}, {lists}", 2)
    shares = [share for share in explained_shares(group) if share.share >= LEAST_SHARE]
    lines += [_bar(share.share, share.title, page) for share in shares]
    words = unexplained_words(group) if group.unexplained >= LEAST_SHARE else ""
    return [*lines, _bar(group.unexplained, f"unexplained ({words})" if words else "unexplained", page)]


def _bar(share: float, text: str, page: Page) -> str:
    filled = round(min(1.0, share) * _BAR)
    line = f"  {share * 100:5.1f} %  {'█' * filled}{'·' * (_BAR - filled)}  {text}"
    width = max(page.width, 60)
    return line if len(line) <= width else line[: width - 1] + "…"
