"""How does a chart stand in the page? A place to draw it, and its figures as a table for whoever cannot see it."""

from __future__ import annotations

from advisor.report.html.chart import Chart, Curve
from advisor.report.html.markup import Safe, tag
from advisor.report.html.page import members

_NARROW: tuple[str, ...] = ("Member", "", "least", "mean", "most", "last", "gaps")


def figure(chart: Chart) -> Safe:
    """A chart: title, drawing, legend, and the least, mean and most of every curve."""
    return tag(
        "figure",
        tag("figcaption", tag("h3", chart.title, " ", tag("small", chart.unit)), tag("p", chart.about)),
        tag("div", class_="plot", role="img", aria_label=_spoken(chart), data_chart=chart.id),
        tag("noscript", tag("p", "The drawing needs JavaScript; its figures are in the table.")),
        tag("details", tag("summary", f"{chart.title}: figures"), _table(chart), class_="figures"),
        class_="chart",
        id=f"chart-{chart.id}",
    )


def number(value: float | None) -> str:
    """A figure as people read it: 4012 → "4,012", three significant digits below 100; "–" when unknown."""
    if value is None:
        return "–"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.1e}"


def _spoken(chart: Chart) -> str:
    """What the drawing shows, in words."""
    means = "; ".join(f"{_label(curve)} {number(curve.mean)}" for curve in chart.curves)
    phases = ", ".join(span.name for span in chart.spans)
    return f"{chart.title}, {chart.unit}, over time. Means: {means}." + (f" Phases: {phases}." if phases else "")


def _label(curve: Curve) -> str:
    return f"{curve.member} {curve.name}".strip()


def _table(chart: Chart) -> Safe:
    head = tag("tr", *(tag("th", name, scope="col") for name in _NARROW))
    rows = [
        tag(
            "tr",
            tag("th", curve.member, scope="row"),
            tag("td", curve.name),
            *(tag("td", number(value), class_="n") for value in _extent(curve)),
            tag("td", number(len(curve.values) - len(curve.known)), class_="n"),
        )
        for member in members(chart)
        for curve in chart.curves
        if curve.member == member
    ]
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return tag("div", table, class_="wide", tabindex="0", role="region", aria_label=f"{chart.title}, {chart.unit}")


def _extent(curve: Curve) -> tuple[float | None, ...]:
    known = curve.known
    return (min(known), curve.mean, max(known), known[-1]) if known else (None,) * 4
