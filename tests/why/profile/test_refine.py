"""Counters move exact shares out of coarse classes: never more than is there, and the sum stays."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import Threads
from advisor.why.profile.refine import move, refined
from advisor.why.rules.waits import load_wait_classes
from tests.why.profile.sampled import host, member, row, samples, view
from tests.why.profile.test_innodb_monitor import MONITOR

BUSY = [[row("updating", count=10)]] * 3


def refined_writers(shares: dict[str, float], trx_known: bool = True, **evidence: object) -> dict[str, float]:
    seen = view(member(BUSY, **evidence))  # type: ignore[arg-type]
    return refined(seen, Threads.WRITERS, shares, 10.0, load_wait_classes(), trx_known)


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
    shares = refined_writers({"statement_work": 0.8, "client_time": 0.2}, trx_known=False, innodb_status=MONITOR)
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


def test_a_move_takes_from_the_places_in_their_order() -> None:
    shares = {"group_commit": 0.2, "unexplained": 0.3, "on_cpu": 0.5}
    move(shares, ("group_commit", "unexplained"), "flow_control", 0.4)
    assert shares == {
        "group_commit": 0.0, "unexplained": pytest.approx(0.1), "on_cpu": 0.5, "flow_control": pytest.approx(0.4),
    }  # fmt: skip
    move(shares, ("group_commit",), "flow_control", -1.0)
    assert shares["flow_control"] == pytest.approx(0.4)
