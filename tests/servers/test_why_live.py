"""`advisor why` on running clusters: what privileges it needs, when it answers, what it tries, what pt-stalk collected.

Every run is the command itself, in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import RunningLoad, start_load
from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.lab.servers.binaries import find_servers
from advisor.model.lab import Address, ClusterFile
from advisor.model.measurement import Load
from advisor.model.server import Family
from tests.servers.conftest import Up

FAMILIES = [Family.MYSQL, Family.MARIADB]
WORKERS = {Family.MYSQL: "replica_parallel_workers", Family.MARIADB: "slave_parallel_threads"}
# What one applier does not reach that syncs each transaction: 1200 a second were applied on a fast machine.
FASTER_THAN_ONE = 4000
PROC = {"diskstats": "diskstats", "procstat": "stat", "procvmstat": "vmstat", "meminfo": "meminfo"}
GRANTS = {
    Family.MYSQL: ("PROCESS", "REPLICATION CLIENT"),
    Family.MARIADB: ("PROCESS", "BINLOG MONITOR, SLAVE MONITOR"),
}


def why(
    *words: str, hear: Callable[[str], None] = lambda line: None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command, with a report as JSON. `hear` gets what it says meanwhile, line by line."""
    environment = {**os.environ, **variables}
    command = [sys.executable, "-m", "advisor", "why", *words, "--format", "json"]
    said = []
    with (
        TemporaryFile("w+") as report,
        subprocess.Popen(command, stdout=report, stderr=subprocess.PIPE, text=True, env=environment) as running,
    ):
        assert running.stderr
        for line in running.stderr:
            said.append(line)
            hear(line)
        code = running.wait(600)
        report.seek(0)
        return subprocess.CompletedProcess(command, code, report.read(), "".join(said))


def sure(told: dict[str, Any]) -> set[str]:
    """The causes claimed."""
    return {cause["cause"] for cause in told["causes"] if cause["confidence"] >= 0.5}


@contextmanager
def loaded(cluster: ClusterFile, threads: int, rate: float = 0.0) -> Iterator[RunningLoad]:
    load = Load("update_index", threads, ("m1",), rate_per_second=rate, tables=1, rows_per_table=2000)
    with start_load(load, cluster, prepare(cluster, load, print), lambda second: None) as running:
        time.sleep(3)
        yield running


def root(cluster: ClusterFile, member: str = "m1") -> Session:
    return connect(addresses(cluster)[member])


@pytest.mark.parametrize("family", FAMILIES)
def test_without_privileges_it_says_which_are_missing_and_claims_nothing(up: Up, family: Family) -> None:
    cluster = up("standalone", family, 1)
    with root(cluster) as session:
        session.run("CREATE USER 'bare'@'%' IDENTIFIED BY 'bare-Secret-1'")
    dsn = f"mysql://bare@127.0.0.1:{addresses(cluster)['m1'].port}"
    asked_for = []
    with loaded(cluster, 4, rate=40):
        for grant in ("", *GRANTS[family]):
            if grant:
                with root(cluster) as session:
                    session.run(f"GRANT {grant} ON *.* TO 'bare'@'%'")
            done = why("--dsn", dsn, "--for", "3s", ADVISOR_PASSWORD="bare-Secret-1")
            assert done.returncode == 0, done.stderr
            told = json.loads(done.stdout)
            if family is Family.MARIADB:  # no binary log by default: nothing counts transactions
                assert told["throughput"] is None
                assert any("log_bin is OFF" in problem for problem in told["problems"])
            else:
                assert 30 < told["throughput"] < 60
            assert sure(told) <= {"healthy_or_expected"}
            asked_for.append({problem for problem in told["problems"] if "GRANT" in problem})
    nothing, process, both = asked_for
    assert any("GRANT PROCESS ON *.*" in problem for problem in nothing)
    assert not any("GRANT PROCESS ON *.*" in problem for problem in process)
    assert len(both) < len(process) < len(nothing)


