"""What is left when a wait goes: work of all who share the machine, of nobody else; and what follows for an advice."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.check.cases import build_cluster
from advisor.check.worlds import worlds
from advisor.evidence.view import View
from advisor.why import diagnose
from advisor.why.members import members_by_role
from advisor.why.rules.loader import load_causes

ALONE: dict[str, Any] = {
    "server": "mysql 9.7.4",
    "role": "standalone",
    "my.cnf": "sync_binlog = 0\ninnodb_flush_log_at_trx_commit = 2\nbinlog_group_commit_sync_delay = 10000",
    "observed": {"clients": 4},
    "rate": {
        "Binlog_cache_use": 400,
        "Innodb_row_lock_time": 0,
        "Innodb_rows_inserted": 0,
        "Innodb_rows_updated": 400,
        "Innodb_rows_deleted": 0,
    },
    "host": {"cpus": 2, "cpu_util": 0.12, "server_cpus": 0.2, "threads_running": 0.16, "threads_starved": 0.16},
    "tables": {
        "stmts_top": [
            {"at": 0, "count_star": 0, "sum_timer_wait": 0},
            {"at": 10, "count_star": 4000, "sum_timer_wait": 39_600_000_000_000},
        ]
    },
}


def view(**changes: Any) -> View:
    load_causes()
    possible, _ = worlds(build_cluster({**ALONE, **changes}, "test"), ())
    found = members_by_role(possible[-1]).writer
    assert found is not None
    return found


def host(**changes: float) -> dict[str, float]:
    return {**ALONE["host"], **changes}


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


def test_without_the_wait_the_clients_are_held_by_their_work_and_nothing_is_slower() -> None:
    rate = view()["fact.throughput_without_other_waits_per_second"]
    each = view()["fact.processor_ms_per_transaction"]
    assert 2000 < rate < 2000 / each


def test_the_deliberate_wait_is_named_and_its_end_predicted() -> None:
    first = diagnose(build_cluster(ALONE, "test")).causes[0]
    assert first.cause.id == "commit_delay_setting"
    assert first.predicted is not None
    assert 400 < first.predicted.low < first.predicted.mid <= first.predicted.high


def test_nothing_is_predicted_where_nobody_measured_the_processors() -> None:
    first = diagnose(build_cluster({**ALONE, "host": {"cpus": 2}}, "test")).causes[0]
    assert (first.cause.id, first.predicted) == ("commit_delay_setting", None)


def test_bursts_find_the_processors_warm() -> None:
    assert view()["fact.cold_processors_factor"] > view(host=host(threads_starved=1.6))["fact.cold_processors_factor"]


def test_ten_in_one_share_every_wait_but_no_work() -> None:
    found = view()
    assert found["fact.throughput_in_tens_per_second"] > 5 * 400
    assert found["fact.throughput_in_tens_per_second"] < 2000 / found["fact.processor_ms_per_transaction"]


def test_twice_the_clients_reach_twice_as_much_while_the_processors_are_idle() -> None:
    assert view()["fact.throughput_with_twice_the_clients_per_second"] == pytest.approx(800, rel=0.03)
