"""Every fault on real servers: it does what it says, and is taken back without a trace."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.errors import LabError, ServerError, UsageError
from advisor.lab import down, members, processes, state
from advisor.lab.fault_injection import inject
from advisor.lab.faults import fault_names
from advisor.lab.limits import cgroups, disks
from advisor.lab.limits.cpus import quota
from advisor.lab.network import namespaces
from advisor.lab.network.emulation import read_network
from advisor.lab.network.round_trips import measure
from advisor.lab.status import lab_status
from advisor.lab.up import LabRequest, bring_up
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from tests.servers.conftest import Up, server_for
from tests.servers.test_lab import ask, until

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
LABS: dict[tuple[str, Family], ClusterFile] = {}
ROOT = not namespaces.why_not()


def lab(topology: str, family: Family) -> ClusterFile:
    """A lab of two members that all tests of this file share; with root, in network namespaces."""
    if (topology, family) not in LABS:
        name = f"faults-{os.getpid()}-{len(LABS)}"
        fields = {"rtt_ms": 0.0} if ROOT and topology == "semisync" else {}
        request = LabRequest(topology, name, server_for(topology, family), 2, durability="relaxed", **fields)
        LABS[topology, family] = bring_up(request, print)
    return LABS[topology, family]


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """No fault outlives its test, and every lab is well again."""
    yield
    for cluster in LABS.values():
        if inject.applied(cluster):
            inject.clear(cluster)


@pytest.fixture(scope="module", autouse=True)
def no_labs() -> Iterator[None]:
    """The labs go when the file is done."""
    yield
    for cluster in LABS.values():
        down.take_down(cluster.name)
    LABS.clear()


def variable(cluster: ClusterFile, member: int, name: str) -> str:
    return str(ask(cluster, member, f"SELECT @@GLOBAL.{name}"))


def counter(cluster: ClusterFile, member: int, name: str) -> int:
    with connect(addresses(cluster)[f"m{member}"]) as session:
        return int(session.pairs("SHOW GLOBAL STATUS LIKE %s", name)[name])


SETTINGS = [
    ("durable_member", "semisync", MYSQL, 2, {"sync_binlog": "1", "innodb_flush_log_at_trx_commit": "1"}),
    ("durable_member", "asynchronous", MARIADB, 2, {"sync_binlog": "1", "innodb_flush_log_at_trx_commit": "1"}),
    ("thread_concurrency", "semisync", MYSQL, 1, {"innodb_thread_concurrency": "1"}),
    ("commit_delay", "semisync", MYSQL, 1, {"binlog_group_commit_sync_delay": "10000"}),
    ("commit_delay", "asynchronous", MARIADB, 1, {"binlog_commit_wait_usec": "10000"}),
    ("small_redo", "semisync", MYSQL, 1, {"innodb_redo_log_capacity": str(16 << 20)}),
    ("small_redo", "asynchronous", MARIADB, 1, {"innodb_log_file_size": str(16 << 20)}),
    ("small_buffer_pool", "asynchronous", MARIADB, 2, {"innodb_buffer_pool_size": str(16 << 20)}),
    ("single_applier", "semisync", MYSQL, 2, {"replica_parallel_workers": "1"}),
    ("single_applier", "asynchronous", MARIADB, 2, {"slave_parallel_threads": "1"}),
    ("single_applier", "group_replication", MYSQL, 2, {"replica_parallel_workers": "1"}),
    ("flow_control_quota", "group_replication", MYSQL, 1, {"group_replication_flow_control_max_quota": "300"}),
]


@pytest.mark.parametrize(("fault", "topology", "family", "member", "values"), SETTINGS)
def test_a_setting_is_changed_and_put_back_and_the_cluster_stays_whole(fault, topology, family, member, values):
    cluster = lab(topology, family)
    before = {name: variable(cluster, member, name) for name in values}
    assert before != values
    inject.apply(cluster, fault, str(member), {})
    assert {name: variable(cluster, member, name) for name in values} == values
    assert until(lambda: lab_status(cluster.name).summary == "ready", 30)
    inject.clear(cluster, fault)
    assert {name: variable(cluster, member, name) for name in values} == before
    assert until(lambda: lab_status(cluster.name).summary == "ready", 30)


def test_a_galera_node_gets_one_applier_and_a_small_limit():
    cluster = lab("galera", MARIADB)
    before = variable(cluster, 2, "wsrep_slave_threads")
    inject.apply(cluster, "single_applier", "m2", {"workers": "2"})
    inject.apply(cluster, "small-fc-limit", "m2", {})
    assert variable(cluster, 2, "wsrep_slave_threads") == "2"
    assert "gcs.fc_limit = 2;" in variable(cluster, 2, "wsrep_provider_options")
    assert [one.fault for one in inject.clear(cluster)] == ["small_fc_limit", "single_applier"]
    assert variable(cluster, 2, "wsrep_slave_threads") == before
    assert "gcs.fc_limit = 16;" in variable(cluster, 2, "wsrep_provider_options")


@pytest.mark.parametrize(("topology", "family"), [("semisync", MYSQL), ("asynchronous", MARIADB)])
def test_a_stopped_applier_lets_the_backlog_grow(topology, family):
    cluster = lab(topology, family)
    inject.apply(cluster, "stopped_applier", "2", {})
    ask(cluster, 1, "CREATE DATABASE behind")
    assert "m2 is not applying" in lab_status(cluster.name).problems[0]
    found = "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'behind'"
    assert ask(cluster, 2, found) == 0
    inject.clear(cluster)
    assert until(lambda: ask(cluster, 2, found) == 1)
    ask(cluster, 1, "DROP DATABASE behind")


def test_a_replica_that_does_not_acknowledge_is_no_semisync_client():
    cluster = lab("semisync", MYSQL)
    inject.apply(cluster, "no_semisync_replica", "2", {})
    assert until(lambda: counter(cluster, 1, "Rpl_semi_sync_source_clients") == 0)
    inject.clear(cluster)
    assert until(lambda: lab_status(cluster.name).summary == "ready")


def process_state(pid: int) -> str:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stream:
        return stream.read().rpartition(")")[2].split()[0]


def test_a_paused_server_stands_still_again_and_again_and_then_no_more():
    cluster = lab("asynchronous", MARIADB)
    pid = members.running(cluster)["m2"]
    inject.apply(cluster, "pause", "2", {"stopped_ms": "100", "running_ms": "100"})
    seen = set()
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        seen.add(process_state(pid))
        time.sleep(0.01)
    assert "T" in seen
    assert seen - {"T"}
    inject.clear(cluster)
    assert process_state(pid) != "T"


@pytest.mark.parametrize(("topology", "family"), [("semisync", MYSQL), ("asynchronous", MARIADB)])
def test_locked_tables_let_nobody_write(topology, family):
    cluster = lab(topology, family)
    ask(cluster, 1, "CREATE DATABASE IF NOT EXISTS locked", "CREATE TABLE IF NOT EXISTS locked.t (a INT PRIMARY KEY)")
    inject.apply(cluster, "lock_tables", "1", {"locked_ms": "60000"})
    with pytest.raises(ServerError) as error:
        ask(cluster, 1, "SET SESSION lock_wait_timeout = 1", "INSERT INTO locked.t VALUES (1)", "SELECT 1")
    assert error.value.number == 1205
    inject.clear(cluster)
    ask(cluster, 1, "INSERT INTO locked.t VALUES (1)", "DROP DATABASE locked", "SELECT 1")


WRITERS = [
    ("hot_row", {"clients": "3"}, "Innodb_row_lock_waits"),
    ("big_transaction", {"rows": "3000", "every_ms": "50"}, "Com_update"),
    ("no_primary_key", {"rows": "300", "every_ms": "50"}, "Com_update"),
    ("ddl", {"rows": "100", "every_ms": "50"}, "Com_alter_table"),
]


@pytest.mark.parametrize(("fault", "strength", "grows"), WRITERS)
def test_what_writes_goes_on_until_it_is_cleared_and_leaves_no_table(fault, strength, grows):
    cluster = lab("asynchronous", MARIADB)
    inject.apply(cluster, fault, "1", strength)
    at_first = counter(cluster, 1, grows)
    assert until(lambda: counter(cluster, 1, grows) > at_first)
    inject.clear(cluster)
    schemas = "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'advisor_fault'"
    assert ask(cluster, 1, schemas) == 0
    at_last = counter(cluster, 1, grows)
    time.sleep(0.3)
    assert counter(cluster, 1, grows) == at_last
    assert until(lambda: ask(cluster, 2, schemas) == 0)


@pytest.mark.parametrize(("topology", "family"), [("semisync", MYSQL), ("asynchronous", MARIADB)])
def test_a_long_reader_keeps_a_transaction_open(topology, family):
    cluster = lab(topology, family)
    opened = "SELECT COUNT(*) FROM information_schema.innodb_trx"
    assert ask(cluster, 1, opened) == 0
    inject.apply(cluster, "long_reader", "1", {})
    assert ask(cluster, 1, opened) == 1
    inject.clear(cluster)
    assert until(lambda: ask(cluster, 1, opened) == 0)


def test_a_killed_member_comes_back_when_the_fault_is_cleared():
    cluster = lab("asynchronous", MARIADB)
    inject.apply(cluster, "kill_member", "2", {})
    assert lab_status(cluster.name).problems == ("m2 is not running",)
    inject.clear(cluster)
    assert lab_status(cluster.name).summary == "ready"


def seconds_of(cluster: ClusterFile, *statements: str) -> float:
    with connect(addresses(cluster)["m1"]) as session:
        began = time.monotonic()
        session.run(*statements)
        return time.monotonic() - began


def cpu_seconds(cluster: ClusterFile) -> float:
    """What the first member's server has used."""
    members_of = processes.using(state.LabState(cluster.name).folder)
    pid = next(number for number, member in members_of.items() if member == "m1")
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
        fields = stream.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not ROOT, reason="control groups are root's")
