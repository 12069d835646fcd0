"""The result of an experiment in every format it is offered in."""

from __future__ import annotations

import json

import pytest

from advisor.bench.experiment.definition import find_experiment
from advisor.cli.experiment.run import render
from advisor.cli.shared.formats import ReportFormat
from tests.report.bench.test_experiment_html import outcome

EXPERIMENT = find_experiment("semisync-against-async")


@pytest.mark.parametrize("form", ReportFormat)
def test_every_format_names_every_cell(form: ReportFormat) -> None:
    text = render(EXPERIMENT, outcome(EXPERIMENT), form)
    assert text.endswith("\n")
    assert all(cell.name in text for cell in EXPERIMENT.cells)


def test_html_is_a_page_and_json_is_json() -> None:
    assert render(EXPERIMENT, outcome(EXPERIMENT), ReportFormat.HTML).startswith("<!DOCTYPE html>")
    assert json.loads(render(EXPERIMENT, outcome(EXPERIMENT), ReportFormat.JSON))["experiment"] == EXPERIMENT.id