def test_a_group_under_load_is_diagnosed_for_the_interval_that_was_asked_for(up: Up) -> None:
    """How soon after it the answer comes is measured by benchmarks/why_speed.py: here others may have the CPUs."""
    cluster = up("group_replication", Family.MYSQL, 3, durability="relaxed")
    with loaded(cluster, 8):
        done = why("--cluster", cluster.path, "--for", "5s")
        still_loaded = why("--cluster", cluster.path, "--for", "1s")
    told, shorter = json.loads(done.stdout), json.loads(still_loaded.stdout)
    assert told["throughput"] > 0
    assert told["interval_seconds"] >= 4
    assert shorter["interval_seconds"] < told["interval_seconds"]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_advised_is_measured_under_load_kept_and_undone(up: Up, family: Family, tmp_path: Path) -> None:
    """A replica that applies one by one; on MariaDB the load ends while the advice is in force, and nothing is kept."""
    cluster = up("asynchronous", family, 2, durability="relaxed")
    name = WORKERS[family]
    with root(cluster, "m2") as session:
        session.run("STOP REPLICA SQL_THREAD", f"SET GLOBAL {name} = {int(family is Family.MYSQL)}")
        session.run("SET GLOBAL sync_binlog = 1", "SET GLOBAL innodb_flush_log_at_trx_commit = 1")
        session.run("START REPLICA SQL_THREAD")
        before = session.value(f"SELECT @@GLOBAL.{name}")
    with loaded(cluster, 8, rate=FASTER_THAN_ONE) as running:
        ends = threading.Timer(4.0, running.stop)  # of the 10 s with what is advised

        def hear(line: str) -> None:
            if family is Family.MARIADB and line.startswith("in force"):
                ends.start()

        done = why("--cluster", cluster.path, "--for", "5s", "--verify", hear=hear, XDG_DATA_HOME=str(tmp_path))
        ends.cancel()
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "applier_single_threaded" in sure(told), done.stdout
    (trial,) = told["trials"]
    print(json.dumps(trial))
    assert {"in force", "restored"} <= {line.partition(":")[0] for line in done.stderr.splitlines()}
    assert trial["member"] == "m2"
    kept = tmp_path / "advisor" / "verified-changes.jsonl"
    if family is Family.MARIADB:
        assert not kept.exists()
        assert "the load ended" in trial["flaw"]
        assert any(sentence.startswith("Nothing could be measured") for sentence in told["summary"])
    else:
        assert trial["flaw"] == ""
        assert min(trial["during_per_second"], trial["without_per_second"]) > 0  # which is more, a busy machine decides
        assert trial["predicted_per_second"]["low"] > 0
        (pair,) = map(json.loads, kept.read_text().splitlines())
        assert (pair["cause"], pair["topology"]) == ("applier_single_threaded", "async_mysql")
        assert name in pair["settings"]
        assert pair["measured"] == pytest.approx(trial["during_per_second"], abs=0.01)
        assert pair["predicted"][1] == pytest.approx(trial["predicted_per_second"]["mid"], abs=0.01)
        assert "m2" not in kept.read_text()
        assert "1 verified change for applier_single_threaded" in done.stderr
    with root(cluster, "m2") as session:
        assert session.value(f"SELECT @@GLOBAL.{name}") == before


def test_a_folder_of_pt_stalk_is_read_like_a_collection_of_our_own(up: Up, tmp_path: Path) -> None:
    cluster = up("standalone", Family.MYSQL, 1)
    with loaded(cluster, 2):
        stalk(cluster, tmp_path, 5)
    done = why(str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["throughput"] > 0
    assert told["interval_seconds"] >= 3
    assert told["budget"]
    assert not [problem for problem in told["problems"] if "there is no" in problem]
    (tmp_path / "2026_11_21_10_00_00-mysqladmin").unlink()
    told = json.loads(why(str(tmp_path)).stdout)
    assert told["throughput"] is None
    assert any("rates per second are not known" in problem for problem in told["problems"])
    # How busy the machine's CPUs are is still known, and the one that runs this may have none to spare.
    assert sure(told) <= {"cpu_saturated"}


def stalk(cluster: ClusterFile, folder: Path, seconds: int) -> None:
    """What pt-stalk leaves in a folder, by the same programs and under the same names."""
    address = addresses(cluster)["m1"]
    prefix = folder / "2026_11_21_10_00_00"
    extended = program("mysqladmin", address, "ext", "-i1", f"-c{seconds}")
    with (
        Path(f"{prefix}-mysqladmin").open("w") as written,
        subprocess.Popen(extended, stdout=written, stderr=subprocess.DEVNULL, env=login(address)),
    ):
        Path(f"{prefix}-variables").write_text(output(address, "-e", "SHOW GLOBAL VARIABLES"))
        # -E does what \G did, which the client of 9.7 no longer takes in a statement
        Path(f"{prefix}-innodbstatus1").write_text(output(address, "-E", "-e", "SHOW ENGINE INNODB STATUS"))
        for _ in range(seconds):
            stamp = f"TS {time.time():.9f} {time.strftime('%F %T')}\n"
            for what, file in PROC.items():
                add(f"{prefix}-{what}", stamp + Path("/proc", file).read_text())
            add(f"{prefix}-processlist", stamp + output(address, "-E", "-e", "SHOW FULL PROCESSLIST"))
            disks = subprocess.run(["df", "-k"], capture_output=True, text=True, check=False)
            add(f"{prefix}-df", stamp + disks.stdout)
            time.sleep(1)
    Path(f"{prefix}-hostname").write_text("db1\n")
    Path(f"{prefix}-trigger").write_text("2026_11_21_10_00_00 Threads_running=30 > 25\n")


def add(path: str, text: str) -> None:
    with Path(path).open("a") as stream:
        stream.write(text)


def program(name: str, address: Address, *words: str) -> list[str]:
    """A client program of the installed MySQL, or no test."""
    client = next(one.client for one in find_servers() if one.family is Family.MYSQL)
    if not client:
        pytest.skip("no client programs")
    place = str(Path(client[-1]).with_name(name))
    return [*client[:-1], place, "--no-defaults", f"-u{address.user}", "-h127.0.0.1", f"-P{address.port}", *words]


def login(address: Address) -> dict[str, str]:
    return {**os.environ, "MYSQL_PWD": address.password}


def output(address: Address, *words: str) -> str:
    """What the client prints."""
    done = subprocess.run(
        program("mysql", address, *words), capture_output=True, text=True, timeout=600, check=False, env=login(address)
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
