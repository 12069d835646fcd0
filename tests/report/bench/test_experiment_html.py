"""The page of an experiment: what held first, cells with intervals, and what others published next to them."""

from __future__ import annotations

from advisor.bench.experiment.definition import find_experiment
from advisor.bench.experiment.results import summarise
from advisor.model.experiment import Experiment, ExperimentResult
from advisor.model.record import replace
from advisor.report.bench import experiment_html
from advisor.report.bench.experiment_charts import charts_of
from advisor.report.bench.experiment_text import as_markdown, as_text
from advisor.report.words.layout import Page
from tests.report.diagnosed import HOSTILE


def outcome(experiment: Experiment) -> ExperimentResult:
    """Three rounds, each cell slower than the one before it."""
    rounds = {
        cell.name: [
            {
                "peak": 1000.0 * factor / (1 + number), "sustained": 900.0 * factor / (1 + number), "throttled": 0.1,
                "slowest_apply": 890.0, "lag_ms": 40.0, "within_bound": True, "backlog_growth": 3.0, "p95_ms": 12.0,
                "catch_up_per_second": 500.0 * factor, "catch_up_seconds": 9.0, "left_behind": 4000,
            }
            for factor in (0.97, 1.0, 1.02)
        ]
        for number, cell in enumerate(experiment.cells)
    }  # fmt: skip
    servers = {cell.name: "mysql-9.7.4" for cell in experiment.cells}
    return summarise(experiment, servers, rounds, 1.8e9, ["too short"])


EXPERIMENT = find_experiment("group-size-read-write")


def test_the_page_says_what_held_and_shows_published_figures_next_to_measured_ones() -> None:
    text = experiment_html.render(EXPERIMENT, outcome(EXPERIMENT))
    assert "All 2 expectations held." in text
    assert "0.79 to 0.82" in text
    assert "An overview of the Group Replication performance" in text
    assert "[0.33, 0.33] (group_of_3)" in text
    assert "too short" in text


def test_cells_are_drawn_with_intervals_and_published_figures_on_the_same_rows() -> None:
    charts = {chart.id: chart for chart in charts_of(EXPERIMENT, outcome(EXPERIMENT))}
    assert list(charts) == ["ratio-peak", "ratio-sustained", "rates"]
    sustained = charts["ratio-sustained"]
    assert sustained.y.rows == ("group_of_2", "group_of_3", "group_of_5")
    measured, published = sustained.groups
    assert [round(point.x, 2) for point in measured.points] == [0.5, 0.33, 0.25]
    assert all(point.low is not None and point.high is not None for point in measured.points)
    assert [(point.y, point.x) for point in published.points] == [(0.0, 0.82), (1.0, 0.805), (2.0, 0.805)]
    assert [group.name for group in charts["ratio-peak"].groups] == ["measured here"]


def test_an_experiment_that_compares_with_no_cell_shows_its_rates() -> None:
    alone = find_experiment("group-flow-control")
    (chart,) = charts_of(alone, outcome(alone))
    assert [group.name for group in chart.groups] == ["peak tx/s", "sustained", "slowest apply"]


def test_what_is_unknown_is_not_drawn_and_what_did_not_hold_is_said() -> None:
    found = outcome(EXPERIMENT)
    blank = replace(found.cells[1], middle={**found.cells[1].middle, "sustained": None}, ratios={})
    broken = tuple(replace(one, held=held) for one, held in zip(found.expectations, (False, None), strict=True))
    some = replace(found, cells=(found.cells[0], blank, *found.cells[2:]), expectations=broken)
    text = experiment_html.render(EXPERIMENT, some)
    assert "0 of 2 expectations held, 1 did not, 1 cannot be decided." in text
    sustained = next(chart for chart in charts_of(EXPERIMENT, some) if chart.id == "ratio-sustained")
    assert [point.y for point in sustained.groups[0].points] == [1.0, 2.0]


def test_text_and_markdown_say_what_others_published_too() -> None:
    result = outcome(EXPERIMENT)
    text = as_text(EXPERIMENT, result, Page(80))
    assert max(map(len, text.splitlines())) <= 80
    assert "0.82 times the standalone server's rate; here 0.50 [0.50, 0.50] (group_of_2)" in text
    assert "source: An overview of the Group Replication performance" in text
    assert "| 0.79 to 0.82 | times the standalone server's rate | 0.33 [0.33, 0.33] (group_of_3) |" in as_markdown(
        EXPERIMENT, result
    )
    silent = find_experiment("galera-flow-control")
    assert "published" not in as_text(silent, outcome(silent), Page(80))


def test_hostile_texts_stay_text() -> None:
    named = replace(EXPERIMENT, question=HOSTILE, published=(replace(EXPERIMENT.published[0], what=HOSTILE),))
    text = experiment_html.render(named, replace(outcome(named), title=HOSTILE, warnings=(HOSTILE,)))
    assert "<script>alert" not in text
    assert "<img" not in text
