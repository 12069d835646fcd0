"""How is an experiment shown? A table of its cells, ratios with their intervals below, then what was expected."""

from __future__ import annotations

import json
from collections.abc import Sequence

from advisor.model.experiment import CellResult, Experiment, ExperimentResult
from advisor.report.bench.experiment_figures import HEADS, HELD, in_words, ratio_in_words
from advisor.report.words.table import markdown_table, text_table


def list_as_text(found: Sequence[Experiment]) -> str:
    """Each by its name, its title below."""
    return "".join(f"{one.id}\n  {one.title}\n" for one in found)


def list_as_json(found: Sequence[Experiment]) -> str:
    """{"schema", "experiments": [{"id", "title", "question", "cells", "rounds", "see", "file"}]}."""
    rows = [
        {
            "id": one.id,
            "title": one.title,
            "question": one.question,
            "cells": [cell.name for cell in one.cells],
            "rounds": one.rounds,
            "see": list(one.see),
            "file": one.file,
        }
        for one in found
    ]
    return json.dumps({"schema": "1", "experiments": rows}, indent=2) + "\n"


def as_text(experiment: Experiment, found: ExperimentResult) -> str:
    """The result for a terminal: medians over the rounds, and ratios with 95 % intervals."""
    table = [["", *(HEADS[name] for name in experiment.figures)]]
    table += [[cell.cell, *(in_words(name, cell.middle[name]) for name in experiment.figures)] for cell in found.cells]
    if len(experiment.figures) > len(found.cells):  # few cells, many figures: a column each keeps within 80 columns
        table = [list(column) for column in zip(*table, strict=True)]
    lines = [f"{found.title}", f"medians of {len(found.cells[0].rounds)} rounds, cells in turn", ""]
    lines += text_table(table)
    ratios = [line for cell in found.cells for line in _ratios(cell, experiment.against)]
    lines += ["", *ratios] if ratios else []
    lines += ["", *(f"{HELD[one.held]:8}  {one.condition}" for one in found.expectations)] if found.expectations else []
    lines += ["", *(f"note: {warning}" for warning in found.warnings)] if found.warnings else []
    return "\n".join(lines) + "\n"


def as_markdown(experiment: Experiment, found: ExperimentResult) -> str:
    """The result for a document."""
    names = [*experiment.figures]
    compared = list(dict.fromkeys(name for cell in found.cells for name in cell.ratios))
    heads = [
        "cell",
        *(HEADS[name] for name in names),
        *(f"{HEADS[n]} against {experiment.against}" for n in compared),
    ]
    rows = []
    for cell in found.cells:
        shown = [in_words(name, cell.middle[name]) for name in names]
        rows.append([f"`{cell.cell}`", *shown, *(ratio_in_words(cell.ratios.get(name)) for name in compared)])
    lines = [f"## {found.title}", "", experiment.question, "", *markdown_table(heads, rows)]
    servers = ", ".join(dict.fromkeys(cell.server for cell in found.cells))
    lines += ["", f"Medians of {len(found.cells[0].rounds)} rounds on {servers}, cells in turn."]
    lines += [f"- {HELD[one.held]}: `{one.condition}`" for one in found.expectations]
    return "\n".join(lines) + "\n"


def _ratios(cell: CellResult, against: str) -> list[str]:
    return [
        f"{HEADS[name]} of {cell.cell} / {against}: {ratio_in_words(interval)}"
        for name, interval in cell.ratios.items()
    ]
