"""`advisor why` on real clusters: a known bottleneck is named, a healthy cluster has none, what is tried is undone.

The scenarios are the short ones of benchmarks/diagnosis.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile
from advisor.model.record import replace
from advisor.model.server import Family
from benchmarks.diagnosis.run_scenario import run_scenario
from benchmarks.diagnosis.running_lab import running_lab, settle
from benchmarks.diagnosis.scenarios import Scenario, load_scenarios
from benchmarks.diagnosis.score import Result
from tests.servers.conftest import Up, server_for
from tests.servers.test_lab import until

SHORT = [one for one in load_scenarios() if one.short]
LABS = [list(scenarios) for _, scenarios in groupby(SHORT, key=lambda scenario: scenario.lab.name)]
TRY = """
import signal, sys
from pathlib import Path
from advisor.cluster_file import read_cluster
from advisor.collect.login import Login
from advisor.collect.targets import of_cluster_file
from advisor.model.evidence import Cluster, Member
from advisor.model.server import Role, Topology
from advisor.why.live.change import PlannedChange, connect, measure_change
signal.signal(signal.SIGTERM, signal.default_int_handler)
wanted = of_cluster_file(read_cluster(Path(sys.argv[1])), Login())
cluster = Cluster("test", (Member("m1", role=Role.STANDALONE),), Topology.STANDALONE)
with connect(cluster, wanted) as connected:
    measure_change(connected, PlannedChange({"m1": {"sync_binlog": "77"}}, "m1", False, 6, 1000), lambda text: None)
"""


@pytest.mark.parametrize("scenarios", LABS, ids=lambda scenarios: scenarios[0].lab.name)
def test_the_known_bottleneck_comes_first_and_a_healthy_cluster_has_none(
    scenarios: list[Scenario], tmp_path: Path
) -> None:
    lab = scenarios[0].lab
    server_for(lab.topology, lab.family)
    with running_lab(lab, f"why-{os.getpid()}", print) as field:
        for one in scenarios:
            done = run_scenario(replace(one, effect=""), field, tmp_path / "bundle.tar.gz", print)
            settle(field)
            result = Result(one, vars(done))
            told = [(cause["cause"], cause["confidence"]) for cause in done.document["causes"]]
            assert result.claimed == [] if one.healthy else result.right(1), f"{one.name}: {told}"


def test_what_was_tried_is_put_back_however_it_ends(up: Up) -> None:
    cluster = up("standalone", Family.MYSQL, 1)
    before = value(cluster)
    with writing(cluster):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            trying = subprocess.Popen([sys.executable, "-c", TRY, cluster.path], stderr=subprocess.DEVNULL)
            assert until(lambda: value(cluster) == "77")
            trying.send_signal(how)
            assert trying.wait(20) != 0
            assert until(lambda: value(cluster) == before)


@contextmanager
def writing(cluster: ClusterFile) -> Iterator[None]:
    """Somebody who commits: without that nothing is tried."""
    done = threading.Event()

    def write() -> None:
        with connect(addresses(cluster)["m1"]) as session:
            session.run("CREATE DATABASE w", "CREATE TABLE w.t (id INT PRIMARY KEY, n INT)")
            session.run("INSERT INTO w.t VALUES (1, 0)", "COMMIT")
            while not done.wait(0.02):
                session.run("UPDATE w.t SET n = n + 1", "COMMIT")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        done.set()
        writer.join()


def value(cluster: ClusterFile) -> str:
    with connect(addresses(cluster)["m1"]) as session:
        return str(session.value("SELECT @@GLOBAL.sync_binlog"))
