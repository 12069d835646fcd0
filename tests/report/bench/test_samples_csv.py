"""The moments of a run as CSV."""

from __future__ import annotations

import csv
import io

from advisor.model.measurement import Run
from advisor.report.bench.samples_csv import COLUMNS, samples_as_csv


def test_the_csv_has_a_line_per_moment_and_member_with_unknown_as_empty(slow: Run):
    rows = list(csv.DictReader(io.StringIO(samples_as_csv([slow.seconds]))))
    assert len(rows) == 2 * len(slow.seconds)
    assert tuple(rows[0]) == COLUMNS
    assert rows[0]["applied_per_second"] == ""
    assert rows[1]["applied_per_second"] == "400"
    assert [rows[0]["load_latency_ms"], rows[1]["load_latency_ms"]] == ["10.0", ""]
    assert {row["phase"] for row in rows} == {"measure", "drain"}