@pytest.mark.parametrize(("topology", "family"), [("semisync", MYSQL), ("asynchronous", MARIADB)])
def test_a_slow_disk_makes_durable_commits_wait(topology, family):
    cluster = lab(topology, family)
    inject.apply(cluster, "durable_member", "1", {})
    ask(cluster, 1, "CREATE DATABASE slow", "CREATE TABLE slow.t (a INT PRIMARY KEY)", "SELECT 1")
    quick = seconds_of(cluster, *(f"INSERT INTO slow.t VALUES ({number})" for number in range(10)))
    inject.apply(cluster, "slow_disk", "1", {"writes_per_second": "40"})
    slow = seconds_of(cluster, *(f"INSERT INTO slow.t VALUES ({number})" for number in range(10, 20)))
    assert slow > 10 * 2 / 40, "two fsyncs a commit, at least one write each"
    assert slow > 2 * quick
    inject.clear(cluster)
    again = seconds_of(cluster, *(f"INSERT INTO slow.t VALUES ({number})" for number in range(20, 30)))
    assert again < slow / 2
    ask(cluster, 1, "DROP DATABASE slow", "SELECT 1")


@pytest.mark.skipif(not ROOT, reason="control groups are root's")
def test_a_server_gets_no_more_of_a_processor_than_it_is_left():
    cluster = lab("asynchronous", MARIADB)
    inject.apply(cluster, "cpu_limit", "1", {"cpus": "0.1"})
    before = cpu_seconds(cluster)
    passed = seconds_of(cluster, "DO BENCHMARK(1000000, SHA1('a'))")
    used = cpu_seconds(cluster) - before
    assert used > 0.05, "it did compute"
    assert used < 0.1 * passed + 0.11, "a tenth, and at most what one period of the kernel lets through"
    inject.clear(cluster)
    place = cgroups.folder(cluster.name, 1, "cpu")
    free = {name: text for name, text in quota(0).items() if (place / name).exists()}
    assert free
    assert {name: (place / name).read_text(encoding="ascii").split() for name in free} == {
        name: text.split() for name, text in free.items()
    }


