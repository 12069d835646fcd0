"""What is written into the bundle of a run."""

from __future__ import annotations

import pytest

from advisor.bench.bundle_recording import observations
from advisor.bench.measure.summary import summarise
from advisor.data import parse_documents
from tests.bench.synthetic_runs import CIRCUMSTANCES, synthetic_run


def test_what_a_run_knows_goes_into_its_bundle_in_the_words_of_the_format():
    measurement = summarise(CIRCUMSTANCES, synthetic_run(1000, 2000))
    observed = next(parse_documents(observations(measurement), "observations.yaml"))
    assert observed["clients"] == "8"
    assert float(observed["throughput_per_second"]) == pytest.approx(measurement.peak_per_second, abs=0.1)
    assert observed["latency_ms"] == {"p95": "12.00"}
