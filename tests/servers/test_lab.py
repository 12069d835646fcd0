"""Every topology on real servers: it comes up, is what it claims to be, says when it is not, and goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses, read_cluster
from advisor.errors import LabError
from advisor.lab import down, processes, state
from advisor.lab.status import lab_status
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from tests.servers.conftest import Up, server_for

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
SHAPES = [
    ("standalone", MYSQL, 1), ("standalone", MARIADB, 1), ("asynchronous", MYSQL, 3), ("asynchronous", MARIADB, 3),
    ("semisync", MYSQL, 2), ("semisync", MARIADB, 2), ("group_replication", MYSQL, 3), ("galera", MARIADB, 3),
]  # fmt: skip


def ask(cluster: ClusterFile, member: int, *statements: str) -> object:
    """Run statements on a member, counted from 1; the first value of the last."""
    with connect(addresses(cluster)[f"m{member}"]) as session:
        session.run(*statements[:-1])
        return session.value(statements[-1])


def until(true_of: object, seconds: float = 15.0) -> bool:
    """Whether something callable becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if callable(true_of) and true_of():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(("topology", "family", "members"), SHAPES)
def test_a_topology_comes_up_carries_a_row_to_every_member_and_goes(up: Up, topology, family, members):
    cluster = up(topology, family, members, durability="relaxed")
    assert lab_status(cluster.name).summary == "ready"
    assert read_cluster(cluster.path) == cluster
    ask(cluster, 1, "CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)", "INSERT INTO shop.t VALUES (7)")
    if topology != "standalone":
        count = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'shop'"
        for member in range(2, members + 1):
            assert until(lambda at=member: ask(cluster, at, count) == 1)
            assert until(lambda at=member: ask(cluster, at, "SELECT a FROM shop.t") == 7)
    assert ask(cluster, 1, "SELECT @@innodb_flush_log_at_trx_commit") == 2
    down.take_down(cluster.name)
    assert processes.using(state.LabState(cluster.name).folder) == {}
    assert cluster.name not in state.names()


def test_commits_that_no_longer_wait_are_noticed(up: Up):
    cluster = up("semisync", MARIADB, 2)
    ask(cluster, 2, "STOP SLAVE")
    ask(cluster, 1, "SET GLOBAL rpl_semi_sync_master_timeout = 100", "CREATE DATABASE shop")
    found = lab_status(cluster.name)
    assert found.summary == "degraded"
    assert "m1 has fallen back to asynchronous commits" in found.problems


def test_acknowledgements_and_wait_point_are_what_was_asked(up: Up):
    cluster = up("semisync", MYSQL, 3, options={"acks": 2, "wait_point": "after_commit", "workers": 2})
    assert ask(cluster, 1, "SELECT @@rpl_semi_sync_source_wait_for_replica_count") == 2
    assert ask(cluster, 1, "SELECT @@rpl_semi_sync_source_wait_point") == "AFTER_COMMIT"
    assert ask(cluster, 2, "SELECT @@replica_parallel_workers") == 2


def test_all_members_of_a_multi_primary_group_write(up: Up):
    cluster = up("group_replication", MYSQL, 2, options={"multi_primary": True})
    assert [ask(cluster, member, "SELECT @@super_read_only") for member in (1, 2)] == [0, 0]


def test_a_member_that_dies_is_a_problem(up: Up):
    cluster = up("group_replication", MYSQL, 2)
    victim = next(pid for pid, name in processes.using(state.LabState(cluster.name).folder).items() if name == "m2")
    processes.end([victim])
    assert lab_status(cluster.name).problems[0] == "m2 is not running"


def test_a_node_that_lost_everything_gets_it_back(up: Up):
    cluster = up("galera", MARIADB, 3)  # of two, the survivor would have no majority
    ask(cluster, 1, "CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)", "INSERT INTO shop.t VALUES (7)")
    assert ask(cluster, 2, "SET SESSION wsrep_sync_wait = 15", "SELECT a FROM shop.t") == 7
    folder = state.LabState(cluster.name).folder
    processes.end(pid for pid, name in processes.using(folder).items() if name == "m2")
    for file in ("grastate.dat", "galera.cache", "shop/t.ibd"):
        (folder / "m2/data" / file).unlink()
    processes.start(cluster.members[1].start, folder / "m2/again.log")
    assert until(lambda: lab_status(cluster.name).summary == "ready", 60)
    assert ask(cluster, 2, "SELECT a FROM shop.t") == 7


def test_settings_reach_all_members_or_one(up: Up):
    own = {2: (("max_connections", "77"),)}
    cluster = up("asynchronous", MARIADB, 2, settings=(("max_connections", "55"),), member_settings=own)
    assert [ask(cluster, member, "SELECT @@max_connections") for member in (1, 2)] == [55, 77]


@pytest.mark.parametrize("family", [MYSQL, MARIADB])
def test_why_a_server_does_not_start_is_said_and_nothing_stays(up: Up, family):
    with pytest.raises(LabError, match="unknown variable 'sync_binlogg=1'"):
        up("standalone", family, 1, settings=(("sync_binlogg", "1"),))
    assert not [name for name in state.names() if name.startswith(f"test-{os.getpid()}")]


def test_the_password_is_on_no_command_line_and_in_no_open_file(up: Up):
    cluster = up("asynchronous", MYSQL, 2)
    password = next(iter(addresses(cluster).values())).password
    folder = state.LabState(cluster.name).folder
    for pid in processes.using(folder):
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as stream:
            assert password not in stream.read()
    assert password not in (folder / "cluster.yaml").read_text(encoding="utf-8")
    assert (folder / "client.cnf").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("kill", "after_seconds"), [("INT", 1.0), ("TERM", 2.5), ("KILL", 2.0)])
def test_a_run_that_is_stopped_leaves_nothing(kill, after_seconds):
    server_for("group_replication", MYSQL)
    name = f"stopped-{os.getpid()}"
    words = ["-m", "advisor", "lab", "up", "group_replication", "--name", name]
    run = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(after_seconds)
    run.send_signal(signal.Signals[f"SIG{kill}"])
    said = run.communicate()[1]
    if kill == "KILL":
        down.take_down(name)
    else:
        assert run.returncode == 4
        assert "nothing is left running" in said
    assert name not in state.names()
    assert processes.using(state.LabState(name).folder) == {}
