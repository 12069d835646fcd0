"""What people changed, and what it did: ratios in the direction of the name, where nothing else changed."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.server import Role
from advisor.why.facts import make_known

make_known()


def told(name: str, *tried: dict[str, Any], role: Role = Role.REPLICA, **observed: Any) -> Any:
    values = {"tried": tried, **observed}
    facts = {key: Fact(key, value, "", "observations.yaml") for key, value in values.items()}
    return MemberFacts(Member("a", role=role, observed=facts), parse_release("mysql-8.4.3")[0], None, None).value(
        f"fact.{name}"
    )


def change(what: Any, was: Any, now: Any, before: float, after: float) -> dict[str, Any]:
    return {"what": what, "from": was, "to": now, "throughput_before": before, "throughput_after": after}


def test_a_change_counts_in_the_direction_of_the_name_whichever_way_it_was_made() -> None:
    assert told("relaxing_durability_gain", change("sync_binlog", 1, 0, 100, 300)) == 3
    assert told("relaxing_durability_gain", change("sync_binlog", 0, 1, 300, 100)) == 3


def test_half_the_lag_is_twice_as_fast_on_a_replica_and_nothing_on_the_source() -> None:
    caught_up = {
        "what": "replica_parallel_workers",
        "from": 0,
        "to": 8,
        "lag_seconds_before": 900,
        "lag_seconds_after": 450,
    }
    assert told("more_workers_gain", caught_up) == 2
    assert isinstance(told("more_workers_gain", caught_up, role=Role.SOURCE), Missing)


def test_several_things_at_once_count_only_when_all_are_of_the_factor() -> None:
    both = change(["sync_binlog", "innodb_flush_log_at_trx_commit"], [1, 1], [0, 2], 100, 500)
    mixed = change(["sync_binlog", "innodb_buffer_pool_size"], [1, "1G"], [0, "8G"], 100, 500)
    assert told("relaxing_durability_gain", both) == 5
    assert isinstance(told("relaxing_durability_gain", mixed), Missing)


def test_the_largest_effect_counts() -> None:
    steps = [change("slave_parallel_threads", 0, n, 100, rate) for n, rate in ((2, 120), (8, 400), (16, 390))]
    assert told("more_workers_gain", *steps) == 4


def test_sizes_may_be_written_as_options() -> None:
    assert told("redo_larger_gain", change("innodb_redo_log_capacity", "8M", "512M", 390, 2120)) == pytest.approx(
        5.44, abs=0.01
    )


def test_an_entry_without_figures_says_nothing() -> None:
    assert isinstance(told("gtid_off_gain", {"what": "gtid_mode", "from": "ON", "to": "OFF"}), Missing)
