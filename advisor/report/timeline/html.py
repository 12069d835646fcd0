"""How is a timeline shown in a browser? What happened, every episode with what changed then, and all curves to zoom."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from advisor import __version__
from advisor.model.monitoring.timeline import Episode, SignalCurve, Timeline
from advisor.report.charts.figure import figure
from advisor.report.html.chart import Chart, Curve, Span
from advisor.report.html.markup import Safe, breakable, tag
from advisor.report.html.page import page
from advisor.report.html.tables import Column, Kind, table
from advisor.report.timeline.wording import HEADINGS, duration, heading, not_collected, rows, time_of_day

_MOST_POINTS: Final = 1500
_LEAST_SPAN: Final = 0.004  # of the whole time, or nobody would see it
_COLUMNS: Final = (Column("when"), Column("what", Kind.PROSE), Column(""))
_HINT: Final = (
    "Episodes are shaded and numbered as above. Point at a curve for its values; drag,"
    " or use the buttons, to zoom all charts."
)
_FOOTER: Final = f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network."


def render(timeline: Timeline) -> str:
    """The page."""
    charts = _charts(timeline)
    sections = [
        _head(timeline),
        *(_episode(number, episode) for number, episode in enumerate(timeline.episodes, 1)),
        tag("section", tag("h2", "Over time", id="over-time"), tag("p", _HINT, class_="quiet hint"),
            *(figure(chart) for chart in charts)) if charts else None,
        _unknown(timeline),
        tag("footer", _FOOTER),
    ]  # fmt: skip
    shown = [section for section in sections if section is not None]
    return page(f"What happened · {time_of_day(timeline.begin_seconds)}", shown, charts)


def _head(timeline: Timeline) -> Safe:
    return tag(
        "header",
        tag("p", "advisor timeline", class_="eyebrow"),
        tag("h1", breakable(timeline.answer)),
        tag("p", breakable(f"{timeline.source}: {heading(timeline)}."), class_="lede"),
    )


def _episode(number: int, episode: Episode) -> Safe:
    over = duration(episode)
    told = [(moment, words, HEADINGS[kind]) for kind, moment, words in rows(episode)]
    shown = table(f"Episode {number}", _COLUMNS, told, stacked=True)
    return tag(
        "section",
        tag("h2", f"{number}. {time_of_day(episode.begin_seconds)}", tag("small", f" {over}") if over else None),
        tag("div", tag("p", breakable(episode.sentence)), shown, class_="card"),
        id=f"episode-{number}",
    )


def _unknown(timeline: Timeline) -> Safe | None:
    entries = [*map(not_collected, timeline.absent), *timeline.problems]
    if not entries:
        return None
    listed = tag("ul", *(tag("li", breakable(entry)) for entry in entries))
    return tag("section", tag("h2", "What is not known"), tag("div", listed, class_="card"))


def _charts(timeline: Timeline) -> list[Chart]:
    """One for each signal, with every member that has it and the episodes shaded."""
    by_signal: dict[str, list[SignalCurve]] = {}
    for curve in timeline.curves:
        by_signal.setdefault(curve.signal, []).append(curve)
    spans = _spans(timeline)
    return [
        Chart(
            signal.replace("_", "-"), curves[0].title, curves[0].unit, f"From {curves[0].how}.",
            tuple(_curve(curve, timeline.begin_seconds) for curve in curves), spans, _clock(timeline.begin_seconds),
        )
        for signal, curves in by_signal.items()
    ]  # fmt: skip


def _clock(at_seconds: float) -> float:
    offset = datetime.fromtimestamp(at_seconds).astimezone().utcoffset()
    return at_seconds + (offset.total_seconds() if offset else 0.0)


def _spans(timeline: Timeline) -> tuple[Span, ...]:
    least = _LEAST_SPAN * (timeline.end_seconds - timeline.begin_seconds)
    spans = []
    for number, episode in enumerate(timeline.episodes, 1):
        begin = episode.begin_seconds - timeline.begin_seconds
        end = (episode.end_seconds or episode.latest_seconds) - timeline.begin_seconds
        spans.append(Span(str(number), max(0.0, begin), max(end, begin + least)))
    return tuple(spans)


def _curve(curve: SignalCurve, begin: float) -> Curve:
    """Of very many readings the mean of neighbours; a gap stays one."""
    width = -(-len(curve.values) // _MOST_POINTS)
    starts = range(0, len(curve.values), width)
    moments = tuple(curve.at_seconds[at] - begin for at in starts)
    return Curve("", curve.member, moments, tuple(_mean(curve.values[at : at + width]) for at in starts))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
