"""How does a chart get into the page? A place to draw it, and its figures as a table for readers who cannot see it."""

from __future__ import annotations

from typing import Final

from advisor.report.html.chart import Chart, Curve, Scatter
from advisor.report.html.chart_data import members
from advisor.report.html.markup import Safe, tag
from advisor.report.html.tables import Column, Kind, table

_COLUMNS: Final = (
    Column("Member", Kind.NAME), Column(""), *(Column(name, Kind.NUMBER) for name in ("least", "mean", "most", "last")),
    Column("gaps", Kind.NUMBER),
)  # fmt: skip


def figure(chart: Chart) -> Safe:
    """A chart over time: title, drawing, legend, and the least, mean and most of every curve."""
    rows = [
        [curve.member, curve.name, *map(number, _extent(curve)), number(len(curve.values) - len(curve.known))]
        for member in members(chart)
        for curve in chart.curves
        if curve.member == member
    ]
    figures = table(f"{chart.title}, {chart.unit}", _COLUMNS, rows)
    return _figure(chart.id, chart.title, chart.unit, chart.about, _over_time(chart), figures)


def scatter(chart: Scatter, figures: Safe | None = None) -> Safe:
    """Single measurements: title, drawing, legend, and every point in words, or the `figures` that say more of it."""
    listed = figures or table(chart.title, (Column("What"), Column("Measurement")), [
        [group.name, point.label] for group in chart.groups for point in group.points
    ])  # fmt: skip
    return _figure(chart.id, chart.title, "", chart.about, _measurements(chart), listed)


def number(value: float | None) -> str:
    """A figure as people read it: 4012 → "4,012", three significant digits below 100; "–" when unknown."""
    if value is None:
        return "–"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.1e}"


def _figure(id_: str, title: str, unit: str, about: str, in_words: str, figures: Safe) -> Safe:
    heading = tag("h3", title, " ", tag("small", unit) if unit else None)
    return tag(
        "figure",
        tag("figcaption", heading, tag("p", about)),
        tag("div", class_="plot", role="img", aria_label=in_words, data_chart=id_),
        tag("noscript", tag("p", "The drawing needs JavaScript; its figures are in the table.")),
        tag("details", tag("summary", f"{title}: figures"), figures, class_="figures"),
        class_="chart",
        id=f"chart-{id_}",
    )


def _over_time(chart: Chart) -> str:
    """What the drawing shows, in words."""
    means = "; ".join(f"{_label(curve)} {number(curve.mean)}" for curve in chart.curves)
    phases = ", ".join(span.name for span in chart.spans)
    return f"{chart.title}, {chart.unit}, over time. Means: {means}." + (f" Phases: {phases}." if phases else "")


def _measurements(chart: Scatter) -> str:
    counts = ", ".join(f"{len(group.points)} {group.name}" for group in chart.groups)
    across = f"{chart.y.name} against {chart.x.name}" if not chart.y.rows else chart.x.name
    return f"{chart.title}: {across}. {counts}."


def _label(curve: Curve) -> str:
    return f"{curve.member} {curve.name}".strip()


def _extent(curve: Curve) -> tuple[float | None, ...]:
    known = curve.known
    return (min(known), curve.mean, max(known), known[-1]) if known else (None,) * 4
