"""Reading real clusters: a bundle says what the live run said, privileges are named, nothing of the user's is kept."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.bundle.read_back import read_back
from advisor.collect.bundle.redacted_recordings import redact
from advisor.collect.bundle.save import archive, save
from advisor.collect.bundle.stated_roles import complete
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import Login
from advisor.collect.member.reader import MemberTarget, ReadingSchedule
from advisor.collect.targets import ClusterTarget, of_cluster_file
from advisor.evidence import read_path
from advisor.lab import state
from advisor.model.evidence import Cluster
from advisor.model.lab import ClusterFile
from advisor.model.record import replace
from advisor.model.rules import Verdict
from advisor.model.server import Family, Role, Topology
from tests.servers.conftest import Up

FAMILIES = [Family.MYSQL, Family.MARIADB]
LEAST = {
    Family.MYSQL: ["PROCESS, REPLICATION CLIENT ON *.*", "SELECT ON performance_schema.*"],
    Family.MARIADB: ["PROCESS, BINLOG MONITOR, SLAVE MONITOR ON *.*", "SELECT ON performance_schema.*"],
}

NOT_BY_DEFAULT = ("performance_schema is OFF", "component_replication_applier_metrics is not installed")


def gathered_from(cluster: ClusterFile, seconds: float = 0.0, every: float = 0.5) -> tuple[Gathered, ClusterTarget]:
    wanted = of_cluster_file(cluster, Login())
    return gather(wanted.members, ReadingSchedule(seconds, every, probe_fsync=True)), wanted


def bundle(gathered: Gathered, wanted: ClusterTarget, *, keep_names: bool = False) -> dict[str, bytes]:
    if not keep_names:
        gathered, wanted = redact(gathered, wanted, Pseudonyms(b"a key of this test"))
    return complete(pack(gathered, wanted, redacted=not keep_names), wanted)


def judged(cluster: Cluster) -> set[tuple[str, str, str, tuple[str, ...]]]:
    told = check(cluster, load_rules()).findings
    return {(f.rule.id, f.member, str(f.verdict), f.missing) for f in told if f.verdict is not Verdict.BROKEN}


@contextmanager
def session_as_root(cluster: ClusterFile, member: int = 0) -> Iterator[Session]:
    with connect(addresses(cluster)[cluster.members[member].name]) as session:
        yield session


def advisor(*words: str, password: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ADVISOR_PASSWORD": password} if password else None
    command = [sys.executable, "-m", "advisor", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env=environment)


@pytest.mark.parametrize(
    ("topology", "family", "known"),
    [
        ("group_replication", Family.MYSQL, Topology.GROUP_REPLICATION),
        ("semisync", Family.MYSQL, Topology.SEMISYNC),
        ("asynchronous", Family.MARIADB, Topology.ASYNC_MARIADB),
        ("galera", Family.MARIADB, Topology.GALERA),
    ],
)
def test_a_bundle_says_what_the_running_cluster_said(
    up: Up, tmp_path: Path, topology: str, family: Family, known: Topology
) -> None:
    cluster = up(topology, family, 2)
    gathered, wanted = gathered_from(cluster, 2.0)
    live = read_back(bundle(gathered, wanted, keep_names=True), cluster.path)
    assert live.topology is known
    assert {member.name: member.role for member in live.members} == {m.name: m.role for m in cluster.members}
    assert all(len(member.samples) == 5 for member in live.members)
    assert all(member.options and {"cpu_util", "fsync_ms"} <= member.host.keys() for member in live.members), (
        "it is this machine"
    )
    assert all(sum(s.table == "replica_status" for s in member.tables) >= 2 for member in live.members)
    assert not [problem for problem in live.problems if not any(known in problem for known in NOT_BY_DEFAULT)]
    for keep_names in (True, False):
        save(bundle(gathered, wanted, keep_names=keep_names), tmp_path / "bundle.tar.gz")
        sent = read_path(str(tmp_path / "bundle.tar.gz"))
        names = {member.name: known.name for member, known in zip(sent.members, live.members, strict=True)}
        assert {(rule, names[m], *rest) for rule, m, *rest in judged(sent)} == judged(live), "with names and without"
        assert [member.role for member in sent.members] == [member.role for member in live.members]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_privileges_of_the_guide_are_enough_and_without_them_each_is_asked_for(up: Up, family: Family) -> None:
    cluster = up("asynchronous", family, 2)
    with session_as_root(cluster) as root:
        root.run("CREATE USER 'bare'@'%' IDENTIFIED BY 'bare-Secret-1'")
    time.sleep(0.5)
    mine = replace(addresses(cluster)["m2"], user="bare", password="bare-Secret-1")

    def lacks() -> dict[str, str]:
        (recording,) = gather([MemberTarget("m2", mine)], ReadingSchedule()).recordings
        assert not recording.failure
        return {lack.command: lack.what for lack in recording.lacks if lack.why not in NOT_BY_DEFAULT}

    before = lacks()
    assert all(command.startswith("GRANT ") and "TO 'bare'@'%'" in command for command in before)
    told = " ".join(before.values())
    assert {"replica_status", "binary_log_status", "innodb_status", "processlist"} <= set(told.split(", ")) | set(
        told.replace(",", "").split()
    )
    with session_as_root(cluster) as root:
        for grant in before:
            root.run(grant)
    time.sleep(0.5)
    assert not lacks(), "what is advised is what is missing, and all of it"
    with session_as_root(cluster) as root:
        root.run("REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'bare'@'%'")
        for grant in LEAST[family]:
            root.run(f"GRANT {grant} TO 'bare'@'%'")
    time.sleep(0.5)
    assert not lacks(), "docs/collecting.md"


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_of_the_users_own_is_in_a_bundle(up: Up, family: Family) -> None:
    cluster = up("asynchronous", family, 2, settings=(("report_host", "dbhost7.shop.example"),))
    secret = "Sesame-open-4"
    with session_as_root(cluster) as root:
        root.run("CREATE DATABASE shopdb", "CREATE TABLE shopdb.customers (id INT PRIMARY KEY, v VARCHAR(20))")
        root.run(f"CREATE USER 'clerk'@'%' IDENTIFIED BY '{secret}'", "GRANT ALL ON shopdb.* TO 'clerk'@'%'")
        root.run("INSERT INTO shopdb.customers VALUES (1, 'alice')")
    clerk = replace(addresses(cluster)["m1"], user="clerk", password=secret)
    with connect(clerk) as one, connect(clerk) as two, session_as_root(cluster) as other:
        one.run("USE shopdb", "BEGIN", "UPDATE customers SET v = 'carol' WHERE id = 1")
        other.run("SET GLOBAL init_connect = 'SELECT 1 /* shopdb.customers */'")
        with pytest.raises(Exception, match="timeout"):
            two.run("USE shopdb", "SET innodb_lock_wait_timeout = 1", "UPDATE customers SET v = 'dave' WHERE id = 1")
        with session_as_root(cluster, 1) as replica:
            replica.run("DELETE FROM shopdb.customers")
        one.run("COMMIT")
        time.sleep(0.5)  # the replica's applier stops: the row is gone
        gathered, wanted = gathered_from(cluster)
    plain = b"\n".join(bundle(gathered, wanted, keep_names=True).values()).lower()
    hidden = b"\n".join(bundle(gathered, wanted).values()).lower()
    names = [b"dbhost7", b"shop.example", b"shopdb", b"customers", b"clerk", b"replicator"]
    assert all(name in plain for name in names), "there was something to hide"
    assert [name for name in (*names, b"carol", b"alice") if name in hidden] == []
    host = re.escape(os.uname().nodename.lower().encode())  # a short one may stand inside the server's public key
    assert not re.search(rb"(?<![\w+/])" + host + rb"(?![\w+/])", hidden)
    passwords = [secret.lower().encode(), addresses(cluster)["m1"].password.lower().encode()]
    assert not [word for word in passwords if word in hidden or word in plain]
    assert gathered.recordings[1].tables[0][1]["replica_status"][0]["Last_SQL_Errno"]


def test_a_member_that_is_lost_leaves_what_was_read_and_is_named(up: Up, tmp_path: Path) -> None:
    cluster = up("asynchronous", Family.MARIADB, 2)
    out = tmp_path / "lost.tar.gz"
    words = ["collect", "--cluster", cluster.path, "--for", "20s", "--every", "500ms", "-o", str(out)]
    with subprocess.Popen([sys.executable, "-m", "advisor", *words], stderr=subprocess.PIPE, text=True) as running:
        time.sleep(2.5)
        os.kill(state.read_state(cluster.name).processes["m2"].pid, signal.SIGKILL)
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=600)
    assert running.returncode == 4
    assert "m2: connection lost after" in told
    found = read_path(str(out))
    assert [(member.name, len(member.samples) > 2) for member in found.members] == [("m1", True), ("m2", True)]
    assert found.members[0].samples[-1].at_seconds > found.members[1].samples[-1].at_seconds + 0.5
    assert any("m2: connection lost after" in problem for problem in found.problems)
    done = advisor("check", "--cluster", cluster.path)
    assert done.returncode == 4, "a member that cannot be read is no success"
    assert "m2:" in done.stdout
    assert "1 member" in done.stdout or "mariadb" in done.stdout


def test_a_server_that_refuses_or_is_not_there_is_one_message(up: Up) -> None:
    cluster = up("standalone", Family.MYSQL, 1)
    port = cluster.members[0].port
    refused = advisor("check", "--dsn", f"mysql://root@127.0.0.1:{port}", password="Wrong-word-9")
    assert refused.returncode == 4
    assert "Access denied" in refused.stderr
    assert "ADVISOR_PASSWORD" in refused.stderr
    assert "Wrong-word-9" not in refused.stdout + refused.stderr
    assert "Traceback" not in refused.stderr
    password = addresses(cluster)["m1"].password
    found = advisor("check", "--dsn", f"mysql://root@127.0.0.1:{port}", "--format", "json", password=password)
    assert found.returncode in (0, 1), found.stderr
    assert '"standalone"' in found.stdout
    gone = advisor("collect", "--dsn", "mysql://root@127.0.0.1:1", "-o", "never.tar.gz")
    assert gone.returncode == 4
    assert not Path("never.tar.gz").exists()


def test_where_cluster_yaml_and_the_servers_differ_the_servers_are_right(up: Up) -> None:
    cluster = up("asynchronous", Family.MYSQL, 2)
    swapped = {"m1": Role.REPLICA, "m2": Role.SOURCE}
    told = replace(cluster, members=tuple(replace(m, role=swapped[m.name]) for m in cluster.members))
    gathered, wanted = gathered_from(told)
    found = read_back(bundle(gathered, wanted, keep_names=True), cluster.path)
    assert {member.name: member.role for member in found.members} == {"m1": Role.SOURCE, "m2": Role.REPLICA}
    assert sum("calls it" in problem for problem in found.problems) == 2
    assert len(archive(pack(gathered, wanted, redacted=False))) < 200_000
