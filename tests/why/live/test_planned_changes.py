"""What is tried on a running cluster: the first answer that advises a setting, or flow control; told in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.cli.why.observe import observe
from advisor.errors import UsageError
from advisor.evidence import read_path
from advisor.model.diagnosis import LiveChange
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.why import diagnose
from advisor.why.live.planned_changes import as_observation, first_advice, sentence_on
from advisor.why.live.throughput import Throughput, flaw_of

CHANGE = LiveChange(
    settings={"m1": {"group_replication_flow_control_mode": "DISABLED"}},
    before={"m1": {"group_replication_flow_control_mode": "QUOTA"}},
    member="m1",
    applied=False,
    without=24.0,
    during=312.0,
    seconds=5.0,
)


def test_without_a_sure_cause_nothing_is_tried(tmp_path: Path) -> None:
    cluster = Cluster("nothing", ())
    with pytest.raises(UsageError, match="no cause"):
        first_advice(diagnose(lone("[mysqld]\n", tmp_path)), cluster, 10.0)


def test_what_was_measured_is_told_with_both_rates() -> None:
    sentence = sentence_on(CHANGE)
    assert "312 instead of 24 transactions per second" in sentence
    assert "restored" in sentence


def test_flow_control_that_was_switched_off_decides_the_cause(tmp_path: Path) -> None:
    text = (
        "[mysqld]\ngroup_replication_group_name = 8a94f357-aab4-11df-86ab-c80aa9429562\nreplica_parallel_workers = 1\n"
    )
    cluster = observe(lone(text, tmp_path), ["throughput_per_second=24", as_observation(CHANGE)])
    assert "gr_flow_control" in [one.cause.id for one in diagnose(cluster).causes if one.confidence >= 0.5]


def test_a_load_that_ends_meanwhile_measures_nothing_and_is_no_evidence() -> None:
    before = Throughput(rate=900.0, load=900.0, backlog=0, silent_seconds=0.0, seconds=5.0)
    ended = Throughput(rate=400.0, load=400.0, backlog=0, silent_seconds=5.0, seconds=10.0)
    went_on = Throughput(rate=1200.0, load=1200.0, backlog=0, silent_seconds=0.2, seconds=10.0)
    gone = Throughput(rate=0.0, load=0.0, backlog=0, silent_seconds=5.0, seconds=5.0)
    assert "the load ended" in flaw_of(before, ended, gone)
    assert "900 transactions per second before, 0 after" in flaw_of(before, went_on, gone)
    flawed = replace(CHANGE, flaw=flaw_of(before, ended, gone))
    assert as_observation(flawed) == ""
    assert "Nothing could be measured" in sentence_on(flawed)
    assert "restored" in sentence_on(flawed)


def test_writers_that_are_held_back_after_it_or_commit_seldom_are_no_end_of_the_load() -> None:
    before = Throughput(rate=227.0, load=227.0, backlog=500, silent_seconds=0.1, seconds=2.5)
    during = Throughput(rate=1500.0, load=1500.0, backlog=9000, silent_seconds=0.1, seconds=5.0)
    after = Throughput(rate=22.0, load=22.0, backlog=9000, silent_seconds=0.3, seconds=2.5)
    assert flaw_of(before, during, after) == ""
    seldom = Throughput(rate=0.5, load=0.5, backlog=0, silent_seconds=3.0, seconds=10.0)
    assert flaw_of(seldom, seldom, seldom) == ""


def lone(text: str, folder: Path) -> Cluster:
    path = folder / "my.cnf"
    path.write_text(text)
    return read_path(str(path))
