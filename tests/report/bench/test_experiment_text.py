"""An experiment as text: within 80 columns, with ratios and what became of each expectation."""

from __future__ import annotations

from advisor.bench.experiment.definition import experiment_names, find_experiment
from advisor.bench.experiment.results import summarise
from advisor.report.bench.experiment_text import as_markdown, as_text, list_as_text
from advisor.report.words.layout import Page

EXPERIMENT = find_experiment("galera-flow-control")
FIGURES = {
    "flow_control": {"peak": 1000.0, "sustained": 1000.0, "slowest_apply": 1000.0, "throttled": 0.8, "lag_ms": 50.0},
    "no_flow_control": {"peak": 4000.0, "sustained": 3000.0, "slowest_apply": 800.0, "lag_ms": 12600.0},
}
RESULT = summarise(
    EXPERIMENT, dict.fromkeys(FIGURES, "mariadb-10.11.19"), {cell: [row] for cell, row in FIGURES.items()}, 0.0,
    ["flow_control: this machine's CPUs were 97% busy: they are the limit, not any single setting"],
)  # fmt: skip


def test_the_list_and_a_result_fit_a_terminal():
    for text in (
        list_as_text([find_experiment(name) for name in experiment_names()], Page(80)),
        as_text(EXPERIMENT, RESULT, Page(80)),
    ):
        assert max(map(len, text.splitlines())) <= 80


def test_expectations_are_held_broken_or_unknown():
    text = as_text(EXPERIMENT, RESULT, Page(80))
    assert "held      flow_control.throttled > 0.5" in text
    assert "NOT held  no_flow_control.peak >= 2 * no_flow_control.sustained" in text
    assert "unknown   not no_flow_control.within_bound" in text
    assert "medians of 1 round; the configurations were run one after another" in text


def test_markdown_has_a_row_for_each_cell():
    rows = [line for line in as_markdown(EXPERIMENT, RESULT).splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == ["flow_control", "no_flow_control"]
