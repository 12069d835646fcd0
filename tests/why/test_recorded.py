"""Clusters recorded with one injected bottleneck, or none: the injected one comes first, and controls claim nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.evidence import read_path
from advisor.model.diagnosis import Diagnosis, Side
from advisor.why import diagnose

FIRST = {
    "1_gr_flowcontrol_throttled": "applier_single_threaded",
    "3_gr_tiny_redo": "redo_too_small",
    "3s_standalone_tiny8M_bp32M": "redo_too_small",
    "4_standalone_durable_1thread": "fsync_per_commit",
    "4c_standalone_relaxed_1thread": "serial_client",
    "5_semisync_slow_replica": "semisync_ack_latency",
    "6a_galera_1thread_durable_node": "galera_few_appliers",
    "7_mariadb_replica_threads0": "applier_single_threaded",
}
CONTROLS = ("0_gr_healthy", "3s_standalone_redo512M_bp128M", "5c_semisync_control", "6c_galera_control")


def diagnosed(shared: Path, case: str) -> Diagnosis:
    return diagnose(read_path(str(shared / "cases/recorded" / case)))


@pytest.mark.parametrize(("case", "first"), FIRST.items())
def test_the_injected_cause_comes_first_and_is_sure(shared: Path, case: str, first: str) -> None:
    suspect = diagnosed(shared, case).causes[0]
    assert (suspect.cause.id, suspect.confidence >= 0.5) == (first, True)


@pytest.mark.parametrize("case", CONTROLS)
def test_of_a_control_no_cause_is_claimed(shared: Path, case: str) -> None:
    """Nor that it is healthy: its clients ask for more all the time, and commits take most of their time."""
    assert not [suspect.cause.id for suspect in diagnosed(shared, case).causes if suspect.confidence >= 0.5]


def test_the_symptom_follows_its_deeper_cause_and_names_it(shared: Path) -> None:
    first, second, *_ = diagnosed(shared, "1_gr_flowcontrol_throttled").causes
    assert (second.cause.id, second.deeper[0]) == ("gr_flow_control", first.cause.id)
    assert (first.member, second.member) == ("g3", "g1")


def test_the_time_breakdown_accounts_for_the_clients_time(shared: Path) -> None:
    breakdown = diagnosed(shared, "1_gr_flowcontrol_throttled").time_breakdown
    largest = breakdown.shares[0]
    assert (largest.what, largest.side, largest.member) == ("flow control of the group", Side.CLIENT, "g1")
    assert largest.share == pytest.approx(0.93, abs=0.01)
    assert breakdown.explained == pytest.approx(1, abs=0.02)
    assert breakdown.little == pytest.approx(0.94, abs=0.01)


def test_what_was_read_after_the_load_is_left_out(shared: Path) -> None:
    diagnosis = diagnosed(shared, "0_gr_healthy")
    assert diagnosis.interval_seconds == pytest.approx(8.98, abs=0.01)
    assert diagnosis.throughput_per_second == pytest.approx(1782, abs=1)


def test_more_workers_are_predicted_to_give_about_what_they_gave(shared: Path) -> None:
    predicted = diagnosed(shared, "1_gr_flowcontrol_throttled").causes[0].predicted
    assert predicted is not None
    # Measured with 16 workers: 778 to 954; the prediction is for the four that two processors are advised.
    assert predicted.low < 778 < predicted.high * 1.25


def test_what_acknowledgements_cost_is_predicted_from_the_control(shared: Path) -> None:
    predicted = diagnosed(shared, "5_semisync_slow_replica").causes[0].predicted
    control = diagnosed(shared, "5c_semisync_control").throughput_per_second
    assert predicted is not None
    assert control is not None
    assert predicted.mid == pytest.approx(control, rel=0.25)