@pytest.mark.skipif(not ROOT, reason="network namespaces are root's")
def test_a_member_becomes_far_and_slow_while_it_runs():
    cluster = lab("semisync", MYSQL)
    folder = state.LabState(cluster.name).folder

    def measured() -> float:
        return next(one.measured_ms or 0.0 for one in measure(read_network(folder)) if one.one == 1)

    assert measured() < 10
    inject.apply(cluster, "latency", "2", {"rtt_ms": "40"})
    inject.apply(cluster, "bandwidth", "2", {"mbit": "8"})
    assert 40 <= measured() < 50
    space = namespaces.name_of(cluster.name, "m2")
    assert "rate 8Mbit" in namespaces.run(["tc", "-netns", space, "qdisc", "show", "dev", "n0"])
    began = time.monotonic()
    ask(cluster, 1, "CREATE DATABASE far")
    assert time.monotonic() - began >= 0.04, "the commit waits for the acknowledgement"
    inject.clear(cluster)
    assert measured() < 10
    assert "tbf" not in namespaces.run(["tc", "-netns", space, "qdisc", "show", "dev", "n0"])
    ask(cluster, 1, "DROP DATABASE far")


@pytest.mark.skipif(bool(disks.why_not()), reason="disks of their own are root's")
@pytest.mark.parametrize("family", [MYSQL, MARIADB])
def test_a_full_disk_takes_nothing_until_it_is_cleared(family, up: Up):
    """A row for MySQL. MariaDB 10.11.19 ends when a large row finds no room, so it is asked for a file."""
    cluster = up("standalone", family, 1, disk_bytes=1 << 30)
    data = state.LabState(cluster.name).folder / "m1" / "data"
    made = ("CREATE DATABASE full", "CREATE TABLE full.t (a INT AUTO_INCREMENT PRIMARY KEY, b LONGBLOB)")
    insert = ("SET sql_log_bin = 0", "INSERT INTO full.t (b) VALUES (REPEAT('x', 4000000))")
    ask(cluster, 1, *made, *insert, "SELECT 1")
    with pytest.raises(UsageError, match="are free on that disk, less than free_megabytes=5000"):
        inject.apply(cluster, "full_disk", "1", {"free_megabytes": "5000"})
    inject.apply(cluster, "full_disk", "1", {})
    assert shutil.disk_usage(data).free < 1 << 20
    assert (data.parent / "disk.img").stat().st_blocks * 512 < 1 << 29, "it has holes"
    file = f"SELECT REPEAT('x', 4000000) INTO OUTFILE '{data / 'rows'}'"
    with pytest.raises(ServerError, match=r"is full|No space left"):
        ask(cluster, 1, *(insert * 10 if family is MYSQL else [file]), "SELECT 1")
    inject.clear(cluster)
    ask(cluster, 1, *insert * 10, "SELECT 1")
    down.take_down(cluster.name)
    assert not os.path.ismount(data)
    assert not data.exists()


