"""Tests for `advisor.history.assemble`: series go to the members and machines their labels name."""

from __future__ import annotations

from advisor.history.assemble import assemble
from tests.history.readings import BEGIN, reading


def test_members_are_told_apart_by_instance() -> None:
    members, problems = assemble(
        [
            reading("mysql_global_status_questions", [1, 2]),
            reading("mysql_global_status_questions", [5, 6], instance="m2"),
        ]
    )
    assert [(member.name, list(member.series["status.Questions"][0].values)) for member in members] == [
        ("m1", [1, 2]),
        ("m2", [5, 6]),
    ]
    assert problems == ()


def test_the_three_jobs_of_pmm_are_one_member_by_its_service() -> None:
    members, problems = assemble(
        [
            reading("mysql_global_status_questions", [1, 2], instance="/agent/1", service_name="db1", job="hr"),
            reading("mysql_global_variables_sync_binlog", [1], instance="/agent/1", service_name="db1", job="lr"),
        ]
    )
    assert [member.name for member in members] == ["db1"]
    assert {"status.Questions", "variable.sync_binlog"} == set(members[0].series)
    assert problems == ()


def test_a_member_that_is_scraped_twice_is_told_and_the_fuller_series_counts() -> None:
    members, problems = assemble(
        [
            reading("mysql_global_status_questions", [1, 3], step=2, job="a"),
            reading("mysql_global_status_questions", [1, 2, 3], job="b"),
        ]
    )
    assert list(members[0].series["status.Questions"][0].values) == [1, 2, 3]
    assert problems == ("m1: is scraped more than once; for each metric, the series with more samples is used",)


def test_parts_in_a_row_are_joined_in_any_order() -> None:
    parts = [reading("mysql_up", [1, 1], begin=BEGIN + 100), reading("mysql_up", [1, 1])]
    members, problems = assemble(parts)
    assert [at - BEGIN for at in members[0].series["exporter.reaches_server"][0].at_seconds] == [0, 1, 100, 101]
    assert problems == ()


def test_a_machine_belongs_to_the_members_on_it() -> None:
    memory = "node_memory_MemTotal_bytes"
    members, _ = assemble(
        [
            reading("mysql_up", [1], instance="db1:9104"),
            reading("mysql_up", [1], instance="db2:9104", node_name="two"),
            reading("mysql_up", [1], instance="db3:9104"),
            reading(memory, [8.0], instance="db1:9100", job="node"),
            reading(memory, [16.0], instance="elsewhere", node_name="two", job="node"),
        ]
    )
    held = {member.name: [one.values[0] for one in member.series.get("host.memory_bytes", ())] for member in members}
    assert held == {"db1:9104": [8.0], "db2:9104": [16.0], "db3:9104": []}
