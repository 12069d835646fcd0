"""The JSON report of a run is what its schema promises."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from advisor.bench.search.threshold_search import find_threshold
from advisor.bench.statistics.paired_runs import ratios
from advisor.model.measurement import Comparison, Probe, Run
from advisor.report.bench.document import document


def test_the_json_is_what_the_schema_says(slow: Run, checkout: Path):
    schema = json.loads((checkout / "schemas/measurement.json").read_text(encoding="utf-8"))
    search = find_threshold(lambda at: Probe(at, at, at < 500, ""), 450, 1000.0)
    comparison = Comparison({"x": "1"}, ratios([slow.measurement], [slow.measurement]), (slow.measurement,), ())
    report = json.loads(json.dumps(document([slow], search, comparison)))
    jsonschema.validate(report, schema)
    assert report["runs"][0]["seconds"][0]["at_seconds"] == 0.0
    assert report["runs"][0]["measurement"]["members"][0]["backlog_max"] is None
    del report["runs"][0]["measurement"]["steady"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, schema)
