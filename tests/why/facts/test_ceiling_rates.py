"""The rate that is left when a wait goes: nothing but CPU time and the other waits."""

from __future__ import annotations

import pytest

from tests.why.lone_writer import view


def test_without_the_wait_the_clients_are_held_by_their_work_and_nothing_is_slower() -> None:
    rate = view()["fact.throughput_without_other_waits_per_second"]
    each = view()["fact.processor_ms_per_transaction"]
    assert 2000 < rate < 2000 / each


def test_ten_in_one_share_every_wait_but_no_work() -> None:
    found = view()
    assert found["fact.throughput_in_tens_per_second"] > 5 * 400
    assert found["fact.throughput_in_tens_per_second"] < 2000 / found["fact.processor_ms_per_transaction"]


def test_twice_the_clients_reach_twice_as_much_while_the_cpus_are_idle() -> None:
    assert view()["fact.throughput_with_twice_the_clients_per_second"] == pytest.approx(800, rel=0.03)
