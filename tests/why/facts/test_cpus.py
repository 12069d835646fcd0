"""CPU time of a transaction: of all who share the machine and work for it, and of nobody else."""

from __future__ import annotations

import pytest

from tests.why.lone_writer import host, view

ITSELF = 0.011  # what an idle MySQL uses


def test_work_of_others_on_the_machine_counts_as_far_as_it_can_be_the_clients() -> None:
    assert view()["fact.processors_at_work"] == pytest.approx(0.2 - ITSELF + 0.04)
    assert view(host=host(cpu_util=0.95))["fact.processors_at_work"] == pytest.approx(0.2 - ITSELF + 0.04)
    assert view(host=host(cpu_util=0.95, threads_running=0.08))["fact.processors_at_work"] == pytest.approx(
        0.2 - ITSELF + 0.02
    )
    assert view(host=host(reader_cpus=0.03))["fact.processors_at_work"] == pytest.approx(0.2 - ITSELF + 0.01)


def test_others_on_the_machine_keep_what_they_take_up_to_a_fair_share() -> None:
    assert view()["fact.processors_to_be_had"] == pytest.approx(2.0)
    assert view(host=host(cpu_util=0.3))["fact.processors_to_be_had"] == pytest.approx(2 - (0.6 - 0.2 - 0.04))
    assert view(host=host(cpu_util=1.0))["fact.processors_to_be_had"] == pytest.approx(2 - 2 / 3)


def test_a_nice_process_is_no_work_of_clients_and_takes_nothing() -> None:
    nice = view(host=host(cpu_util=0.62, nice_cpus=1.0))
    assert nice["fact.processors_at_work"] == pytest.approx(view()["fact.processors_at_work"])
    assert nice["fact.processors_to_be_had"] == pytest.approx(2.0)


def test_a_server_held_to_a_part_of_the_machine_has_no_neighbours() -> None:
    assert view(host=host(**{"machine.cpus": 8}))["fact.processors_at_work"] == pytest.approx(0.2 - ITSELF)


def test_bursts_find_the_cpus_warm() -> None:
    assert view()["fact.cold_processors_factor"] > view(host=host(threads_starved=1.6))["fact.cold_processors_factor"]
