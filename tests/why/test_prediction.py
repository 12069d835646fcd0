"""What follows for an advice: a range of rates, or nothing where CPU time was not measured."""

from __future__ import annotations

from advisor.check.cases import build_cluster
from advisor.why import diagnose
from tests.why.lone_writer import ALONE


def test_the_deliberate_wait_is_named_and_its_end_predicted() -> None:
    first = diagnose(build_cluster(ALONE, "test")).causes[0]
    assert first.cause.id == "commit_delay_setting"
    assert first.predicted is not None
    assert 400 < first.predicted.low < first.predicted.mid <= first.predicted.high


def test_nothing_is_predicted_where_cpu_time_was_not_measured() -> None:
    first = diagnose(build_cluster({**ALONE, "host": {"cpus": 2}}, "test")).causes[0]
    assert (first.cause.id, first.predicted) == ("commit_delay_setting", None)
