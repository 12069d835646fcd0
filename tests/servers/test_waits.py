"""What live collection sees of waits: whose lock, and the system call of each thread."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.collect.gather import gather
from advisor.collect.login import Login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import of_cluster_file
from advisor.errors import ServerError
from advisor.model.evidence import Row
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from tests.servers.conftest import Up

FAMILIES = [Family.MYSQL, Family.MARIADB]


@contextmanager
def blocked(cluster: ClusterFile, holds: list[str], waits: str) -> Iterator[None]:
    """A session that holds a lock, and another one that waits for it until the end of the block."""
    address = addresses(cluster)["m1"]
    with connect(address) as holder, connect(address, answer_seconds=60) as waiter:
        holder.run(*holds)
        session = waiter.value("SELECT CONNECTION_ID()")

        def wait() -> None:
            with suppress(ServerError):  # the wait is all that counts
                waiter.run(waits)

        thread = threading.Thread(target=wait)
        thread.start()
        state = ""
        while not state or state == "starting":
            state = str(holder.value(f"SELECT STATE FROM information_schema.PROCESSLIST WHERE ID = {session}") or "")
        try:
            yield
        finally:
            holder.run("UNLOCK TABLES", "ROLLBACK")
            thread.join()


def seen(cluster: ClusterFile) -> dict[str, list[Row]]:
    """Every row of the tables read meanwhile."""
    wanted = of_cluster_file(cluster, Login())
    (recording,) = gather(wanted.members, ReadingSchedule(2.0, 0.5, states_every_seconds=0.1)).recordings
    assert not recording.failure
    rows: dict[str, list[Row]] = {}
    for _, tables in recording.tables:
        for name, some in tables.items():
            rows.setdefault(name, []).extend(some)
    return rows


@pytest.mark.parametrize("family", FAMILIES)
def test_a_row_lock_names_its_holder_and_what_that_does(up: Up, family: Family) -> None:
    cluster = up("standalone", family, 1)
    with connect(addresses(cluster)["m1"]) as session:
        session.run("CREATE DATABASE shop", "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT)",
                    "INSERT INTO shop.stock VALUES (1, 1)")  # fmt: skip
    update = "UPDATE shop.stock SET n = n + 1 WHERE id = 1"
    with blocked(cluster, ["BEGIN", update], update):
        rows = seen(cluster)
    waits = rows["lock_waits"]
    assert {(wait["lock"], wait["object"], wait["waiter"], wait["blocker_command"]) for wait in waits} == {
        ("row", "shop.stock", "client", "Sleep")
    }
    waiting = [row for row in rows["processlist"] if row.get("trx") == "lock wait"]
    assert waiting
    assert {row["kind"] for row in waiting} == {"client"}
    assert {row["os"] for row in waiting} == {"S"}, "it runs on this machine"


def test_a_metadata_lock_names_its_holder_too(up: Up) -> None:
    cluster = up("standalone", Family.MYSQL, 1)
    with connect(addresses(cluster)["m1"]) as session:
        session.run("CREATE DATABASE shop", "CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT)")
    with blocked(cluster, ["LOCK TABLES shop.stock READ"], "INSERT INTO shop.stock VALUES (1, 1)"):
        table = {(row["lock"], row["object"], row["blocker_command"]) for row in seen(cluster)["lock_waits"]}
    with blocked(cluster, ["FLUSH TABLES WITH READ LOCK"], "INSERT INTO shop.stock VALUES (1, 1)"):
        whole = {(row["lock"], row["blocker_command"]) for row in seen(cluster)["lock_waits"]}
    assert table == {("metadata", "shop.stock", "Sleep")}
    assert whole == {("global", "Sleep")}


INSTRUMENTS = (
    "SELECT GROUP_CONCAT(CONCAT(NAME, ENABLED, TIMED) ORDER BY NAME) FROM performance_schema.setup_instruments"
    " WHERE ENABLED = 'YES'"
)
CONSUMERS = "SELECT GROUP_CONCAT(CONCAT(NAME, ENABLED) ORDER BY NAME) FROM performance_schema.setup_consumers"
SWITCHES = (INSTRUMENTS, CONSUMERS)


@pytest.mark.parametrize("killed", [False, True], ids=["to its end", "killed"])
def test_instruments_are_switched_back(up: Up, killed: bool) -> None:
    cluster = up("standalone", Family.MYSQL, 1)
    with connect(addresses(cluster)["m1"]) as session:
        session.run("SET SESSION group_concat_max_len = 1000000")
        before = [session.value(statement) for statement in SWITCHES]
        command = [sys.executable, "-m", "advisor", "why", "--cluster", cluster.path, "--for", "3s", "--instrument"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            until(lambda: [session.value(statement) for statement in SWITCHES] != before)
            if killed:
                running.kill()
        assert running.returncode == (-signal.SIGKILL if killed else 0)
        until(lambda: [session.value(statement) for statement in SWITCHES] == before)


def until(holds: Callable[[], bool]) -> None:
    """Wait for it, at most a minute."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
