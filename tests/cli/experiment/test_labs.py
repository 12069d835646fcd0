"""What a cell of an experiment says of its lab."""

from __future__ import annotations

import pytest

from advisor.bench.experiment.definition import experiment_names, find_experiment
from advisor.cli.experiment.labs import CellFault, faults_of, request_for
from advisor.errors import InputError
from advisor.lab.faults import find_fault
from advisor.model.experiment import Cell

EXPERIMENT = find_experiment("group-flow-control")


def test_a_fault_has_a_member_and_may_have_parameters():
    cell = Cell("one", {"topology": "asynchronous", "faults": ("2:slow_disk", "1:latency:milliseconds=20,jitter=2")})
    assert faults_of(EXPERIMENT, cell) == [
        CellFault("slow_disk", "2", {}),
        CellFault("latency", "1", {"milliseconds": "20", "jitter": "2"}),
    ]


@pytest.mark.parametrize("text", ["slow_disk", "m2:slow_disk", "2:", "2:slow_disk:writes_per_second"])
def test_what_is_not_a_fault_of_a_member_is_refused(text: str):
    with pytest.raises(InputError, match="does not name a member and a fault"):
        faults_of(EXPERIMENT, Cell("one", {"topology": "asynchronous", "faults": text}))


@pytest.mark.parametrize("name", experiment_names())
def test_the_faults_of_shipped_experiments_exist(name: str):
    experiment = find_experiment(name)
    for cell in experiment.cells:
        for fault in faults_of(experiment, cell):
            assert find_fault(fault.name)


@pytest.mark.parametrize(
    ("lab", "message"),
    [
        ({"topology": "asynchronous", "speed": "9"}, "cell one: unknown option 'speed'"),
        ({"topology": "asynchronous", "members": "two"}, "cell one: members: 'two' is not a number"),
    ],
)
def test_a_wrong_option_of_a_lab_is_refused(lab: dict[str, str], message: str):
    with pytest.raises(InputError, match=message):
        request_for(EXPERIMENT, Cell("one", lab), "lab")
