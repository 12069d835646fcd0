"""How is a timeline written on a terminal? What happened first, then every change with what changed then."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model.monitoring.timeline import Episode, Timeline
from advisor.report.timeline.wording import duration, heading, not_collected, rows
from advisor.report.words.layout import Page
from advisor.report.words.values import printable

_LABELS = {"event": "happened", "effect": "effect", "reason": "also"}


def render(timeline: Timeline, page: Page) -> str:
    """The whole report."""
    lines = [*page.wrap(printable(f"{timeline.source}: {heading(timeline)}"), 0), ""]
    lines += [page.paint(line, "strong") for line in page.wrap(printable(timeline.answer), 0)]
    for episode in timeline.episodes:
        lines += ["", *_episode(episode, page)]
    unknown = [not_collected(absent) for absent in timeline.absent]
    for title, entries in (("not collected", unknown), ("not used", list(timeline.problems))):
        if entries:
            lines += ["", *page.labelled(title, [printable(entry) for entry in entries])]
    return "\n".join(lines) + "\n"


def _episode(episode: Episode, page: Page) -> Iterator[str]:
    over = duration(episode)
    yield from page.wrap(printable(episode.sentence + (f" It was {over}." if over else "")), 0)
    by_kind: dict[str, list[str]] = {}
    for kind, moment, words in rows(episode):
        by_kind.setdefault(kind, []).append(printable(f"{moment}  {words}"))
    for kind, entries in by_kind.items():
        yield from page.labelled(_LABELS[kind], entries)
