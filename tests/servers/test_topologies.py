"""Every topology on real servers: found from any member, counted to the transaction, told new settings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.lab import processes, state
from advisor.model.applying import Application
from advisor.model.lab import Address, ClusterFile
from advisor.model.progress import Progress
from advisor.model.record import replace
from advisor.model.server import Family
from advisor.nodes import Node
from advisor.topologies import (
    Heartbeat,
    NotApplied,
    ProgressMonitor,
    apply_settings,
    discover,
    heartbeat_lags_ms,
    module_for,
    open_nodes,
    took_effect,
)
from tests.servers.conftest import Up
from tests.servers.test_watch import line_with_state, member, watching

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
SHAPES = [
    ("asynchronous", MYSQL, 2), ("asynchronous", MARIADB, 2), ("semisync", MYSQL, 2), ("semisync", MARIADB, 2),
    ("group_replication", MYSQL, 2), ("galera", MARIADB, 2),
]  # fmt: skip
# What takes a member out of its part, what puts it back, and the state in between; others stop their applier.
OUT_OF_ORDER = {
    "group_replication": ("STOP GROUP_REPLICATION", "START GROUP_REPLICATION", "OFFLINE"),
    "galera": ("SET GLOBAL wsrep_desync = ON", "SET GLOBAL wsrep_desync = OFF", "Donor/Desynced"),
}
# What has members apply more at once: name, how it reaches them, and how many the server then says it has.
WORKERS = {
    "asynchronous-mysql": ("replica_parallel_workers", Application.APPLIER_RESTART),
    "asynchronous-mariadb": ("slave_parallel_threads", Application.APPLIER_RESTART),
    "semisync-mysql": ("replica_parallel_workers", Application.APPLIER_RESTART),
    "semisync-mariadb": ("slave_parallel_threads", Application.APPLIER_RESTART),
    "group_replication-mysql": ("replica_parallel_workers", Application.MEMBER_REJOIN),
    "galera-mariadb": ("wsrep_slave_threads", Application.DYNAMIC),
}


def commit(session: Session, number: int) -> None:
    """So many transactions of one row."""
    for _ in range(number):
        session.run("INSERT INTO shop.t (b) VALUES (1)")


def prepared(session: Session) -> None:
    """The table `commit` writes."""
    session.run("CREATE DATABASE shop", "CREATE TABLE shop.t (a INT AUTO_INCREMENT PRIMARY KEY, b INT)")


def drained(monitor: ProgressMonitor, seconds: float = 20.0) -> list[Progress]:
    """The first look at which nobody lacks anything."""
    end = time.monotonic() + seconds
    looked = monitor.look()
    while any(each.backlog for each in looked):
        assert time.monotonic() < end, looked
        time.sleep(0.05)
        looked = monitor.look()
    return looked


def counted(monitor: ProgressMonitor, number: int, do: Callable[[], None]) -> tuple[float, list[float]]:
    """What was committed on the first member and applied on the others, summed over the looks until all is there."""
    drained(monitor)
    do()
    committed, applied, end = 0.0, [0.0] * (len(monitor.positions) - 1), time.monotonic() + 20
    while committed < number - 0.5 or any(each < number - 0.5 for each in applied):
        assert time.monotonic() < end, (committed, applied)
        time.sleep(0.05)
        first, *others = monitor.look()
        committed += (first.committed_per_second or 0.0) * first.interval_seconds
        applied = [
            elapsed_seconds + (each.applied_per_second or 0.0) * each.interval_seconds
            for elapsed_seconds, each in zip(applied, others, strict=True)
        ]
    return committed, applied


@contextmanager
def blocked(node: Node, topology: str) -> Iterator[None]:
    """Nothing is applied on a member. Galera's nodes leave flow control while they are locked as a whole."""
    if topology == "group_replication":
        stop, start = "LOCK TABLES shop.t READ", "UNLOCK TABLES"
    elif topology == "galera":
        stop, start = "FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES"
    else:
        stop, start = node.dialect.stop_applier, node.dialect.start_applier
    with connect(node.replication) as session:
        session.run(stop)
        yield
        session.run(start)


def workers(node: Node, topology: str) -> int:
    """How many transactions a member applies at once, as its threads show."""
    if node.dialect.family is MYSQL:
        table = "performance_schema.replication_applier_status_by_worker"
        return int(str(node.session.value(f"SELECT COUNT(*) FROM {table} WHERE SERVICE_STATE = 'ON'")))
    if topology == "galera":
        return int(node.session.pairs("SHOW GLOBAL STATUS LIKE 'wsrep_applier_thread_count'").popitem()[1])
    return sum(row["Command"] == "Slave_worker" for row in node.session.rows("SHOW PROCESSLIST"))


def check_discovery(cluster: ClusterFile) -> None:
    """From every member, through its port, all are found, each in its role."""
    wanted = {(member.port, member.role) for member in cluster.members}
    for login in addresses(cluster).values():
        found = discover(replace(login, socket=""))
        assert found.unknowns == ()
        assert found.cluster.topology is cluster.topology
        assert found.cluster.server == cluster.server
        assert {(member.port, member.role) for member in found.cluster.members} == wanted
        assert found.cluster.members[0].port == cluster.members[0].port or cluster.topology == "galera"


