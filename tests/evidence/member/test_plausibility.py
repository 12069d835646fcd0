"""Figures of a machine or a load that cannot be true: refused where they are read."""

from __future__ import annotations

import pytest

from advisor.errors import InputError
from advisor.evidence.formats.host import add_host_json
from advisor.evidence.formats.observations import read_observations
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.plausibility import flaw_of, is_figure


@pytest.mark.parametrize(
    ("name", "value", "flaw"),
    [
        ("cpus", 0.5, ""),
        ("cpus", 0, "must be more than zero"),
        ("machine.cpus", 0, "must be more than zero"),
        ("server_cpus", 0, ""),
        ("clients", -1, "must not be negative"),
        ("clients", float("inf"), "larger than any counter can be"),
        ("clients", float("nan"), "larger than any counter can be"),
        ("clients", 10**400, "larger than any counter can be"),
        ("clients", True, "not a number"),
        ("fsync_ms", "2 ms", "not a number"),
        ("cpu_util", 1, ""),
        ("cpu_util", 95, "more than 1; write shares as fractions, e.g. 0.95 for 95 %"),
        ("iowait", 1.5, "more than 1; write shares as fractions, e.g. 0.95 for 95 %"),
    ],
)
def test_a_figure_is_possible_or_what_is_wrong_with_it_is_said(name: str, value: object, flaw: str) -> None:
    assert flaw_of(name, value) == flaw


def test_names_that_stand_for_words_are_no_figures() -> None:
    names = ("storage", "filesystem", "cpus_model", "data_disk_rotational", "cpus", "threads_starved", "fsync_ms")
    assert [name for name in names if is_figure(name)] == ["cpus", "threads_starved", "fsync_ms"]


def test_what_host_json_cannot_mean_is_left_out_and_told_and_the_rest_is_used() -> None:
    builder = MemberBuilder()
    add_host_json(builder, {"cpus": "many", "cpu_util": 95, "memory_bytes": 4, "storage": "nvme", "iops": None}, "h")
    assert {name: fact.value for name, fact in builder.host.items()} == {"memory_bytes": 4, "storage": "nvme"}
    assert builder.problems == [
        "h: cpus is 'many': not a number; ignored",
        "h: cpu_util is 95: more than 1; write shares as fractions, e.g. 0.95 for 95 %; ignored",
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("throughput_per_second: -5", "throughput_per_second is -5: must not be negative"),
        ("clients: 1e999", "clients is inf: larger than any counter can be"),
        ("throughput_per_second: true", "throughput_per_second is True: not a number"),
        ("host: {cpu_util: busy}", "host.cpu_util is 'busy': not a number"),
        ("cpus: 0", "cpus is 0: must be more than zero"),
        ("scaling: [{clients: 1, throughput: -4}]", "scaling: throughput is -4: must not be negative"),
        ("tried: [{what: x, throughput_before: 1, throughput_after: 1e999}]", "tried: throughput_after is inf"),
    ],
)
def test_an_observation_that_cannot_be_is_refused_with_its_line(line: str, says: str) -> None:
    with pytest.raises(InputError) as told:
        read_observations(f"rows_per_transaction: 1\n{line}\n", "observations.yaml")
    assert str(told.value).startswith(f"observations.yaml:2: {says}")


def test_what_was_tried_may_be_from_and_to_anything() -> None:
    text = "tried: [{what: x, from: -1, to: OFF, throughput_before: 1, throughput_after: 0}]"
    assert read_observations(text, "o")[0].observed["tried"].value
