"""`advisor tune --live` on real servers with light traffic: what is planted is found, and the former values return.

Every run is the command itself, in a process of its own. The traffic is that of the benchmark's own load generator,
which here stands for the users.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.server import Family
from advisor.tune.live.dead_man import SILENCE_SECONDS
from tests.servers.conftest import Up

RESTORED_SECONDS = 2.0 + 8.0  # what is promised, and what a busy machine may add
DELAY = "binlog_group_commit_sync_delay"
SPACE = """
topology: standalone
families: {{mysql: ">=8.0"}}
knobs:
  binlog_group_commit_sync_delay:
    low: 10
    high: 1000000
    scale: log
    step: 10
    special: ["0"]
    advice: "{advice}"
    members: writers
    risk: R1
    why: the only knob of this test
"""
PLANTED = {
    Family.MYSQL: {DELAY: "10000"},
    Family.MARIADB: {"log_bin": "ON", "binlog_commit_wait_count": "100000", "binlog_commit_wait_usec": "10000"},
}
REMOVED = {Family.MYSQL: DELAY, Family.MARIADB: "binlog_commit_wait_count"}


@contextmanager
def traffic(cluster: ClusterFile, rate: float = 60.0) -> Iterator[None]:
    load = Load("update_index", 4, ("m1",), rate_per_second=rate, tables=1, rows_per_table=2000)
    with start_load(load, cluster, prepare(cluster, load, print), lambda second: None):
        time.sleep(2)
        yield


@contextmanager
def live(cluster: ClusterFile, *words: str) -> Iterator[tuple[subprocess.Popen[str], Callable[[], dict[str, Any]]]]:
    """The command, and what it reports as JSON at its end."""
    command = [sys.executable, "-m", "advisor", "tune", "--live", "--cluster", cluster.path, "--format", "json", *words]
    with (
        TemporaryFile("w+") as report,
        subprocess.Popen(command, stdout=report, stderr=subprocess.PIPE, text=True) as running,
    ):

        def told() -> dict[str, Any]:
            _, said = running.communicate(timeout=600)
            report.seek(0)
            text = report.read()
            assert text, said
            return json.loads(text)

        yield running, told
        if running.poll() is None:
            running.kill()


def value(cluster: ClusterFile, name: str) -> str:
    with connect(addresses(cluster)["m1"]) as session:
        return str(session.value(f"SELECT @@GLOBAL.{name}"))


def until(holds: Callable[[], bool], seconds: float) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def space(folder: Path, advice: int) -> str:
    (folder / "standalone.yaml").write_text(SPACE.format(advice=advice))
    return str(folder)


# One family: a run takes five minutes. MariaDB commits slower here, so that its gain is harder to show.
@pytest.mark.parametrize("family", [Family.MARIADB])
def test_a_wait_before_each_commit_is_found_and_its_gain_is_reported(up: Up, family: Family) -> None:
    cluster = up("standalone", family, 1, settings=tuple(PLANTED[family].items()), durability="durable")
    names = [name for name in PLANTED[family] if name != "log_bin"]
    before = {name: value(cluster, name) for name in names}
    with traffic(cluster), live(cluster, "--for", "280s", "--watch-for", "40s") as (running, told):
        report = told()
    print(json.dumps(report["tried"][0]))
    assert running.returncode == 0
    (recommended, *_) = report["recommended"]
    assert recommended["settings"]["m1"] == {REMOVED[family]: "0"}
    tried = next(each for each in report["tried"] if each["answer"] == "helps")
    latency = next(effect for effect in tried["effects"] if effect["measure"] == "commit_latency")
    assert latency["better"]
    assert latency["ratio"]["high"] < 0.8
    assert {name: value(cluster, name) for name in names} == before


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hanging"])
def test_a_second_process_restores_the_former_value(up: Up, tmp_path: Path, ending: signal.Signals) -> None:
    cluster = up("standalone", Family.MYSQL, 1, durability="durable")
    words = ("--for", "170s", "--watch-for", "30s", "--spaces", space(tmp_path, 20))
    with traffic(cluster), live(cluster, *words) as (running, _):
        assert until(lambda: value(cluster, DELAY) == "20", 90)
        os.kill(running.pid, ending)
        silence = 0.0 if ending is signal.SIGKILL else SILENCE_SECONDS
        assert until(lambda: value(cluster, DELAY) == "0", silence + RESTORED_SECONDS)
        if ending is signal.SIGSTOP:
            os.kill(running.pid, signal.SIGCONT)
            _, said = running.communicate(timeout=60)
            assert running.returncode == 4
            assert "the second process" in said
            assert value(cluster, DELAY) == "0"


def test_what_someone_else_changes_meanwhile_is_left_to_them(up: Up, tmp_path: Path) -> None:
    cluster = up("standalone", Family.MYSQL, 1, durability="durable")
    words = ("--for", "170s", "--watch-for", "30s", "--spaces", space(tmp_path, 20))
    with traffic(cluster), live(cluster, *words) as (running, _):
        assert until(lambda: value(cluster, DELAY) == "20", 90)
        with connect(addresses(cluster)["m1"]) as session:
            session.run(f"SET GLOBAL {DELAY} = 30")
        _, said = running.communicate(timeout=60)
    assert running.returncode == 4
    assert "someone else changed" in said
    assert value(cluster, DELAY) == "30"


def test_ctrl_c_restores_the_former_value_and_reports(up: Up, tmp_path: Path) -> None:
    cluster = up("standalone", Family.MYSQL, 1, durability="durable")
    words = ("--for", "170s", "--watch-for", "30s", "--spaces", space(tmp_path, 20))
    with traffic(cluster), live(cluster, *words) as (running, told):
        assert until(lambda: value(cluster, DELAY) == "20", 90)
        os.kill(running.pid, signal.SIGINT)
        assert until(lambda: value(cluster, DELAY) == "0", RESTORED_SECONDS)
        assert told()["ending"] == "interrupted"
    assert running.returncode == 1


def test_a_limit_that_is_touched_restores_the_former_value(up: Up, tmp_path: Path) -> None:
    """The way to a wait of 160 ms ends where the latency limit begins."""
    cluster = up("standalone", Family.MYSQL, 1, durability="durable")
    words = ("--for", "300s", "--watch-for", "30s", "--latency-bound", "60ms", "--spaces", space(tmp_path, 640_000))
    highest = 0
    with traffic(cluster), live(cluster, *words) as (running, told):
        while running.poll() is None:
            highest = max(highest, int(value(cluster, DELAY)))
            time.sleep(0.1)
        report = told()
    print(json.dumps(report), highest)
    assert running.returncode == 1
    assert report["tried"][0]["answer"] == "limit_touched"
    assert report["tried"][0]["restored_after_seconds"] < RESTORED_SECONDS
    assert 0 < highest < 640_000
    assert value(cluster, DELAY) == "0"


def test_what_cannot_be_watched_is_named_and_nothing_is_changed_unless_it_is_given_up(up: Up) -> None:
    cluster = up("standalone", Family.MYSQL, 1, settings=(("performance_schema", "OFF"),))
    with traffic(cluster), live(cluster, "--for", "100s", "--watch-for", "30s") as (running, _):
        _, said = running.communicate(timeout=60)
        assert running.returncode == 2
        assert "latency" in said
        assert "--give-up latency" in said


def test_an_asynchronous_pair_is_watched_for_lag(up: Up) -> None:
    cluster = up("asynchronous", Family.MYSQL, 2, durability="relaxed")
    with traffic(cluster), live(cluster, "--for", "100s", "--watch-for", "30s", "--dry-run") as (running, told):
        report = told()
    assert running.returncode == 0
    assert report["ending"] == "only_watched"
    assert report["limits"]["lag"]["state"] == "watched"
    assert report["watch"]["lag_ms"] is not None
    assert {"commit_latency", "lag", "backlog"} <= set(report["watch"]["judged_by"])
    assert report["watch"]["detectable"]
