"""What is shown of runs on a terminal: 80 columns, a question mark for what is unknown."""

from __future__ import annotations

from advisor.bench.search.threshold_search import find_threshold
from advisor.bench.statistics.paired_runs import ratios
from advisor.model.measurement import Comparison, Interval, Measurement, Probe, Run
from advisor.model.record import replace
from advisor.report.bench.text import comparison_as_text, measurement_as_text, search_as_text, sweep_as_text
from advisor.report.words.amounts import rate
from advisor.report.words.layout import Page


def narrow(text: str) -> bool:
    return max(map(len, text.splitlines())) <= 80


def test_a_run_is_shown_in_eighty_columns_and_at_most_two_hundred_words(slow: Run):
    text = measurement_as_text(slow.measurement, Page(80))
    assert narrow(text)
    assert len(text.split()) < 200
    assert "within limit  no: the lag p95 of m2 is" in text
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
    warnings = tuple(f"warning {number}" for number in range(9))
    text = sweep_as_text([replace(slow.measurement, warnings=warnings)] * 2, Page(80))
    assert [line.strip() for line in text.splitlines() if line.startswith("  !")] == [
        *(f"! 8 threads: warning {number}" for number in range(4)), "! 5 more warnings are in the JSON report",
    ]  # fmt: skip


def test_a_search_shows_every_probe(slow: Run):
    found = find_threshold(lambda at: Probe(at, at, at < 500, "", 20.0), 450, 1000.0)
    text = search_as_text(found, Page(80))
    assert narrow(text)
    assert ", confirmed at 0.9 and 1.2 times that" in text
    assert len([line for line in text.splitlines() if line.endswith("20 ms")]) == len(found.probes)


def test_a_comparison_says_what_is_not_significant(slow: Run):
    twice = replace(slow.measurement, peak_per_second=2 * slow.measurement.peak_per_second)
    a, b = (slow.measurement,) * 3, (twice,) * 3
    found = Comparison({"sync_binlog": "0"}, ratios(a, b), a, b)
    text = comparison_as_text(found, Page(80))
    assert "B is 2.00 (2.00 to 2.00) times A" in text
    assert "sustained     B is 1.00 (1.00 to 1.00) times A: not significant" in text
    assert narrow(text)