REFUSED = [
    ("single_applier", "asynchronous", MARIADB, "1", "only members that apply"),
    ("hot_row", "asynchronous", MARIADB, "2", "does not accept writes"),
    ("no_primary_key", "group_replication", MYSQL, "1", "Group Replication refuses"),
    ("flow_control_quota", "asynchronous", MARIADB, "1", "needs Group Replication"),
    ("thread_concurrency", "asynchronous", MARIADB, "1", "m1 has no innodb_thread_concurrency"),
    ("small_fc_limit", "semisync", MYSQL, "1", "needs Galera"),
    ("latency", "asynchronous", MARIADB, "2", "on loopback"),
    ("single_applier", "group_replication", MYSQL, "1", "a primary"),
    ("full_disk", "asynchronous", MARIADB, "1", "has no separate disk"),
]


@pytest.mark.parametrize(("fault", "topology", "family", "member", "why"), REFUSED)
def test_what_cannot_be_is_refused_and_not_remembered(fault, topology, family, member, why):
    cluster = lab(topology, family)
    with pytest.raises(LabError, match=why):
        inject.apply(cluster, fault, member, {})
    assert inject.applied(cluster) == []


def test_wrong_words_are_wrong_usage():
    cluster = lab("asynchronous", MARIADB)
    for words in (
        ("nonsense", "1", {}),
        ("pause", "7", {}),
        ("pause", "1", {"x": "1"}),
        ("pause", "1", {"stopped_ms": "a"}),
    ):
        with pytest.raises(UsageError):
            inject.apply(cluster, *words)
    inject.apply(cluster, "commit_delay", "1", {})
    with pytest.raises(UsageError, match="already"):
        inject.apply(cluster, "commit_delay", "1", {})


def test_another_process_clears_and_lists_and_a_wait_ends_in_clearing():
    cluster = lab("asynchronous", MARIADB)
    command = [sys.executable, "-m", "advisor", "lab", "fault", cluster.name]
    subprocess.run([*command, "apply", "pause", "--member", "m2"], check=True, capture_output=True)
    listed = subprocess.run([*command, "list"], check=True, capture_output=True, text=True).stdout
    assert listed == "m2  pause  (stopped_ms=500, running_ms=500)\n"
    subprocess.run([*command, "clear"], check=True, capture_output=True)
    assert inject.applied(cluster) == []
    subprocess.run([*command, "apply", "long-reader", "--for", "200ms"], check=True, capture_output=True)
    assert inject.applied(cluster) == []
    assert processes.naming(f"{processes.BELONGING}{state.LabState(cluster.name).folder}/") == {}


def test_a_lab_that_goes_takes_its_faults_with_it(up: Up):
    cluster = up("standalone", MARIADB, 1)
    folder = state.LabState(cluster.name).folder
    for fault in ("pause", "hot_row", *(["slow_disk", "cpu_limit"] if ROOT else [])):
        inject.apply(cluster, fault, "1", {})
    assert len(processes.naming(f"{processes.BELONGING}{folder}/")) == 2
    down.take_down(cluster.name)
    assert processes.naming(f"{processes.BELONGING}{folder}/") == {}
    assert not [group for top in ("cpu", "blkio") for group in _groups(top) if cluster.name in group]


def _groups(top: str) -> list[str]:
    place = f"/sys/fs/cgroup/{top}" if os.path.isdir("/sys/fs/cgroup/cpu") else "/sys/fs/cgroup"
    return os.listdir(place)


def test_every_fault_is_tried_in_this_file():
    with open(__file__, encoding="utf-8") as stream:
        text = stream.read().replace("-", "_")
    assert [name for name in fault_names() if f'"{name}"' not in text] == []
