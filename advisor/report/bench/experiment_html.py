"""What does somebody open in a browser who ran an experiment? Its cells, next to what others published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from advisor import __version__
from advisor.model.experiment import CellResult, Experiment, ExperimentResult
from advisor.report.bench.experiment_charts import charts_of
from advisor.report.bench.experiment_figures import (
    HEADS,
    HELD,
    in_words,
    measured_here,
    published_value,
    ratio_in_words,
    rounds_in_words,
)
from advisor.report.charts.figure import scatter
from advisor.report.html.chart import Scatter
from advisor.report.html.markup import Child, Safe, breakable, tag
from advisor.report.html.page import page
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.units import show

_MOST_BOXES: Final = 5  # cells whose first figure is in the head of the page
_PUBLISHED: Final = (
    Column("published", Kind.NUMBER), Column("unit"), Column("measured here", Kind.NUMBER),
    Column("what was measured", Kind.PROSE), Column("source"),
)  # fmt: skip


def render(experiment: Experiment, result: ExperimentResult) -> str:
    """The page of one experiment that was run."""
    prose, charts = Prose(), charts_of(experiment, result)
    sections = [
        _head(experiment, result, prose),
        _warnings(result.warnings),
        _drawn(charts),
        _cells(experiment, result),
        _expectations(result),
        _published(experiment, result),
        prose.glossary(),
        tag(
            "footer", f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network."
        ),
    ]
    return page(result.title, [section for section in sections if section is not None], charts)


def _head(experiment: Experiment, result: ExperimentResult, prose: Prose) -> Safe:
    load = experiment.load
    servers = ", ".join(dict.fromkeys(cell.server for cell in result.cells))
    began = datetime.fromtimestamp(result.began, UTC).strftime("%Y-%m-%d %H:%M UTC")
    circumstances = (
        servers, f"{load.workload} with {show(load.threads, 'clients')}", rounds_in_words(result), began,
    )  # fmt: skip
    first = experiment.figures[0]
    boxes = [_box(cell, first, experiment.against) for cell in result.cells[:_MOST_BOXES]]
    return tag(
        "header",
        tag("p", " · ".join(circumstances), class_="eyebrow"),
        tag("h1", result.title),
        tag("p", _verdict(result), class_="lede"),
        tag("p", prose(experiment.question), class_="quiet"),
        tag("div", *boxes, class_="figures-row") if len(result.cells) <= _MOST_BOXES else None,
    )


def _box(cell: CellResult, figure: str, against: str) -> Safe:
    ratio = ratio_in_words(cell.ratios.get(figure))
    value = in_words(figure, cell.middle.get(figure))
    return tag(
        "div", tag("b", value), tag("span", f"{HEADS[figure]}, ", breakable(cell.cell)),
        (tag("br"), tag("small", f"{ratio} times ", breakable(against))) if ratio else None,
    )  # fmt: skip


def _verdict(result: ExperimentResult) -> str:
    """How much of what was expected held."""
    expected = result.expectations
    if not expected:
        return "The experiment states no expectations."
    broken = sum(expectation.held is False for expectation in expected)
    unknown = sum(expectation.held is None for expectation in expected)
    if not broken and not unknown:
        return "The expectation held." if len(expected) == 1 else f"All {len(expected)} expectations held."
    parts = [f"{len(expected) - broken - unknown} of {len(expected)} expectations held"]
    parts += [f"{broken} did not"] if broken else []
    parts += [f"{unknown} cannot be decided"] if unknown else []
    return ", ".join(parts) + "."


def _warnings(warnings: Sequence[str]) -> Safe | None:
    if not warnings:
        return None
    lines = tag("ul", *(tag("li", warning) for warning in warnings))
    return tag("section", tag("h2", "What makes these figures less reliable"), tag("div", lines, class_="card note"))


def _drawn(charts: Sequence[Scatter]) -> Safe | None:
    hint = tag(
        "p", "Point at a mark for its figures; click a name in the legend to hide its marks.", class_="quiet hint"
    )
    return tag("section", tag("h2", "The cells"), hint, *map(scatter, charts)) if charts else None


def _cells(experiment: Experiment, result: ExperimentResult) -> Safe:
    compared = list(dict.fromkeys(name for cell in result.cells for name in cell.ratios))
    columns = [
        Column("cell", Kind.NAME), *(Column(HEADS[name], Kind.NUMBER) for name in experiment.figures),
        *(Column(f"{HEADS[name]} against {experiment.against}", Kind.NUMBER) for name in compared),
    ]  # fmt: skip
    rows = [
        [cell.cell, *(in_words(name, cell.middle.get(name)) for name in experiment.figures),
         *(ratio_in_words(cell.ratios.get(name)) for name in compared)]
        for cell in result.cells
    ]  # fmt: skip
    about = (
        f"Medians of {rounds_in_words(result)}; the configurations were run one after another."
        " Ratios have 95 % intervals."
    )
    whole = table("Figures of the cells", columns, rows, stacked=True)
    return tag("section", tag("h2", "All figures"), tag("p", about, class_="quiet"), tag("div", whole, class_="card"))


def _expectations(result: ExperimentResult) -> Safe | None:
    if not result.expectations:
        return None
    rows: list[list[Child]] = [
        [HELD[expectation.held], tag("code", breakable(expectation.condition))] for expectation in result.expectations
    ]
    whole = table("Expectations", (Column("outcome"), Column("condition", Kind.PROSE)), rows)
    return tag("section", tag("h2", "Expectations"), tag("div", whole, class_="card"))


def _published(experiment: Experiment, result: ExperimentResult) -> Safe | None:
    """Next to each published figure what was measured here; the setups differ, which the page says."""
    if not experiment.published:
        return None
    sources = list(dict.fromkeys((figure.source, figure.url) for figure in experiment.published))
    rows: list[list[Child]] = [
        [
            published_value(figure),
            figure.unit,
            measured_here(figure, result),
            figure.what,
            f"[{sources.index((figure.source, figure.url)) + 1}]",
        ]
        for figure in experiment.published
    ]
    about = (
        "Other hardware, other releases: compare directions and ratios, not rates."
        " Where a field is empty, this experiment has no comparable figure."
    )
    whole = table("What others published", _PUBLISHED, rows, stacked=True)
    listed = tag("ol", *(tag("li", _source(source, url)) for source, url in sources))
    heading = tag("h2", "What others published", id="published")
    return tag("section", heading, tag("p", about, class_="quiet"), tag("div", whole, listed, class_="card"))


def _source(source: str, url: str) -> Safe:
    return tag("a", source, href=url, rel="noreferrer") if url else tag("span", source)
