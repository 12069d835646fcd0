"""Throughput from clients, their waits and their work: laws that hold for any queue, and what cold processors cost."""

from __future__ import annotations

from math import e

import pytest

from advisor.why.queueing import COLD, COLDEST, Work, cold_factor, throughput


def test_one_client_that_hardly_works_reaches_one_transaction_per_wait() -> None:
    assert throughput(1, 2, Work(0.001, 0.001, waits_ms=10.0)) == pytest.approx(100, rel=0.01)


def test_clients_that_hardly_work_add_up() -> None:
    work = Work(0.001, 0.001, waits_ms=10.0)
    assert throughput(8, 2, work) == pytest.approx(8 * throughput(1, 2, work), rel=0.01)


@pytest.mark.parametrize("processors", [1, 2, 8])
def test_many_clients_reach_what_the_processors_can_do_and_no_more(processors: int) -> None:
    work = Work(0.5, 0.4, waits_ms=1.0)
    assert throughput(500, processors, work) == pytest.approx(processors * 2000, rel=0.02)
    assert throughput(500, processors, work) <= processors * 2000


def test_more_clients_never_cost_and_more_waits_never_gain() -> None:
    rates = [throughput(n, 2, Work(0.3, 0.2, waits_ms=2.0)) for n in range(1, 40)]
    assert rates == sorted(rates)
    waits = [throughput(8, 2, Work(0.3, 0.2, waits_ms=w / 4)) for w in range(20)]
    assert waits == sorted(waits, reverse=True)


def test_a_transaction_costs_more_where_processors_are_idle() -> None:
    assert cold_factor(1 / e) == pytest.approx(1 + COLD)
    assert cold_factor(0.0) == COLDEST
    assert cold_factor(1.0) == 1.0
    assert cold_factor(3.0) == 1.0
    lonely = throughput(1, 8, Work(1.0, 1.0, waits_ms=9.0))
    assert 1000 / (9 + cold_factor(0.1)) < lonely < 1000 / (9 + 1)


def test_one_client_keeps_one_processor_warm_however_many_there_are() -> None:
    assert throughput(1, 64, Work(1.0, 1.0, waits_ms=0.0)) == pytest.approx(1000, rel=0.02)


def test_what_only_idle_processors_make_slow_becomes_quicker_under_load() -> None:
    steady, unsteady = Work(0.2, 0.1, waits_ms=1.0), Work(0.2, 0.1, waits_ms=0.0, unsteady_ms=1.0)
    assert throughput(1, 2, unsteady) < throughput(1, 2, steady)
    assert throughput(100, 2, unsteady) == pytest.approx(throughput(100, 2, steady), rel=0.05)


def test_more_to_do_makes_no_processor_colder_than_it_is() -> None:
    now = Work(1.0, 1.0, waits_ms=99.0, coldest=1.2)
    assert 1000 / (99 + 1.2) <= throughput(1, 2, now) <= 1000 / (99 + 1.0)
