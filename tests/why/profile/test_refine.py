"""Counters move exact shares out of coarse classes: never more than is there, and the sum stays."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import Threads
from advisor.model.evidence import TableSnapshot
from advisor.why.profile.aggregate import GroupCounts
from advisor.why.profile.refine import move, refined
from advisor.why.rules.wait_class_files import load_wait_classes
from tests.why.profile.sampled import host, member, row, samples, view
from tests.why.profile.test_innodb_monitor import MONITOR

BUSY = [[row("updating", count=10)]] * 3


def refined_writers(
    shares: dict[str, float], columns: tuple[str, ...] = ("trx", "os"), led_by_cpu: float = 0.0, **evidence: object
) -> dict[str, float]:
    """Ten writers, seen once, with these shares of their time."""
    counts = {name: share * 10 for name, share in shares.items()}
    seen = GroupCounts(Threads.WRITERS, 1, counts, {}, {}, led_by_cpu)
    return refined(view(member(BUSY, **evidence)), seen, load_wait_classes(), columns)  # type: ignore[arg-type]


def test_time_that_a_counter_measures_leaves_the_class_it_hid_in() -> None:
    waited = samples(10.0, Innodb_row_lock_time=30_000)  # 3 of 10 sessions at a time
    shares = refined_writers({"statement_work": 0.5, "client_time": 0.5}, samples=waited)
    assert shares == {"statement_work": pytest.approx(0.2), "client_time": 0.5, "row_lock": pytest.approx(0.3)}


def test_never_more_is_moved_than_is_there_or_was_not_sampled_already() -> None:
    waited = samples(10.0, Innodb_row_lock_time=90_000)
    assert refined_writers({"statement_work": 0.5, "client_time": 0.5}, samples=waited) == {
        "row_lock": 0.5, "client_time": 0.5,
    }  # fmt: skip
    sampled = {"row_lock": 0.95, "statement_work": 0.05}
    assert refined_writers(sampled, samples=waited) == sampled


def test_the_monitor_counts_where_lists_have_no_word_of_the_transaction() -> None:
    shares = refined_writers({"statement_work": 0.8, "client_time": 0.2}, ("os",), innodb_status=MONITOR)
    assert shares["auto_inc_lock"] == pytest.approx(0.2)
    assert refined_writers({"statement_work": 1.0}, innodb_status=MONITOR) == {"statement_work": 1.0}


def test_the_scheduler_splits_sampled_cpu_time_and_takes_its_own_from_statements() -> None:
    ran = host(threads_running=1.0, threads_starved=3.0)
    assert refined_writers({"on_cpu": 0.4, "client_time": 0.6}, host=ran) == {
        "on_cpu": pytest.approx(0.1), "ready": pytest.approx(0.3), "client_time": 0.6,
    }  # fmt: skip
    assert refined_writers({"statement_work": 1.0}, host=ran) == {
        "statement_work": pytest.approx(0.6), "on_cpu": pytest.approx(0.1), "ready": pytest.approx(0.3),
    }  # fmt: skip
    assert refined_writers({"statement_work": 0.2, "group_commit": 0.8}, host=ran) == {
        "on_cpu": pytest.approx(0.05), "ready": pytest.approx(0.15), "group_commit": 0.8,
    }  # fmt: skip


def test_followers_of_a_leader_that_waits_for_a_cpu_wait_for_it_too() -> None:
    ran = host(threads_running=1.0, threads_starved=3.0)
    shares = refined_writers({"on_cpu": 0.2, "group_commit": 0.8}, led_by_cpu=4.0, host=ran)
    assert shares == {
        "on_cpu": pytest.approx(0.05), "ready": pytest.approx(0.15 + 0.3), "group_commit": pytest.approx(0.5),
    }  # fmt: skip


def log_files(redo: float, binlog: float) -> tuple[TableSnapshot, TableSnapshot]:
    """Two readings, ten seconds apart, of how long each log was written and synced."""
    names = {"wait/io/file/innodb/innodb_log_file": redo, "wait/io/file/sql/binlog": binlog}
    first, last = (
        [{"EVENT_NAME": name, "COUNT_STAR": 1, "SUM_TIMER_WAIT": int(busy * at * 1e12)} for name, busy in names.items()]
        for at in (0, 10)
    )
    table = "events_waits_summary_global_by_event_name"
    return TableSnapshot(table, first, 0.0), TableSnapshot(table, last, 10.0)


def test_waits_for_an_unseen_leader_are_split_by_the_time_each_log_is_in_use() -> None:
    shares = refined_writers({"group_commit": 1.0}, (), tables=log_files(redo=0.2, binlog=0.6))
    assert shares == {
        "redo_sync": pytest.approx(0.2), "binlog_sync": pytest.approx(0.6), "group_commit": pytest.approx(0.2),
    }  # fmt: skip
    assert refined_writers({"group_commit": 1.0}, tables=log_files(0.2, 0.6)) == {"group_commit": 1.0}
    told = refined_writers({"log_sync": 0.8, "client_time": 0.2}, tables=log_files(0.2, 0.6))
    assert told == {"redo_sync": pytest.approx(0.2), "binlog_sync": pytest.approx(0.6), "client_time": 0.2}


def test_a_move_takes_from_the_places_in_their_order() -> None:
    shares = {"group_commit": 0.2, "unexplained": 0.3, "on_cpu": 0.5}
    move(shares, ("group_commit", "unexplained"), "flow_control", 0.4)
    assert shares == {
        "group_commit": 0.0, "unexplained": pytest.approx(0.1), "on_cpu": 0.5, "flow_control": pytest.approx(0.4),
    }  # fmt: skip
    move(shares, ("group_commit",), "flow_control", -1.0)
    assert shares["flow_control"] == pytest.approx(0.4)
