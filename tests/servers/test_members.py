"""Members of a lab stop, start and restart, and the cluster is whole again, whatever stopped them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from advisor.errors import LabError
from advisor.lab import members, processes
from advisor.lab.option_blocks import with_block
from advisor.lab.status import lab_status
from advisor.model.server import Family
from tests.servers.conftest import Up
from tests.servers.test_lab import ask, until

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
SHAPES = [("group_replication", MYSQL), ("galera", MARIADB), ("semisync", MARIADB)]


@pytest.mark.parametrize(("topology", "family"), SHAPES)
def test_a_cluster_is_whole_after_one_and_after_all_were_down(up: Up, topology, family):
    cluster = up(topology, family, 2, durability="relaxed")
    ask(cluster, 1, "CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)", "SELECT 1")
    members.stop(cluster, ["m2"])
    assert list(members.running(cluster)) == ["m1"]
    ask(cluster, 1, "INSERT INTO shop.t VALUES (7)", "SELECT 1")
    members.start(cluster)
    assert lab_status(cluster.name).summary == "ready"
    assert until(lambda: ask(cluster, 2, "SELECT a FROM shop.t") == 7)

    members.restart(cluster, ["m1"], {"max_connections": "77"})
    assert [ask(cluster, member, "SELECT @@max_connections") == 77 for member in (1, 2)] == [True, False]
    assert lab_status(cluster.name).summary == "ready", "the first member leads again"

    processes.end(members.running(cluster).values())  # killed: nobody noted how far it was
    assert lab_status(cluster.name).summary == "down"
    members.start(cluster)
    assert lab_status(cluster.name).summary == "ready"
    assert [ask(cluster, member, "SELECT a FROM shop.t") for member in (1, 2)] == [7, 7]


def test_a_member_that_does_not_start_with_a_setting_starts_without_it(up: Up):
    cluster = up("standalone", MARIADB, 1)
    members.restart(cluster, [], {"max_connections": "44"})
    path = Path(cluster.members[0].option_file)
    before = path.read_text(encoding="utf-8")
    with pytest.raises(LabError, match=r"unknown variable 'nonsense=1'.*restarted with the old settings"):
        members.restart(cluster, ["m1"], {"nonsense": "1"})
    assert path.read_text(encoding="utf-8") == before
    assert ask(cluster, 1, "SELECT @@max_connections") == 44
    members.restart(cluster, [], {})
    assert path.read_text(encoding="utf-8") == with_block(before, members.LATER, {})
    assert ask(cluster, 1, "SELECT @@max_connections") != 44


def test_the_words_of_the_cluster_file_hold_a_member_as_before(up: Up):
    cluster = up("standalone", MARIADB, 1, cpus=1.0)
    words = [sys.executable, "-m", "advisor", "lab", "restart", cluster.name, "1"]
    subprocess.run(words, check=True, capture_output=True)
    pid = members.running(cluster)["m1"]
    group = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8")
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    assert f"advisor-{cluster.name}-m1" in group or "Cpus_allowed_list:\t0\n" in status
