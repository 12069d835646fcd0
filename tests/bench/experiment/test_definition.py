"""Experiments as data: the shipped ones, wrong ones, and what rounds come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.bench.experiment.definition import experiment_names, find_experiment, read_experiment
from advisor.bench.experiment.results import summarise
from advisor.bench.load.workloads import workload_names
from advisor.errors import AdvisorError
from advisor.topologies import find_topology

TEXT = """
title: Two cells
question: Which is faster?
load: {workload: update_index, threads: 4}
against: one
figures: [peak, sustained, within_bound]
cells:
  one: {lab: {topology: standalone}}
  two: {lab: {topology: standalone, set: [sync_binlog=0]}}
expect:
  - two.peak > one.peak
  - two.within_bound
"""


@pytest.mark.parametrize("name", experiment_names())
def test_a_shipped_experiment_names_a_topology_and_a_workload_that_exist(name: str) -> None:
    experiment = find_experiment(name)
    assert experiment.load.workload in workload_names()
    assert experiment.rounds >= 3
    for cell in experiment.cells:
        assert find_topology(str(cell.lab["topology"]))


def written(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_values_stay_as_written(tmp_path: Path) -> None:
    experiment = read_experiment(written(tmp_path, TEXT))
    assert experiment.cells[1].lab["set"] == ("sync_binlog=0",)
    assert (experiment.rounds, experiment.lag_bound_ms) == (3, 1000.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("against: one", "against: three", "there is no cell 'three'"),
        ("figures: [peak,", "figures: [peek,", "unknown figure 'peek'"),
        ("two.within_bound", "two.speed > 1", "'two.speed' does not name a figure of a cell"),
        ("two.within_bound", "two.within_bound >", "expect: two.within_bound >"),
        ("threads: 4", "threads: many", "'many' is not a whole number"),
        ("title: Two cells", "caption: Two cells", "unknown key 'caption'"),
        ("  one: {lab: {topology: standalone}}", "  one: {lab: {members: 2}}", "topology is missing"),
    ],
)
def test_what_is_wrong_is_named_with_its_file(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(AdvisorError) as raised:
        read_experiment(written(tmp_path, TEXT.replace(old, new)))
    assert said in str(raised.value)
    assert "mine.yaml" in str(raised.value)


def test_rounds_come_to_medians_paired_ratios_and_expectations(tmp_path: Path) -> None:
    experiment = read_experiment(written(tmp_path, TEXT))
    rounds = {
        "one": [{"peak": 100.0, "within_bound": True}, {"peak": 200.0, "within_bound": True}, {"peak": 50.0}],
        "two": [
            {"peak": 210.0, "within_bound": True},
            {"peak": 390.0, "within_bound": True},
            {"peak": 100.0, "within_bound": False},
        ],
    }
    found = summarise(experiment, {"one": "a", "two": "b"}, rounds, 0.0, ["said", "said"])
    one, two = found.cells
    assert (one.middle["peak"], two.middle["peak"]) == (100.0, 210.0)
    assert one.middle["sustained"] is None
    assert (one.middle["within_bound"], two.middle["within_bound"]) == (None, True)
    ratio = two.ratios["peak"]
    assert ratio.low is not None
    assert ratio.mid is not None
    assert ratio.low < 1.95 < ratio.mid < 2.05
    assert [expectation.held for expectation in found.expectations] == [True, True]
    assert found.warnings == ("said",)


def test_an_expectation_about_something_unknown_is_neither_held_nor_broken(tmp_path: Path) -> None:
    experiment = read_experiment(written(tmp_path, TEXT))
    found = summarise(experiment, {"one": "", "two": ""}, {"one": [{"peak": None}], "two": [{"peak": 2.0}]}, 0.0, ())
    assert [expectation.held for expectation in found.expectations] == [None, None]
