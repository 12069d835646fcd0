"""Conditions of --when: names of a second and of rules, the cool-down, and what cannot be judged."""

from __future__ import annotations

import pytest

from advisor.check.possible_releases import release_assumptions
from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.member.recording import Recording
from advisor.conditions import Missing
from advisor.errors import UsageError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Threads
from advisor.model.server import Role
from advisor.watch.conditions import Conditions, parse_condition
from advisor.watch.readings import LatestReadings
from advisor.watch.rounds import Piece
from tests.collect.recordings import gathered, recorded, wanted
from tests.watch.seconds import at


def facts() -> dict[str, MemberFacts]:
    cluster = live_evidence(gathered(), wanted())
    (view,) = release_assumptions(cluster, ())[0][-1].views
    return {"db2:3306": view}


def judged(text: str, told: list[str], *moments: float, cool_down: float = 60.0, **replica: object) -> list[float]:
    """The moments at which a condition is reported."""
    conditions = Conditions([parse_condition(text)], cool_down, told.append)
    known = facts() if conditions.needs_facts else {}
    return [moment for moment in moments if conditions.happened(at(moment, **replica), known)]


def test_a_condition_that_stays_true_is_reported_again_after_the_cool_down() -> None:
    told: list[str] = []
    assert judged("lag_seconds > 5", told, *range(130)) == [0, 60, 120]
    assert judged("lag_seconds > 5", told, *range(130), lag_seconds=4.9) == []
    assert judged("backlog_transactions > 1000 and lag_seconds > 5", told, 1, 2) == [1]
    assert told == []


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("sync_binlog == 1", True),
        ("sync_binlog == 0", False),
        ("status.Threads_running > 2", True),
        ("rate.Questions > 40 and rate.Questions < 60", True),
        ("replica.Last_SQL_Errno == 1032", True),
        ("topology == 'async_mysql'", True),
    ],
)
def test_names_of_rules_are_those_of_the_newest_readings(text: str, true: bool) -> None:
    told: list[str] = []
    assert judged(text, told, 1) == ([1] if true else [])


def test_a_member_that_cannot_be_read_has_no_figures_but_that() -> None:
    told: list[str] = []
    lost = {"failure": "connection refused", "lag_seconds": None}
    assert judged("unreachable", told, 1, **lost) == [1]
    assert judged("unreachable", told, 1) == []
    assert judged("lag_seconds > 5", told, 1, **lost) == []
    assert told == []


def test_what_cannot_be_judged_for_any_member_is_told_once() -> None:
    told: list[str] = []
    assert judged("host.iowait > 0.2", told, 1, 2, 3) == []
    assert told == ["--when 'host.iowait > 0.2' cannot be judged at present: host.iowait is not known"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("lag > 5", "unknown name 'lag'", "did you mean lag_seconds?"),
        ("lag_seconds > 5s", "not a condition", "e.g. --when 'lag_seconds > 5'"),
        ("lag_seconds + 5", "not a condition", "e.g. --when"),
        ("status.Innodb_rows_reed > 1", "unknown name", "did you mean status.Innodb_rows_read?"),
        ("__import__('os')", "", ""),
    ],
)
def test_a_condition_that_can_never_be_judged_is_refused(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_condition(text)
    assert message in refused.value.message
    assert hint in refused.value.hint


def readings(recording: Recording) -> LatestReadings:
    latest = LatestReadings(recording.name)
    latest.add([Piece(recording.samples, recording.tables)])
    return latest


def test_the_latest_readings_give_rates_waits_and_the_time_of_a_statement() -> None:
    latest = readings(recorded())
    assert latest.per_second("Questions") == pytest.approx(50)
    assert latest.per_second("No_such_counter") is None
    waits = latest.waits(lambda name: Missing((name,)))
    assert sum(wait.threads for wait in waits) == pytest.approx(3)
    of_a_replica = latest.waits(lambda name: Missing((name,)), Role.REPLICA)
    assert {(one.group, other.group) for one, other in zip(waits, of_a_replica, strict=True)} == {
        (Threads.WRITERS, Threads.CLIENTS)
    }
    clients = latest.running_clients(waits)
    assert clients == pytest.approx(3)
    assert latest.statement_ms(clients) == pytest.approx(60), "three clients at fifty statements a second"
    assert latest.statement_ms(0.0) is None, "too short to be seen, and not zero"
    measured = recorded()
    for number, (_, tables) in enumerate(measured.tables):
        tables["statement_totals"] = [{"statements": 100 * number, "seconds": 0.5 * number}]
    assert readings(measured).statement_ms(None) == pytest.approx(5), "as the server measured it"


def test_nothing_is_known_of_a_member_that_was_lost() -> None:
    latest = readings(recorded())
    lost = recorded()
    lost.failure = "connection lost"
    latest.add([Piece(ended=lost)])
    assert latest.per_second("Questions") is None
    assert latest.running_clients(()) is None
