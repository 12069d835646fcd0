"""Sessions that are no clients of the load: told by how seldom their statements run, and left out of what stays."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import ClassShare, Threads
from advisor.why.explained_time import ExplainedTime
from advisor.why.profile.other_sessions import OtherSessions, Sightings, other_sessions, runs_per_transaction
from advisor.why.rate_without_wait import rates_without
from tests.why.profile.sampled import host, member, row, samples, view

BLOCKED = row("updating", trx="lock wait", os="S", info="UPDATE …")
HOLDER = row("User sleep", os="S", info="DO …")
COUNTED = {"Binlog_cache_use": 10_000, "Questions": 10_000, "Uptime": 10, "Com_update": 10_000}


def seen(*rows: dict[str, object], **counters: int) -> OtherSessions:
    of = view(member([list(rows)] * 20, samples=samples(10, **{**COUNTED, **counters})))
    sightings = of.value("fact.thread_sightings")
    assert isinstance(sightings, Sightings)
    verbs = {each.verb for each in sightings.threads}
    return other_sessions(sightings, runs_per_transaction((of,), verbs, 1000.0), client_ms=10.0)


def test_a_statement_that_hardly_ever_runs_is_no_clients() -> None:
    others = seen(*[BLOCKED] * 9, HOLDER, Com_do=20)
    assert others.threads == pytest.approx(1)
    assert others.waiting == {"user_sleep": 1}


def test_a_statement_of_each_transaction_is_the_clients_own() -> None:
    assert seen(*[BLOCKED] * 9, HOLDER, Com_do=10_000).threads == 0


def test_a_statement_that_no_counter_counts_is_the_clients_own() -> None:
    assert seen(*[BLOCKED] * 9, HOLDER).threads == 0


def test_insert_select_has_a_counter_of_its_own() -> None:
    rows = [row("executing", os="R", info="INSERT …")] * 5
    assert seen(*rows, Com_insert=0, Com_insert_select=10_000).threads == 0
    assert seen(*rows, Com_insert=0, Com_insert_select=10).threads == 5


def test_cpu_time_is_split_by_who_runs() -> None:
    copying = row("copy to tmp table", os="R", info="ALTER …")
    assert seen(*[row("updating", os="R", info="UPDATE …")] * 3, copying, Com_alter_table=5).cpu_share == 0.25


def test_a_session_that_sleeps_for_seconds_is_not_between_two_statements() -> None:
    between = row("", command="Sleep", os="S", kind="client", time=0)
    watching = [{**between, "time": second} for second in (0, 1)]
    assert seen(*[between] * 4).between == 4
    assert seen(*[between] * 4, *watching).between == 4
    assert seen(*[between] * 4, row("", command="Sleep", os="R", time=0)).between == 4, "it queues for a CPU"


def test_who_holds_the_locks_does_not_take_part_afterwards() -> None:
    """Eight clients and a sleeping holder: without him they reach what the CPUs permit, with him a sleep would stay."""
    machine = host(cpus=8, cpu_util=0.1, server_cpus=0.4, threads_running=0.4, threads_starved=0.0)
    waits = ExplainedTime(Threads.WRITERS, 0.8, (ClassShare("row_lock", "", 0.8),), 0.8, ())
    work = row("updating", os="R", info="UPDATE …")
    lists = [[*[BLOCKED] * 8, HOLDER]] * 18 + [[*[work] * 8, HOLDER]] * 2

    def rate(**counters: int) -> float:
        of = view(member(lists, host=machine, samples=samples(10, **{**COUNTED, **counters})))
        found = rates_without(of, waits)
        assert found is not None
        return found[1]

    assert rate(Com_do=20) > 3 * rate(Com_do=10_000)
