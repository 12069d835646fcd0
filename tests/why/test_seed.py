"""The option file behind "only 4000 inserts/s", with nothing but an observed rate."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.cli.why.observe import observe
from advisor.evidence import read_path
from advisor.model.diagnosis import Diagnosis
from advisor.why import diagnose


@pytest.fixture
def diagnosis(shared: Path, tmp_path: Path) -> Diagnosis:
    lines = (shared / "seeds/000_43e547996405c08a.txt").read_text(encoding="utf-8").splitlines()
    block = takewhile(lambda line: not line.strip().startswith("1. "), lines[lines.index("        [mysqld]") :])
    file = tmp_path / "my.cnf"
    file.write_text("".join(f"{line.removeprefix('        ')}\n" for line in block), encoding="utf-8")
    cluster = observe(read_path(str(file)), ["throughput_per_second=5300"])
    return diagnose(cluster, parse_release("mysql-5.7.15"))


def test_the_applier_comes_first_then_flow_control_then_gtids_and_small_transactions(diagnosis: Diagnosis) -> None:
    told = [suspect.cause.id for suspect in diagnosis.causes if suspect.confidence > 0.05]
    assert told == ["applier_single_threaded", "gr_flow_control", "gtid_overhead", "tiny_transactions"]
    assert [suspect.confidence >= 0.5 for suspect in diagnosis.causes[:4]] == [True, True, False, False]


def test_settings_of_durability_are_findings_and_no_causes(diagnosis: Diagnosis) -> None:
    assert {finding.rule.id for finding in diagnosis.durability_findings} >= {
        "doublewrite-off",
        "flush-method-loses-file-size",
    }
    assert not {"fsync_per_commit", "doublewrite_cost"} & {s.cause.id for s in diagnosis.causes if s.confidence > 0.1}


def test_the_one_measurement_that_confirms_it_is_named(diagnosis: Diagnosis) -> None:
    assert diagnosis.next is not None
    assert "group_replication_flow_control_mode = DISABLED" in diagnosis.next.command
    assert diagnosis.next.between == ("applier_single_threaded", "gr_flow_control")


def test_the_advice_is_parallel_application_in_order(diagnosis: Diagnosis) -> None:
    assert {change.name: change.value for change in diagnosis.causes[0].changes} == {
        "slave_parallel_type": "LOGICAL_CLOCK",
        "slave_parallel_workers": "16",  # in a group, whatever the CPUs
        "slave_preserve_commit_order": "ON",
    }


def test_the_reply_has_at_most_five_sentences_and_no_names_of_counters(diagnosis: Diagnosis) -> None:
    assert 3 <= len(diagnosis.summary) <= 5
    assert "5300 transactions per second" in diagnosis.summary[0]
    assert not any("Gr_" in sentence or "fact." in sentence for sentence in diagnosis.summary)
