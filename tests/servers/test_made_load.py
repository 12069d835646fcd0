"""A load made from a running server while a user's load runs there is like that one, and has no word of it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from tests.servers.conftest import Up
from tests.servers.test_binlog import SETTINGS

SHORT = ("--threads", "2", "--tables", "2", "--rows", "500", "--warm-up", "2s:3s")
THEIRS = """format: 1
spreads: {items: {1: 0.5, 3: 0.9, 20: 1}}
prepare:
  - DROP TABLE IF EXISTS secret_orders
  - >-
    CREATE TABLE secret_orders (id INT AUTO_INCREMENT PRIMARY KEY, secret_customer INT NOT NULL,
    note VARCHAR(90) NOT NULL DEFAULT 'secret-default', KEY (secret_customer))
  - INSERT INTO secret_orders (secret_customer, note) SELECT id, 'secret-value' FROM t1
transactions:
  - weight: 2
    statements:
      - SELECT note FROM secret_orders WHERE id = {int:1:500}
      - times: "{spread:items}"
        each: "({int:1:500}, {string:40})"
        sql: INSERT INTO secret_orders (secret_customer, note) VALUES {each}
      - UPDATE secret_orders SET note = {string:30} WHERE id = {int:1:500}
  - statements: ["UPDATE secret_orders SET secret_customer = {int:1:500} WHERE id = {int:1:500}"]
"""


def bench(cluster: ClusterFile, load: Path, seconds: int) -> subprocess.Popen[str]:
    words = ["bench", "--cluster", cluster.path, "--workload", str(load), *SHORT, "--seconds", str(seconds)]
    return subprocess.Popen(
        [sys.executable, "-m", "advisor", *words, "--format", "json"], text=True, stdout=subprocess.PIPE
    )


def wait_for_load(cluster: ClusterFile) -> None:
    """Until rows are written by the load, not by its preparation."""
    until = time.monotonic() + 60
    with connect(addresses(cluster)[cluster.members[0].name]) as session:
        while time.monotonic() < until:
            found = session.value("SELECT 1 FROM information_schema.tables WHERE table_name = 'secret_orders'")
            if found and int(str(session.value("SELECT COUNT(*) FROM advisor_bench.secret_orders"))) > 600:
                return
            time.sleep(0.3)
    pytest.fail("the load did not begin")


@pytest.mark.parametrize("family", list(Family))
def test_a_made_load_resembles_the_one_that_runs(up: Up, family: Family, tmp_path: Path) -> None:
    watched = (("performance_schema", "ON"),) if family is Family.MARIADB else ()
    cluster = up("standalone", family, 1, settings=(*SETTINGS[family], *watched), durability="relaxed")
    address = addresses(cluster)[cluster.members[0].name]
    dsn = f"mysql://{address.user}@{address.host}:{address.port}"
    dsn = f"mysql://{address.user}@localhost?socket={address.socket}" if address.socket else dsn
    theirs, copy = tmp_path / "theirs.yaml", tmp_path / "load.yaml"
    theirs.write_text(THEIRS, encoding="utf-8")
    running = bench(cluster, theirs, 30)
    wait_for_load(cluster)
    words = ["--dsn", dsn, "--password-file", cluster.password_file, "--for", "3s", "-o", str(copy)]
    made = subprocess.run(
        [sys.executable, "-m", "advisor", "workload", "make", *words], capture_output=True, text=True, check=False
    )
    running.terminate()
    running.communicate(timeout=60)
    assert (made.returncode, made.stderr) == (0, "")
    assert "advisor_bench.secret_orders" in made.stdout
    assert "secret" not in copy.read_text(encoding="utf-8")

    ran = bench(cluster, copy, 4)
    (run,) = json.loads(ran.communicate(timeout=300)[0])["runs"]
    fidelity = run["measurement"]["fidelity"]
    figures = {figure["name"]: figure for figure in fidelity["figures"]}
    assert figures["rows_median"]["agreement"] >= 0.6
    assert figures["statements_median"]["agreement"] == 1
    assert figures["read_share"]["agreement"] > 0.8
    assert fidelity["score"] >= 0.8, figures