def check_a_blocked_applier(monitor: ProgressMonitor, writer: Session, node: Node, topology: str) -> None:
    """What is committed meanwhile is the backlog, its age the lag; afterwards nothing is left of either."""
    drained(monitor)
    with blocked(node, topology):
        monitor.look()
        begun = time.monotonic()
        commit(writer, 1)
        first = time.monotonic()
        commit(writer, 24)
        time.sleep(0.3)
        looked = monitor.look()
        at = monitor.positions[node.name].at_seconds
        behind = next(each for each in looked if each.member == node.name)
        assert behind.backlog == 25
        assert behind.lag_method in ("timestamps", "positions")
        assert behind.lag_ms is not None
        # The oldest was committed between `begun` and `first`; a look takes a while on a busy machine.
        assert (at - first) * 1000 - 50 <= behind.lag_ms <= (at - begun) * 1000 + 100
        time.sleep(0.2)
        later = next(each for each in monitor.look() if each.member == node.name)
        assert later.backlog == 25
        assert later.lag_ms is not None
        assert later.lag_ms > behind.lag_ms + 100
    assert all(each.lag_ms in (None, 0.0) for each in drained(monitor))


def check_heartbeat(login: Address, nodes: Sequence[Node], topology: str) -> None:
    """Every member shows a young beat, one whose applier is blocked an old one; nothing of it stays."""
    with Heartbeat(login, milliseconds=20):
        end = time.monotonic() + 30
        while not all(age is not None and age < 300 for age in heartbeat_lags_ms(nodes).values()):
            assert time.monotonic() < end
            time.sleep(0.1)
        if topology != "group_replication":  # there only tables are locked, and not this one
            with blocked(nodes[-1], topology):
                time.sleep(0.6)
                young, old = (heartbeat_lags_ms(nodes)[node.name] for node in (nodes[0], nodes[-1]))
                assert young is not None
                assert young < 300
                assert old is not None
                assert old > 500
    end = time.monotonic() + 10
    while set(heartbeat_lags_ms(nodes).values()) != {None}:
        assert time.monotonic() < end
        time.sleep(0.1)


def check_states(cluster: ClusterFile, monitor: ProgressMonitor, node: Node, topology: str, ring: Path) -> None:
    """A member that does not do its part says so, is not taken for one that does, and makes no other unknown."""
    words = node.dialect
    stop, start, found = OUT_OF_ORDER.get(topology, (words.stop_applier, words.start_applier, "applier stopped"))
    watched = watching(cluster, ring) if topology in OUT_OF_ORDER else nullcontext()
    with watched as watch, connect(node.replication) as session:
        if watch is not None:
            line_with_state(watch, node.name, "")
        session.run(stop)
        first, last = monitor.look()
        assert (first.state, last.state, last.role is None) == ("", found, found == "OFFLINE")
        assert first.backlog in (None, 0)
        if watch is not None:
            said = line_with_state(watch, node.name, found)
            assert member(said, "m1")["state"] == ""
            assert (member(said, node.name)["role"] is None) == (found == "OFFLINE")
        session.run(start)
        until_state(monitor, "")
        if watch is not None:
            line_with_state(watch, node.name, "")
    drained(monitor)


def until_state(monitor: ProgressMonitor, state: str) -> None:
    """Wait until the last member has a state."""
    end = time.monotonic() + 30
    while (last := monitor.look()[-1]).state != state:
        assert time.monotonic() < end, last
        time.sleep(0.1)


def check_settings(cluster: ClusterFile, nodes: Sequence[Node], topology: str) -> None:
    """A value that acts at once, on all; the number of workers, on the last member."""
    module = module_for(cluster.topology, nodes[0].dialect.family)
    applied = apply_settings(module, nodes, {node.name: {"innodb_flush_log_at_trx_commit": "0"} for node in nodes})
    assert {each.how for each in applied} == {Application.DYNAMIC}
    assert all(took_effect(each) and each.before == "2" for each in applied)
    name, how = WORKERS[f"{topology}-{nodes[0].dialect.family}"]
    (only,) = apply_settings(module, nodes, {nodes[-1].name: {name: "3"}})
    assert (only.how, only.read_back) == (how, "3")
    assert module.problems(nodes) == []
    end = time.monotonic() + 5
    while workers(nodes[-1], topology) != 3:
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize(("topology", "family", "members"), SHAPES)
def test_a_topology_is_found_counted_and_told_settings(up: Up, topology, family, members, tmp_path):
    cluster = up(topology, family, members, durability="relaxed")
    check_discovery(cluster)
    with open_nodes(cluster) as nodes, connect(addresses(cluster)["m1"]) as writer:
        prepared(writer)
        with ProgressMonitor(module_for(cluster.topology, family), nodes) as monitor:
            committed, applied = counted(monitor, 200, lambda: commit(writer, 200))
            assert committed == pytest.approx(200)
            assert applied == pytest.approx([200] * (members - 1))
            check_a_blocked_applier(monitor, writer, nodes[-1], topology)
            check_states(cluster, monitor, nodes[-1], topology, tmp_path)
        check_heartbeat(addresses(cluster)["m1"], nodes, topology)
        check_settings(cluster, nodes, topology)
        with ProgressMonitor(module_for(cluster.topology, family), nodes) as monitor:
            assert counted(monitor, 50, lambda: commit(writer, 50))[0] == pytest.approx(50)


