"""One figure says how much two loads resemble each other; figures of a log and of counters are those of the load."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading
from advisor.model.workload.fidelity import FIGURES, Fidelity
from advisor.report.words.fidelity import fidelity_lines, fidelity_sentence
from advisor.workload.fidelity import fidelity
from advisor.workload.figures import are_prepared, counted_figures, figures_of

SAMPLES = Path(__file__).parents[1] / "binlog/samples"
THEIRS = {
    "commits_per_second": 900.0, "rows_median": 4.0, "rows_p99": 8.0, "bytes_median": 1000.0, "bytes_p99": 1200.0,
    "lock_waits_per_commit": 0.0, "read_share": 0.7,
}  # fmt: skip


def test_a_load_resembles_itself() -> None:
    found = fidelity(THEIRS, THEIRS, rate_offered=True)
    assert found.score == pytest.approx(1.0)
    assert all(figure.in_tolerance for figure in found.figures)


def test_figures_of_one_aspect_count_once_and_one_aspect_far_off_is_another_load() -> None:
    assert fidelity(THEIRS, {**THEIRS, "rows_p99": 4.0}, True).score == pytest.approx(0.75 ** (1 / 5))
    writes_only = fidelity(THEIRS, {**THEIRS, "read_share": 0.0}, True)
    assert writes_only.score is not None
    assert writes_only.score < 0.8
    assert [figure.name for figure in writes_only.figures if not figure.in_tolerance] == ["read_share"]


def test_next_to_nothing_resembles_nothing() -> None:
    assert fidelity(THEIRS, {**THEIRS, "lock_waits_per_commit": 0.002}, True).score == pytest.approx(1.0, abs=0.01)


def test_the_rate_counts_only_where_one_was_offered() -> None:
    slower = {**THEIRS, "commits_per_second": 90.0}
    assert fidelity(THEIRS, slower, rate_offered=False).score == pytest.approx(1.0)
    offered = fidelity(THEIRS, slower, rate_offered=True).score
    assert offered is not None
    assert offered < 0.8
    rate = fidelity(THEIRS, slower, rate_offered=False).figures[0]
    assert (rate.in_tolerance, rate.counts) == (False, False)


def test_what_one_side_does_not_know_is_unknown() -> None:
    found = fidelity(THEIRS, {"rows_median": 4.0, "group_size": 3.0}, False)
    assert found.score == pytest.approx(1.0)
    assert {figure.name for figure in found.figures if figure.in_tolerance is None} == {
        "commits_per_second", "rows_p99", "bytes_median", "bytes_p99", "lock_waits_per_commit", "read_share",
        "group_size",
    }  # fmt: skip
    assert fidelity({}, {}, False) == Fidelity((), None)
    assert "unknown" in fidelity_sentence(Fidelity((), None))


def test_the_report_fits_and_says_what_a_low_figure_is_worth() -> None:
    theirs = dict.fromkeys(FIGURES, 1234.5)
    lines = fidelity_lines(fidelity(theirs, {name: value / 2 for name, value in theirs.items()}, False))
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("fidelity 0.50 of 1: below 0.8, so this run proves little for production")
    assert fidelity_sentence(fidelity(theirs, theirs, False)) == "fidelity 1.00 of 1"


@pytest.mark.parametrize("folder", ["mysql-9.7.4", "mariadb-10.11.19"])
def test_a_log_gives_figures(folder: str) -> None:
    reading = LogReading([str(SAMPLES / folder)], Wanted(keys=True))
    found = figures_of(reading, reading.transactions())
    assert found["rows_median"] == 1
    assert found["statements_p99"] >= 2
    assert 50 < found["bytes_median"] < found["bytes_p99"]
    assert ("group_size" in found) == folder.startswith("mariadb"), "MySQL 9.7 has write sets"


def test_counters_give_figures_and_a_restart_gives_none() -> None:
    before = {"Uptime": "100", "Com_select": "10", "Com_update": "0", "Innodb_os_log_fsyncs": "5", "Version": "x"}
    after = {"Uptime": "110", "Com_select": "40", "Com_update": "10", "Innodb_os_log_fsyncs": "25", "Version": "x"}
    assert counted_figures(before, after, 40) == {"syncs_per_commit": 0.5, "read_share": 0.75}
    assert counted_figures(after, before, 40) == {}
    assert counted_figures(before, after, 0) == {}


def test_statements_are_prepared_if_most_of_those_on_tables_were() -> None:
    before = {"Com_stmt_execute": "0", "Com_select": "5", "Com_update": "5"}
    after = {"Com_stmt_execute": "80", "Com_select": "65", "Com_update": "45"}
    assert are_prepared(before, after)
    assert not are_prepared(before, {**after, "Com_stmt_execute": "40"})
    assert not are_prepared(after, after)
