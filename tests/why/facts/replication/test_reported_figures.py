"""Figures of reports on replication: time stamps of events, times and sizes of both servers."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.server import Role
from advisor.why.facts import make_known

make_known()


def told(name: str, *notes: str) -> object:
    observed = {"notes": Fact("notes", notes, "", "observations.yaml")}
    member = Member("r", role=Role.REPLICA, observed=observed)
    return MemberFacts(member, parse_release("mysql-8.4.3")[0], None, None).value(f"fact.{name}")


def test_an_event_older_than_the_one_before_it_steps_back() -> None:
    lines = ("#240115 15:00:00 server id 2 end_log_pos 900", "#240115 14:00:00 server id 1 end_log_pos 120")
    assert told("events_step_back_seconds", *lines) == 3600
    assert told("events_step_back_seconds", *reversed(lines)) == 0
    assert isinstance(told("events_step_back_seconds", lines[0]), Missing)


@pytest.mark.parametrize(
    ("notes", "ratio"),
    [
        (("time on the source: 3 s", "time on the replica: 5 min"), 100),
        (("update took, master: 2 sec", "update took, slave: 1 h"), 1800),
    ],
)
def test_times_of_the_same_work_are_compared(notes: tuple[str, ...], ratio: float) -> None:
    assert told("replica_time_ratio", *notes) == pytest.approx(ratio)


@pytest.mark.parametrize(
    "notes",
    [
        ("time on the source: 3 s",),
        ("lag, source to replica: 3 s", "replica is 5 min behind"),
        ("wait time on the source: 3 s", "wait time on the replica: 5 min"),
    ],
)
def test_lags_waits_and_single_times_are_no_comparison(notes: tuple[str, ...]) -> None:
    assert isinstance(told("replica_time_ratio", *notes), Missing)


def test_sizes_of_both_machines_are_compared() -> None:
    assert told("replica_size_share", "source: 16 vCPU, 64 GB RAM", "replica: 4 vCPU, 8 GB RAM") == pytest.approx(1 / 8)
    assert told("replica_size_share", "replica 2 cores; source 4 cores") == pytest.approx(0.5)
    assert isinstance(told("replica_size_share", "replica 2 cores"), Missing)