@pytest.mark.parametrize(("family", "settings"), [(MYSQL, ()), (MARIADB, (("log_bin", "binlog"),)), (MARIADB, ())])
def test_a_server_alone_counts_by_its_binary_log_or_not_at_all(up: Up, family, settings):
    cluster = up("standalone", family, 1, settings=settings)
    check_discovery(cluster)
    with open_nodes(cluster) as nodes, connect(addresses(cluster)["m1"]) as writer:
        prepared(writer)
        with ProgressMonitor(module_for(cluster.topology, family), nodes) as monitor:
            monitor.look()
            commit(writer, 30)
            (only,) = monitor.look()
    if family is MARIADB and not settings:
        assert only.committed_per_second is None
    else:
        assert only.committed_per_second is not None
        assert only.committed_per_second * only.interval_seconds == pytest.approx(30)
    assert (only.applied_per_second, only.backlog, only.lag_ms) == (None, None, None)


def test_a_group_that_is_held_back_says_so(up: Up):
    cluster = up("group_replication", MYSQL, 2, durability="relaxed")
    with open_nodes(cluster) as nodes, connect(addresses(cluster)["m1"]) as writer:
        prepared(writer)
        module = module_for(cluster.topology, MYSQL)
        with ProgressMonitor(module, nodes) as monitor:
            monitor.look()
            commit(writer, 20)
            assert monitor.look()[0].throttled_clients == 0.0
            apply_settings(module, nodes, {"m1": {"group_replication_flow_control_max_quota": "10"}})
            time.sleep(1.1)  # a period of flow control
            monitor.look()
            commit(writer, 40)
            held = monitor.look()[0]
    assert held.throttled_clients is not None
    assert 0.5 < held.throttled_clients <= 1.05  # one client, held back nearly all the time


def test_what_cannot_be_applied_changes_nothing_or_is_told(up: Up):
    cluster = up("group_replication", MYSQL, 2, durability="relaxed")
    with open_nodes(cluster) as nodes:
        module = module_for(cluster.topology, MYSQL)
        wanted = {"m1": {"group_replication_flow_control_mode": "SOMETIMES"}, "m2": {"sync_binlog": "7"}}
        with pytest.raises(NotApplied, match="group_replication_flow_control_mode") as raised:
            apply_settings(module, nodes, wanted)
        assert [(each.member, each.name) for each in raised.value.applied] == [("m2", "sync_binlog")]
        (joined,) = apply_settings(module, nodes, {"m1": {"group_replication_compression_threshold": "2000000"}})
        assert joined.how is Application.MEMBER_REJOIN
        assert module.problems(nodes) == [], "the primary leads again"


def test_a_source_that_is_gone_is_a_named_unknown(up: Up):
    cluster = up("asynchronous", MYSQL, 2, durability="relaxed")
    login = replace(addresses(cluster)["m2"], socket="")
    source = cluster.members[0]
    processes.end([pid for pid, name in processes.using(state.LabState(cluster.name).folder).items() if name == "m1"])
    found = discover(login)
    assert [member.port for member in found.cluster.members] == [login.port]
    (unknown,) = found.unknowns
    assert unknown.startswith(f"the source of 127.0.0.1:{login.port}, 127.0.0.1:{source.port}: ")


def test_a_replica_that_reports_no_host_is_found_where_it_fetches_from(up: Up):
    # MariaDB's source says where such a replica connects from; MySQL's says nothing.
    cluster = up("asynchronous", MYSQL, 2, durability="relaxed", member_settings={2: (("report_host", ""),)})
    login = replace(addresses(cluster)["m1"], socket="")
    with connect(login) as session:
        assert [row["Host"] for row in session.rows("SHOW REPLICAS")] == [""]
    found = discover(login)
    assert found.unknowns == ()
    assert [member.port for member in found.cluster.members] == [member.port for member in cluster.members]


def test_a_member_that_comes_back_is_read_again(up: Up):
    cluster = up("asynchronous", MYSQL, 2, durability="relaxed")
    logins = addresses(cluster)
    folder = state.LabState(cluster.name).folder
    with open_nodes(cluster) as nodes, ProgressMonitor(module_for(cluster.topology, MYSQL), nodes, logins) as monitor:
        monitor.look()
        processes.end([pid for pid, name in processes.using(folder).items() if name == "m2"])
        assert monitor.look()[1].error
        processes.start(cluster.members[1].start, folder / "m2/again.log")
        end = time.monotonic() + 30
        while (looked := monitor.look()[1]).error:
            assert time.monotonic() < end, looked
            time.sleep(0.2)
        assert looked.committed_per_second is None, "there is no look before it to compare with"
        assert monitor.look()[1].backlog == 0
