"""The time axis of counters, and what a reset leaves of it."""

from __future__ import annotations

from pathlib import Path

from advisor.evidence import read_path
from advisor.evidence.member.sample_times import samples
from advisor.model.evidence import Moment

SAMPLES = Path(__file__).parents[1] / "samples"


def test_uptime_is_the_clock_of_mysqladmin() -> None:
    found = read_path(str(SAMPLES / "mysqladmin_interval.txt")).members[0].samples
    assert [(sample.at_seconds, sample.values["Com_commit"]) for sample in found] == [(0, 100), (10, 160), (20, 220)]


def test_differences_printed_by_mysqladmin_are_added_up() -> None:
    cluster = read_path(str(SAMPLES / "mysqladmin_relative.txt"))
    found = cluster.members[0].samples
    assert cluster.problems == ()
    assert [(sample.at_seconds, sample.values["Com_commit"]) for sample in found] == [(0, 100), (10, 160), (20, 220)]
    assert [sample.values["Threads_connected"] for sample in found] == [8, 9, 7]
    assert found[2].source.endswith("(differences added up)")


def test_only_what_follows_a_restart_is_kept_and_it_is_said() -> None:
    cluster = read_path(str(SAMPLES / "mysqladmin_restart.txt"))
    found = cluster.members[0].samples
    assert [(sample.at_seconds, sample.values["Com_commit"]) for sample in found] == [(0, 2), (10, 52)]
    (problem,) = cluster.problems
    assert "Uptime fell from 5000 to 4" in problem
    assert "mysqladmin_restart.txt:13" in problem


def test_a_restart_just_before_the_end_leaves_what_was_read_before_it() -> None:
    read = [(10, 100), (20, 160), (30, 220), (3, 2)]
    kept, (remark,) = samples([Moment({"Uptime": up, "Com_commit": n}, None, f"{up}") for up, n in read])
    assert [sample.values["Com_commit"] for sample in kept] == [100, 160, 220]
    assert remark == "3: Uptime fell from 30 to 3: the server was restarted; only readings before it are used"


def test_a_counter_that_drops_while_the_server_runs_was_reset() -> None:
    moments = [Moment({"Uptime": 10, "Com_commit": 9}, None, "a"), Moment({"Uptime": 20, "Com_commit": 1}, None, "b")]
    kept, remarks = samples(moments)
    assert [sample.source for sample in kept] == ["b"]
    assert "Com_commit fell from 9 to 1" in remarks[0]


def test_gauges_and_bytes_sent_may_fall() -> None:
    before, after = (
        {"Uptime": 10, "Threads_running": 9, "Bytes_sent": 9},
        {"Uptime": 20, "Threads_running": 1, "Bytes_sent": 8},
    )
    kept, remarks = samples([Moment(before, None, "a"), Moment(after, None, "b")])
    assert len(kept) == 2
    assert not remarks


def test_counters_without_any_time_cannot_be_compared() -> None:
    kept, remarks = samples([Moment({"Com_commit": 1}, None, "a"), Moment({"Com_commit": 2}, None, "b")])
    assert [sample.values["Com_commit"] for sample in kept] == [2]
    assert "without a time or Uptime" in remarks[0]


def test_given_times_order_the_moments() -> None:
    kept, _ = samples([Moment({"Com_commit": 2}, 10.0, "b"), Moment({"Com_commit": 1}, 0.0, "a")])
    assert [sample.at_seconds for sample in kept] == [0.0, 10.0]


def test_two_readings_within_one_second_of_uptime_are_one() -> None:
    kept, _ = samples(
        [Moment({"Uptime": 5, "Com_commit": 1}, None, "a"), Moment({"Uptime": 5, "Com_commit": 3}, None, "b")]
    )
    assert [sample.values["Com_commit"] for sample in kept] == [3]
