"""What would more workers apply? As many times as much as they share syncs, as far as processors are left."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.check.cases import build_cluster
from advisor.check.possible_releases import release_assumptions
from advisor.evidence.member_facts import MemberFacts
from advisor.why.facts.replication.applier_throughput import WORKER_GAIN
from advisor.why.facts.replication.more_workers import BUSIEST_CPU_SHARE
from advisor.why.members import members_by_role
from advisor.why.rules.loader import load_causes

MYSQL, MARIADB = WORKER_GAIN.values()


def timed(seconds: float) -> dict[str, Any]:
    """Statements that take so many seconds of sessions' time in a second."""
    rows = ({"at": at, "count_star": at * 10_000, "sum_timer_wait": int(at * seconds * 10**12)} for at in (0, 10))
    return {"stmts_top": list(rows)}


NOBODY: dict[str, Any] = {"observed": {"clients": 0}}
SOURCE: dict[str, Any] = {
    "name": "m1",
    "server": "mysql 9.7.4",
    "role": "source",
    "my.cnf": "log_bin = binlog\nsync_binlog = 0\ninnodb_flush_log_at_trx_commit = 2",
    "variables": {"hostname": "a"},
    "observed": {"clients": 8},
    "rate": {"Binlog_cache_use": 1500},
    "tables": timed(7.0),
    "host": {"cpus": 2, "cpu_util": 0.7, "server_cpus": 0.5, "threads_running": 0.4, "threads_starved": 0.4},
}
REPLICA: dict[str, Any] = {
    **NOBODY,
    "name": "m2",
    "server": "mysql 9.7.4",
    "role": "replica",
    "my.cnf": "log_bin = binlog\nreplica_parallel_workers = 1",
    "variables": {"hostname": "a"},
    "rate": {"Binlog_cache_use": 300},
    "host": {
        "cpus": 2,
        "cpu_util": 0.7,
        "server_cpus": 0.3,
        "threads_running": 0.0,
        "appliers_running": 0.2,
        "appliers_starved": 0.2,
    },
}


def applier(source: dict[str, Any] = SOURCE, **changes: Any) -> MemberFacts:
    load_causes()
    cluster = build_cluster({"topology": "async_mysql", "members": [source, {**REPLICA, **changes}]}, "test")
    possible, _ = release_assumptions(cluster, ())
    found = members_by_role(possible[-1]).appliers
    assert [one.member.name for one in found] == ["m2"]
    return found[0]


def test_workers_that_share_syncs_are_held_by_nothing_else_while_the_processors_are_not_known() -> None:
    alone = applier(host={"cpus": 2})
    assert alone["fact.apply_rate_with_workers_per_second"] == pytest.approx(300 * 4**MYSQL)
    assert alone["fact.apply_rate_with_shared_syncs_per_second"] == pytest.approx(300 * 4**MYSQL)


def test_workers_are_held_by_the_processors_that_the_source_leaves() -> None:
    busy = applier({**SOURCE, "host": {**SOURCE["host"], "server_cpus": 1.3, "cpu_util": 0.9}})
    held = busy["fact.permitted_by_processors_left_per_second"]
    assert busy["fact.apply_rate_with_workers_per_second"] == held < 300 * 4**MYSQL


def test_a_coordinator_that_looks_for_a_free_worker_is_no_work_of_what_is_applied() -> None:
    looks = applier()["fact.permitted_by_processors_left_per_second"]
    asleep = applier(host={**REPLICA["host"], "appliers_running": 0.0})["fact.permitted_by_processors_left_per_second"]
    assert looks > asleep
    several = {"my.cnf": "log_bin = binlog\nreplica_parallel_workers = 4"}
    assert applier(**several)["fact.permitted_by_processors_left_per_second"] == pytest.approx(asleep)


def test_another_machine_has_its_own_processors() -> None:
    elsewhere = applier(variables={"hostname": "b"})["fact.permitted_by_processors_left_per_second"]
    assert elsewhere > applier()["fact.permitted_by_processors_left_per_second"]


def session(at: float, number: int) -> dict[str, Any]:
    """One of sixteen clients, the first of which is between two statements."""
    asked = {"command": "Query", "state": "Waiting for certification", "info": "UPDATE t SET a = 1"}
    asleep = {"command": "Sleep", "state": "", "info": ""}
    return {"at": at, "user": "app", "time": 0, **(asked if number else asleep)}


NODE: dict[str, Any] = {
    "server": "mariadb 10.11.6",
    "role": "node",
    "my.cnf": "wsrep_on = ON\nwsrep_slave_threads = 4",
    "variables": {"hostname": "a"},
}
NODES = [
    {
        **NODE,
        "name": "m1",
        "observed": {"clients": 16},
        "tables": {"processlist": [session(at / 2, number) for at in range(21) for number in range(16)]},
        "rate": {"wsrep_replicated": 2000, "wsrep_last_committed": 2000, "wsrep_flow_control_paused_ns": 600_000_000},
        "host": {"cpus": 2, "cpu_util": 0.75, "server_cpus": 0.6, "threads_running": 0.4, "threads_starved": 1.6},
    },
    {
        **NODE,
        **NOBODY,
        "name": "m2",
        "my.cnf": "wsrep_on = ON\nwsrep_slave_threads = 1",
        "rate": {"wsrep_replicated": 0, "wsrep_last_committed": 2000, "wsrep_flow_control_paused_ns": 600_000_000},
        "host": {
            "cpus": 2,
            "cpu_util": 0.75,
            "server_cpus": 0.5,
            "threads_running": 0.0,
            "appliers_running": 0.4,
            "appliers_starved": 0.4,
        },
    },
]


def slow_node(*nodes: dict[str, Any]) -> MemberFacts:
    load_causes()
    possible, _ = release_assumptions(
        build_cluster({"topology": "galera", "members": list(nodes or NODES)}, "test"), ()
    )
    return next(view for view in members_by_role(possible[-1]).views if view.member.name == "m2")


def test_nodes_on_one_machine_share_its_processors() -> None:
    node = slow_node()
    writer = next(peer for peer in node.peers if peer.member.name == "m1")
    each = writer["fact.processors_at_work"] / 2000
    permitted = BUSIEST_CPU_SHARE * writer["fact.processors_to_be_had"] / each
    assert node["fact.rate_of_fed_appliers_per_second"] == pytest.approx(permitted)
    assert node["fact.galera_rate_with_appliers_per_second"] == pytest.approx(permitted)


def test_a_node_that_nobody_writes_beside_is_held_by_its_appliers() -> None:
    found = slow_node(NODES[0], {**NODES[1], "variables": {"hostname": "b"}, "host": {"cpus": 1}})
    pool = 2000 * found["fact.galera_appliers_to_try"] ** 0.57
    unpaused = found["fact.galera_rate_without_pauses_per_second"]
    assert found["fact.galera_rate_with_appliers_per_second"] == pytest.approx(min(pool, unpaused))
