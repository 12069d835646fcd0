"""What is drawn of an experiment? The rates of its cells, and their ratios next to those that others published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.model.experiment import CellResult, Experiment, ExperimentResult
from advisor.report.bench.experiment_figures import HEADS, in_words, ratio_in_words
from advisor.report.charts.figure import number
from advisor.report.html.chart import Axis, Group, Mark, Point, Scatter

# Figures in transactions per second, which share an axis.
_RATES: Final = {
    "peak": ("c0", Mark.DOT),
    "sustained": ("c2", Mark.SQUARE),
    "slowest_apply": ("c6", Mark.RING),
    "catch_up_per_second": ("c0", Mark.DOT),
}
_COMPARED: Final = {
    "peak": "Peak throughput",
    "sustained": "Sustained throughput",
    "catch_up_per_second": "Rate of catching up",
    "p95_ms": "Latency",
}


def charts_of(experiment: Experiment, result: ExperimentResult) -> list[Scatter]:
    """Ratios first, for they are what carries over to other machines."""
    drawn = [_ratios(experiment, result, figure) for figure in _COMPARED]
    return [chart for chart in (*drawn, _rates(experiment, result)) if chart is not None]


def _ratios(experiment: Experiment, result: ExperimentResult, figure: str) -> Scatter | None:
    """A figure of each cell as a multiple of the cell the experiment is against."""
    cells = [cell for cell in result.cells if cell.cell != experiment.against]
    rows = tuple(cell.cell for cell in cells)
    groups = (
        Group("measured here", "c0", Mark.DOT, tuple(_measured(cells, figure))),
        Group("published", "c1", Mark.DIAMOND, tuple(_published(experiment, rows, figure))),
    )
    if not groups[0].points:
        return None
    about = f"Each cell as a multiple of {experiment.against}, with 95 % intervals over the rounds."
    if groups[1].points:
        about += " Published figures come from other hardware; their bars are ranges."
    return Scatter(
        f"ratio-{figure.replace('_', '-')}", f"{_COMPARED[figure]} against {experiment.against}", about,
        Axis(f"times that of {experiment.against}"), Axis("", rows=rows),
        tuple(group for group in groups if group.points), (1.0, experiment.against),
    )  # fmt: skip


def _measured(cells: Sequence[CellResult], figure: str) -> Iterator[Point]:
    for row, cell in enumerate(cells):
        ratio = cell.ratios.get(figure)
        if ratio is not None and ratio.mid is not None:
            yield Point(ratio.mid, float(row), f"{cell.cell}: {ratio_in_words(ratio)}", ratio.low, ratio.high)


def _published(experiment: Experiment, rows: Sequence[str], figure: str) -> Iterator[Point]:
    for published in experiment.published:
        if published.figure == figure and published.cell in rows:
            label = f"{published.cell}, published: {number(published.value)}, {published.source}"
            yield Point(published.value, float(rows.index(published.cell)), label, published.low, published.high)


def _rates(experiment: Experiment, result: ExperimentResult) -> Scatter | None:
    """Medians over the rounds, with the least and the most of them."""
    rows = tuple(cell.cell for cell in result.cells)
    groups = [
        Group(HEADS[figure], colour, mark, tuple(_medians(result.cells, figure)))
        for figure, (colour, mark) in _RATES.items()
        if figure in experiment.figures
    ]
    shown = tuple(group for group in groups if group.points)
    if not shown:
        return None
    return Scatter(
        "rates", "Rates of each cell", "Medians over the rounds; the bars span the lowest to the highest round.",
        Axis("transactions per second"), Axis("", rows=rows), shown,
    )  # fmt: skip


def _medians(cells: Sequence[CellResult], figure: str) -> Iterator[Point]:
    for row, cell in enumerate(cells):
        middle = cell.middle.get(figure)
        known = [float(value) for value in (figures.get(figure) for figures in cell.rounds) if value is not None]
        if middle is not None and known:
            extent = f"{number(min(known))} to {number(max(known))}"
            label = f"{cell.cell}, {HEADS[figure]}: {in_words(figure, middle)} ({extent})"
            yield Point(float(middle), float(row), label, min(known), max(known))
