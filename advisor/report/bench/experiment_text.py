"""How is an experiment shown as text? A table of its cells, ratios with their intervals, then the expectations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from advisor.model.experiment import CellResult, Expectation, Experiment, ExperimentResult
from advisor.report.bench.experiment_figures import (
    HEADS,
    HELD,
    in_words,
    measured_here,
    published_value,
    ratio_in_words,
    rounds_in_words,
)
from advisor.report.words.layout import Page
from advisor.report.words.table import markdown_table, text_table

_CONDITION_COLUMN: Final = 10


def list_as_text(experiments: Sequence[Experiment], page: Page) -> str:
    """The name of each with its title below."""
    lines = [line for experiment in experiments for line in (experiment.id, *page.wrap(experiment.title, 2))]
    return "\n".join(lines) + "\n"


def list_as_json(experiments: Sequence[Experiment]) -> str:
    """{"schema", "experiments": [{"id", "title", "question", "cells", "rounds", "see", "file"}]}."""
    rows = [
        {
            "id": experiment.id,
            "title": experiment.title,
            "question": experiment.question,
            "cells": [cell.name for cell in experiment.cells],
            "rounds": experiment.rounds,
            "see": list(experiment.see),
            "file": experiment.file,
        }
        for experiment in experiments
    ]
    return json.dumps({"schema": "1", "experiments": rows}, indent=2) + "\n"


def as_text(experiment: Experiment, result: ExperimentResult, page: Page) -> str:
    """The result for a terminal: medians over the rounds, and ratios with 95 % intervals."""
    table = [["", *(HEADS[name] for name in experiment.figures)]]
    table += [[cell.cell, *(in_words(name, cell.middle[name]) for name in experiment.figures)] for cell in result.cells]
    if len(experiment.figures) > len(result.cells):  # few cells, many figures: a column each keeps within 80 columns
        table = [list(column) for column in zip(*table, strict=True)]
    lines = [
        *page.wrap(result.title, 0),
        f"medians of {rounds_in_words(result)}; the configurations were run one after another",
        "",
    ]
    lines += text_table(table)
    ratios = [line for cell in result.cells for line in _ratios(cell, experiment.against)]
    expected = [line for expectation in result.expectations for line in _expectation(expectation, page)]
    warnings = [line for warning in result.warnings for line in page.wrap(f"! {warning}", 2)]
    for paragraph in (ratios, expected, _published(experiment, result, page), warnings):
        lines += ["", *paragraph] if paragraph else []
    return "\n".join(lines) + "\n"


def as_markdown(experiment: Experiment, result: ExperimentResult) -> str:
    """The result for a document."""
    names = [*experiment.figures]
    compared = list(dict.fromkeys(name for cell in result.cells for name in cell.ratios))
    heads = [
        "cell",
        *(HEADS[name] for name in names),
        *(f"{HEADS[n]} against {experiment.against}" for n in compared),
    ]
    rows = []
    for cell in result.cells:
        shown = [in_words(name, cell.middle[name]) for name in names]
        rows.append([f"`{cell.cell}`", *shown, *(ratio_in_words(cell.ratios.get(name)) for name in compared)])
    lines = [f"## {result.title}", "", experiment.question, "", *markdown_table(heads, rows)]
    servers = ", ".join(dict.fromkeys(cell.server for cell in result.cells))
    lines += ["", f"Medians of {rounds_in_words(result)} on {servers}; the configurations were run one after another."]
    lines += [f"- {HELD[expectation.held]}: `{expectation.condition}`" for expectation in result.expectations]
    if experiment.published:
        published = [
            [published_value(figure), figure.unit, measured_here(figure, result), figure.what, figure.source]
            for figure in experiment.published
        ]
        lines += ["", *markdown_table(["published", "unit", "measured here", "what was measured", "source"], published)]
    return "\n".join(lines) + "\n"


def _published(experiment: Experiment, result: ExperimentResult, page: Page) -> list[str]:
    """What others published, each next to what was measured here."""
    lines = ["published, on other hardware:"] if experiment.published else []
    for figure in experiment.published:
        here = measured_here(figure, result)
        lines += page.wrap(f"{published_value(figure)} {figure.unit}{f'; here {here}' if here else ''}", 2)
        lines += page.wrap(figure.what, 4)
    sources = dict.fromkeys(figure.source for figure in experiment.published)
    return lines + [line for source in sources for line in page.wrap(f"source: {source}", 2)]


def _expectation(expectation: Expectation, page: Page) -> list[str]:
    lines = page.wrap(expectation.condition, _CONDITION_COLUMN)
    return [f"{HELD[expectation.held]:{_CONDITION_COLUMN}}{lines[0].strip()}", *lines[1:]]


def _ratios(cell: CellResult, against: str) -> list[str]:
    return [
        f"{HEADS[name]} of {cell.cell} / {against}: {ratio_in_words(interval)}"
        for name, interval in cell.ratios.items()
    ]
