"""What is written of a run: for people within 80 columns, for programs by the schema, for spreadsheets as CSV."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

from advisor.bench.measure.summary import summarise
from advisor.bench.search.threshold_search import find_threshold
from advisor.bench.statistics.paired_runs import ratios
from advisor.model.measurement import Comparison, Interval, Measurement, Probe, Run
from advisor.model.record import replace
from advisor.report.bench.document import document
from advisor.report.bench.live_lines import LiveLines
from advisor.report.bench.samples_csv import COLUMNS, samples_as_csv
from advisor.report.bench.text import comparison_as_text, measurement_as_text, search_as_text, sweep_as_text
from advisor.report.words.amounts import duration, rate, ratio
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table
from tests.bench.synthetic_runs import CIRCUMSTANCES, synthetic_run


@pytest.fixture
def slow() -> Run:
    """A run with a member that cannot keep up."""
    seconds = synthetic_run(1000, 400)
    return Run(summarise(CIRCUMSTANCES, seconds), tuple(seconds), 1.8e9)


def narrow(text: str) -> bool:
    return max(map(len, text.splitlines())) <= 80


def test_a_run_is_told_in_eighty_columns_and_at_most_two_hundred_words(slow: Run):
    text = measurement_as_text(slow.measurement, Page(80))
    assert narrow(text)
    assert len(text.split()) < 200
    assert "within bound  no: m2 lags: 5 % of the time by more than" in text
    assert "throttled     25%" in text


def test_unknown_is_a_question_mark_and_what_does_not_apply_is_empty(slow: Run):
    blind = replace(slow.measurement.members[1], applied_per_second=None, backlog_max=None, lag_ms={},
                    drain_seconds=None, backlog_slope_per_second=Interval(None, None, None))  # fmt: skip
    text = measurement_as_text(replace(slow.measurement, members=(slow.measurement.members[0], blind)), Page(80))
    rows = [line.split() for line in text.splitlines() if line.startswith("  m")][-3:]
    assert rows[2][-7:] == ["?", "?", "?", "?", "?", "?", "?"]
    assert rows[1][-1:] == [rate(slow.measurement.members[0].committed_per_second)]


def test_several_runs_are_a_line_each(slow: Run):
    runs: list[Measurement] = [
        replace(slow.measurement, load=replace(slow.measurement.load, threads=threads)) for threads in (1, 16, 256)
    ]
    text = sweep_as_text(runs, Page(80))
    assert narrow(text)
    assert [line.split()[0] for line in text.splitlines()[1:4]] == ["1", "16", "256"]


def test_many_warnings_of_several_runs_are_counted_after_the_first_four(slow: Run):
    said = tuple(f"warning {number}" for number in range(9))
    text = sweep_as_text([replace(slow.measurement, warnings=said)] * 2, Page(80))
    assert [line.strip() for line in text.splitlines() if line.startswith("  !")] == [
        *(f"! 8 threads: warning {number}" for number in range(4)), "! 5 more warnings are in the JSON report",
    ]  # fmt: skip


def test_a_search_shows_every_probe(slow: Run):
    found = find_threshold(lambda at: Probe(at, at, at < 500, "", 20.0), 450, 1000.0)
    text = search_as_text(found, Page(80))
    assert narrow(text)
    assert ", confirmed at 0.9 and 1.2 of it" in text
    assert len([line for line in text.splitlines() if line.endswith("20 ms")]) == len(found.probes)


def test_a_comparison_says_so_when_no_difference_is_shown(slow: Run):
    twice = replace(slow.measurement, peak_per_second=2 * slow.measurement.peak_per_second)
    a, b = (slow.measurement,) * 3, (twice,) * 3
    found = Comparison({"sync_binlog": "0"}, ratios(a, b), a, b)
    text = comparison_as_text(found, Page(80))
    assert "B is 2.00 (2.00 to 2.00) of A" in text
    assert "sustained     B is 1.00 (1.00 to 1.00) of A: no difference shown" in text
    assert narrow(text)


def test_the_json_is_what_the_schema_says(slow: Run, checkout: Path):
    schema = json.loads((checkout / "schemas/measurement.json").read_text(encoding="utf-8"))
    search = find_threshold(lambda at: Probe(at, at, at < 500, ""), 450, 1000.0)
    comparison = Comparison({"x": "1"}, ratios([slow.measurement], [slow.measurement]), (slow.measurement,), ())
    told = json.loads(json.dumps(document([slow], search, comparison)))
    jsonschema.validate(told, schema)
    assert told["runs"][0]["seconds"][0]["at_seconds"] == 0.0
    assert told["runs"][0]["measurement"]["members"][0]["backlog_max"] is None
    del told["runs"][0]["measurement"]["steady"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(told, schema)


def test_the_csv_has_a_line_per_moment_and_member_with_unknown_as_empty(slow: Run):
    rows = list(csv.DictReader(io.StringIO(samples_as_csv([slow.seconds]))))
    assert len(rows) == 2 * len(slow.seconds)
    assert tuple(rows[0]) == COLUMNS
    assert rows[0]["applied_per_second"] == ""
    assert rows[1]["applied_per_second"] == "400"
    assert [rows[0]["load_latency_ms"], rows[1]["load_latency_ms"]] == ["10.0", ""]
    assert {row["phase"] for row in rows} == {"measure", "drain"}


def test_lines_of_a_terminal_line_up_and_name_a_member_that_fails(slow: Run):
    live = LiveLines(Page(80))
    heading, first, second = live.lines(slow.seconds[0])
    assert len(first) <= len(heading) <= 80
    assert second.split()[0] == "m2"
    failed = replace(slow.seconds[1].members[1], error="gone")
    assert live.lines(replace(slow.seconds[1], members=(failed,)))[-1].endswith("gone")
    waiting = replace(slow.seconds[1].members[0], throttled_share=None, throttled_clients=2.25)
    line = live.lines(replace(slow.seconds[1], members=(waiting,)))[-1]
    assert line.endswith("2.2 wait")
    assert len(line) <= len(heading), "a group counts its clients together"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "?"), (0.0, "0"), (0.26, "0.3"), (9.96, "10"), (12345.6, "12,346"), (-3.0, "-3.0")],
)
def test_rates_have_figures_enough(value: float | None, text: str):
    assert rate(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "?"), (0.0, "0 ms"), (2.34, "2.3 ms"), (12.6, "13 ms"), (999.6, "1.0 s"), (6e4, "60.0 s")],
)
def test_times_are_in_milliseconds_below_a_second(value: float | None, text: str):
    assert duration(value) == text


def test_a_ratio_without_an_interval_is_written_alone():
    assert ratio(Interval(None, 1.5, None)) == "1.50"
    assert ratio(Interval(None, None, None)) == "?"


def test_a_column_empty_everywhere_takes_no_room():
    assert text_table([["a", "b", "c"], ["x", "", "10"]]) == ["a   c", "x  10"]
