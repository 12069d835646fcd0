"""Facts about applying: workers in every spelling, waits per transaction, and the ceiling of one worker."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, TableSnapshot
from advisor.model.server import Role, Topology
from advisor.options import read_text, resolve


def view(server: str, lines: str, *, topology: Topology | None = None, **member: object) -> MemberFacts:
    """One member with an option file, as the first release that `server` may mean."""
    options = read_text(f"[mysqld]\n{lines}\n", "my.cnf")
    release = parse_release(server)[0]
    return MemberFacts(Member("m", options=options, **member), release, resolve(options, release), topology)  # type: ignore[arg-type]


def fsync(milliseconds: float) -> dict[str, Fact]:
    """A host whose syncs take so long."""
    return {"fsync_ms": Fact("fsync_ms", milliseconds)}


@pytest.mark.parametrize(
    ("server", "lines", "workers"),
    [
        ("mysql 5.7.44", "slave_parallel_workers=8", 8),
        ("mysql 5.7.44", "", 0),
        ("mysql 8.0.36", "", 4),
        ("mysql 8.4.3", "slave-parallel-workers=2", 2),
        ("mariadb 10.11.9", "slave_parallel_threads=6", 6),
        ("mariadb 10.11.9", "slave_parallel_workers=6", 6),
        ("mariadb 10.11.9", "slave_parallel_threads=6\nslave_parallel_mode=none", 0),
    ],
)
def test_workers_are_counted_in_every_spelling(server: str, lines: str, workers: int) -> None:
    assert view(server, lines).value("fact.applier_workers") == workers


def test_a_galera_node_applies_with_its_own_threads() -> None:
    node = view("mariadb 10.11.9", "wsrep_slave_threads=12\nslave_parallel_threads=3", topology=Topology.GALERA)
    assert node.value("fact.applier_workers") == 12


@pytest.mark.parametrize(
    ("lines", "syncs"),
    [
        ("log_bin=b\nlog_slave_updates\nserver_id=1", 2.0),
        ("log_bin=b\nserver_id=1", 1.0),
        ("", 1.0),
        ("innodb_flush_log_at_trx_commit=2", 0.0),
        ("innodb_flush_log_at_trx_commit=0\nlog_bin=b\nlog_slave_updates\nsync_binlog=4\nserver_id=1", 0.25),
        ("log_bin=b\nlog_slave_updates\nsync_binlog=0\nserver_id=1", 1.0),
    ],
)
def test_a_transaction_applied_alone_waits_for_each_sync(lines: str, syncs: float) -> None:
    assert view("mysql 5.7.44", lines).value("fact.syncs_per_applied_transaction") == syncs


def test_mariadb_syncs_no_binary_log_by_default() -> None:
    replica = view("mariadb 10.11.9", "log_bin\nlog_slave_updates")
    assert replica.value("fact.syncs_per_applied_transaction") == 1.0


def test_one_worker_applies_no_more_than_its_syncs_allow() -> None:
    durable = view("mysql 5.7.44", "log_bin=b\nlog_slave_updates\nserver_id=1", host=fsync(2.0))
    assert durable.value("fact.serial_apply_ceiling_per_second") == 250.0


def test_without_syncs_there_is_no_ceiling() -> None:
    relaxed = view("mysql 5.7.44", "innodb_flush_log_at_trx_commit=2", host=fsync(2.0))
    ceiling = relaxed.value("fact.serial_apply_ceiling_per_second")
    assert isinstance(ceiling, Missing)
    assert ceiling.absent
    assert not ceiling.needs


@pytest.mark.parametrize(("cpus", "workers"), [(1, 4), (8, 8), (96, 16)])
def test_workers_to_try_follow_the_processors_within_bounds(cpus: int, workers: int) -> None:
    replica = view("mysql 5.7.44", "", host={"cpus": Fact("cpus", cpus)})
    assert replica.value("fact.applier_workers_to_try") == workers


def test_without_the_processors_the_servers_own_default_is_tried() -> None:
    assert view("mysql 5.7.44", "").value("fact.applier_workers_to_try") == 4


@pytest.mark.parametrize(
    ("row", "lag"),
    [
        ({"Seconds_Behind_Master": 90, "SQL_Delay": 0}, 90),
        ({"Seconds_Behind_Source": 3700, "SQL_Delay": 3600}, 100),
        ({"Seconds_Behind_Source": 3000, "SQL_Delay": 3600}, 0),
    ],
)
def test_lag_does_not_count_the_delay_that_was_asked_for(row: dict[str, int], lag: int) -> None:
    replica = view("mysql 8.4.3", "", tables=(TableSnapshot("replica_status", (row,)),))
    assert replica.value("fact.replica_lag_seconds") == lag


def test_the_lag_of_a_stopped_replica_is_unknown() -> None:
    replica = view("mysql 8.4.3", "", tables=(TableSnapshot("replica_status", ({"Seconds_Behind_Source": None},)),))
    assert isinstance(replica.value("fact.replica_lag_seconds"), Missing)


def test_only_the_role_makes_a_file_a_replicas() -> None:
    assert view("mysql 8.4.3", "", role=Role.REPLICA).value("fact.is_async_replica") is True
    assert view("mysql 8.4.3", "", role=Role.SOURCE).value("fact.is_async_replica") is False
    nobody_knows = view("mysql 8.4.3", "").value("fact.is_async_replica")
    assert isinstance(nobody_knows, Missing)
    assert nobody_knows.needs == ("role",)


@pytest.mark.parametrize(
    ("entry", "in_vain"),
    [
        ({"from": 0, "to": 4, "lag_seconds_before": 270, "lag_seconds_after": 334}, True),
        ({"from": 0, "to": 4, "lag_seconds_before": 931, "lag_seconds_after": 365}, False),
        ({"from": 1, "to": 8, "throughput_before": 1.0, "throughput_after": 0.9}, True),
        ({"from": 8, "to": 0, "lag_seconds_before": 10, "lag_seconds_after": 90}, False),
        ({"from": 0, "to": 4}, False),
        ({"from": "few", "to": "many", "lag_seconds_before": 10, "lag_seconds_after": 90}, False),
    ],
)
def test_workers_that_were_tried_and_did_not_help_are_remembered(entry: dict[str, object], in_vain: bool) -> None:
    tried = Fact("tried", ({"what": "slave_parallel_threads", **entry}, {"what": "sync_binlog", "from": 1, "to": 0}))
    replica = view("mariadb 10.11.9", "slave_parallel_threads = 0", observed={"tried": tried})
    assert replica.value("fact.workers_tried_in_vain") is in_vain


def test_where_nothing_was_tried_nothing_was_in_vain() -> None:
    assert view("mysql 8.4.3", "").value("fact.workers_tried_in_vain") is False
