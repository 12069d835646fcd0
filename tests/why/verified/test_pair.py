"""What is kept of a verified change: the rates, the cause and the names of settings; nothing of the cluster's own."""

from __future__ import annotations

import pytest

from advisor.model.record import replace
from advisor.why.verified.lines import as_line
from advisor.why.verified.pair import pair_of
from tests.report.diagnosed import diagnosis
from tests.why.verified.a_change import CHANGE

AT = "2026-11-22T10:00:00Z"


def test_a_pair_has_what_was_predicted_and_what_was_measured() -> None:
    pair = pair_of(CHANGE, diagnosis(), AT)
    assert pair is not None
    assert (pair.cause, pair.low, pair.mid, pair.high) == ("applier_single_threaded", 1900, 2600, 3400)
    assert (pair.without, pair.measured, pair.ratio) == (1180, 3120, 1.2)
    assert (pair.topology, pair.release, pair.at) == ("group_replication", "mysql 8.0.36", AT)


def test_it_has_no_name_of_a_host_and_no_value_of_a_setting() -> None:
    pair = pair_of(CHANGE, diagnosis(), AT)
    assert pair is not None
    assert pair.settings == ("replica_parallel_type", "replica_parallel_workers")
    assert "db2" not in as_line(pair)
    assert "LOGICAL_CLOCK" not in as_line(pair)
    assert "incident" not in as_line(pair)


def test_a_prediction_that_was_corrected_is_kept_as_it_was_before() -> None:
    default = CHANGE.predicted
    assert default is not None
    corrected = replace(default, mid=3000.0, verified=3, uncorrected=default)
    assert pair_of(replace(CHANGE, predicted=corrected), diagnosis(), AT) == pair_of(CHANGE, diagnosis(), AT)


@pytest.mark.parametrize(
    "changes",
    [
        {"flaw": "the load ended: no further transaction was committed"},
        {"stopped": "db3 had a backlog of 60000 transactions, above the limit of 50000"},
        {"predicted": None},
        {"cause": ""},  # an experiment
        {"during": 0.0},
    ],
)
def test_what_says_nothing_of_a_prediction_is_not_kept(changes: dict[str, object]) -> None:
    assert pair_of(replace(CHANGE, **changes), diagnosis(), AT) is None
