"""Every topology over a network of its own, on real servers; and nothing of it is left, however it ends. Root only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.lab import down, processes, state
from advisor.lab.network import namespaces
from advisor.lab.network.emulation import read_network
from advisor.lab.network.round_trips import measure
from advisor.lab.status import lab_status
from advisor.model.record import replace
from advisor.model.server import Family
from tests.servers.conftest import Up, server_for
from tests.servers.test_lab import ask, until

pytestmark = pytest.mark.skipif(bool(namespaces.why_not()), reason="network namespaces are root's")
MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
SHAPES = [("asynchronous", MYSQL), ("semisync", MARIADB), ("group_replication", MYSQL), ("galera", MARIADB)]


def left_of(name: str) -> list[str]:
    """Namespaces, processes, and links of ours whose other end is in one."""
    spaces = [line for line in namespaces.run(["ip", "netns"]).splitlines() if f"-{name}-" in line]
    folder = state.LabState(name).folder
    return spaces + list(processes.naming(f"{processes.BELONGING}{folder}/").values())


@pytest.mark.parametrize(("topology", "family"), SHAPES)
def test_members_that_are_apart_form_a_cluster_that_clients_reach_at_once(up: Up, topology, family):
    cluster = up(topology, family, 2, rtt_ms=10.0, bits_per_second=10**9)
    assert lab_status(cluster.name).summary == "ready"
    for found in measure(read_network(state.LabState(cluster.name).folder)):
        assert found.measured_ms is not None
        assert found.meant_ms <= found.measured_ms < found.meant_ms + 8
    for address in addresses(cluster).values():  # over TCP, from outside
        with connect(replace(address, socket="")) as session:
            assert session.value("SELECT 1") == 1
    ask(cluster, 1, "CREATE DATABASE shop", "SELECT 1")
    count = "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'shop'"
    assert until(lambda: ask(cluster, 2, count) == 1)
    down.take_down(cluster.name)
    assert left_of(cluster.name) == []


def test_a_commit_waits_a_round_trip_for_its_acknowledgement(up: Up):
    cluster = up("semisync", MARIADB, 2, rtt_ms=30.0)
    ask(cluster, 1, "CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)", "SELECT 1")
    with connect(addresses(cluster)["m1"]) as session:
        seconds = []
        for number in range(20):
            began = time.monotonic()
            session.run(f"INSERT INTO shop.t VALUES ({number})")
            seconds.append(time.monotonic() - began)
        assert 0.03 <= min(seconds) < 0.06  # the least disturbed commit; 0.06 would be two round trips


@pytest.mark.parametrize("after_seconds", [0.6, 1.0, 2.0])
def test_a_killed_advisor_leaves_nothing_that_down_does_not_find(after_seconds):
    server_for("asynchronous", MARIADB)
    name = f"netkill-{os.getpid()}"
    words = [sys.executable, "-m", "advisor", "lab", "up", "asynchronous", "--mariadb", "--rtt", "5ms", "--name", name]
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after_seconds)
    run.send_signal(signal.SIGKILL)
    run.wait()
    if name in state.names():
        down.take_down(name)
    assert left_of(name) == []


def test_without_root_the_reason_is_said(up: Up, monkeypatch):
    from advisor.errors import LabError

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LabError, match="need root"):
        up("asynchronous", MARIADB, 2, rtt_ms=5.0)
