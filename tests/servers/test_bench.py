"""`advisor bench` on real clusters: what it writes, what it says of a slow member, and what it leaves when it ends."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.evidence import read_path
from advisor.lab import processes
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from tests.servers.conftest import Up

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
SHORT = ["--workload", "update_index", "--threads", "4", "--tables", "1", "--rows", "1000", "--warm-up", "2s:3s"]


def words(cluster: ClusterFile, *more: str) -> list[str]:
    return [sys.executable, "-m", "advisor", "bench", "--cluster", cluster.path, *SHORT, *more]


def bench(cluster: ClusterFile, *more: str) -> subprocess.CompletedProcess[str]:
    """A run of the command; its output."""
    return subprocess.run(words(cluster, *more), capture_output=True, text=True, check=False, timeout=600)


def ask(cluster: ClusterFile, member: str, *statements: str) -> object:
    with connect(addresses(cluster)[member]) as session:
        session.run(*statements[:-1])
        return session.value(statements[-1])


def samples(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize(("topology", "family"), [("group_replication", MYSQL), ("galera", MARIADB)])
def test_a_run_measures_what_was_committed_and_writes_what_the_schema_says(
    up: Up, topology, family, tmp_path, checkout
):
    cluster = up(topology, family, 2, durability="relaxed")
    files = ["--csv", str(tmp_path / "run.csv"), "-o", str(tmp_path / "run.tar.gz")]
    done = bench(cluster, "--seconds", "4s", "--format", "json", *files)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    jsonschema.validate(told, json.loads((checkout / "schemas/measurement.json").read_text(encoding="utf-8")))
    run = told["runs"][0]
    found = run["measurement"]
    loaded = [second for second in run["seconds"] if second["phase"] != "drain"]
    counted = sum(second["members"][0]["committed_per_second"] * second["members"][0]["interval_seconds"]
                  for second in loaded if second["members"][0]["committed_per_second"])  # fmt: skip
    said = sum(row["transactions_per_second"] for second in loaded for row in second["load"])
    assert counted == pytest.approx(said, rel=0.35), "a tick more or less of five, and the data set's own"
    assert found["peak_per_second"] > 10
    assert found["members"][1]["drain_seconds"] is not None
    assert {one["method"] for one in found["sustained"]} == {"slowest_member", "drain"}
    assert set(found["latency_ms"]) >= {"mean", "p50", "p95", "p99"}
    assert samples(tmp_path / "run.csv")[0]["phase"] == "warm_up"
    bundle = read_path(str(tmp_path / "run.tar.gz"))
    assert [len(member.samples) >= 2 for member in bundle.members] == [True, True]
    assert bundle.members[0].observed["clients"].value == 4


def test_a_replica_with_a_slow_applier_is_not_within_the_bound_and_paces_the_cluster(up: Up):
    """One applying thread that waits for every commit to reach the disk, and a writer that does not."""
    cluster = up("asynchronous", MYSQL, 2, durability="relaxed", member_settings={
        2: (("replica_parallel_workers", "1"), ("sync_binlog", "1"), ("innodb_flush_log_at_trx_commit", "1"))
    })  # fmt: skip
    done = bench(cluster, "--threads", "16", "--seconds", "4s", "--lag-bound", "50ms", "--format", "json",
                 "--drain", "4s")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["runs"][0]["measurement"]
    replica = found["members"][1]
    assert found["sustained_within_bound"] is False, found["sustained_because"]
    assert "m2" in found["sustained_because"]
    assert found["sustained"][0]["per_second"] == pytest.approx(replica["applied_per_second"])
    assert found["sustained"][0]["per_second"] < found["peak_per_second"]
    late = [said for said in found["warnings"] if said.startswith("the backlog was not drained within 4 s")]
    assert late if replica["drain_seconds"] is None else 0.0 < replica["drain_seconds"] < 5.0


def test_ctrl_c_leaves_no_load_and_keeps_the_samples(up: Up, tmp_path: Path):
    cluster = up("standalone", MARIADB, 1, durability="relaxed")
    file = tmp_path / "run.csv"
    process = subprocess.Popen(
        words(cluster, "--seconds", "60s", "--csv", str(file)), stderr=subprocess.PIPE, text=True
    )
    time.sleep(5)
    assert processes.identify(process.pid)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=600)[1]
    assert process.returncode == 4
    assert "interrupted; the load was stopped" in said
    assert f"samples so far are in {file}" in said
    assert len(samples(file)) >= 2
    threads = "SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'advisor_bench'"
    assert ask(cluster, "m1", threads) == 0


def test_a_member_that_is_killed_in_mid_run_is_named_and_the_exit_code_is_four(up: Up, tmp_path: Path):
    cluster = up("asynchronous", MARIADB, 2, durability="relaxed")
    file = tmp_path / "run.csv"
    process = subprocess.Popen(
        words(cluster, "--seconds", "60s", "--csv", str(file)), stderr=subprocess.PIPE, text=True
    )
    time.sleep(5)
    os.kill(int(Path(str(ask(cluster, "m2", "SELECT @@pid_file"))).read_text()), signal.SIGKILL)
    said = process.communicate(timeout=600)[1]
    assert process.returncode == 4
    assert "m2 was lost" in said
    assert file.is_file()


def test_other_settings_are_compared_in_turns_and_restored(up: Up):
    cluster = up("standalone", MYSQL, 1, durability="durable")
    done = bench(cluster, "--vs", "sync_binlog=0,innodb_flush_log_at_trx_commit=2", "--pairs", "1", "--seconds", "2s",
                 "--format", "json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["runs"]) == 2
    assert told["comparison"]["ratios"]["peak"]["mid"] > 0.7, "no slower, but for a noisy machine"
    assert ask(cluster, "m1", "SELECT @@sync_binlog + @@innodb_flush_log_at_trx_commit") == 2


def test_wrong_words_are_refused_before_anything_runs(up: Up):
    cluster = up("standalone", MARIADB, 1)
    for more, said in (
        (["--workload", "nonsense"], "there is no workload 'nonsense'"),
        (["--writers", "m7"], "--writers: 'm7' is not a member"),
        (["--threads", "0"], "--threads '0'"),
        (["--vs", "m9:sync_binlog=0"], "'m9' is not a member"),
        (["--find-sustained", "--rate", "5"], "--find-sustained cannot be combined"),
        (["--option", "speed"], "--option 'speed' is not NAME=VALUE"),
        (["--csv", "/nowhere/run.csv"], "the folder does not exist"),
    ):
        done = bench(cluster, *more)
        assert done.returncode == 2, done.stderr
        assert said in done.stderr
        assert "Traceback" not in done.stderr
