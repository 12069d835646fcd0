"""What a real Prometheus keeps of a real cluster: `advisor timeline` names a change in it, `advisor why` reads it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from benchmarks.incidents.paced_load import PacedLoad, prepare
from tests.history.readings import BEGIN, write_lines
from tests.servers import monitoring
from tests.servers.conftest import Up, no_server
from tests.timeline.made import SECONDS, level, writer

CALM_SECONDS = 14
AFTER_SECONDS = 9


@pytest.fixture(autouse=True)
def _programs() -> None:
    missing = [product for product in monitoring.RECIPES if monitoring.find(product) is None]
    if missing:
        no_server(f"monitoring: {', '.join(missing)} (`python scripts/get_servers.py`)")


@pytest.fixture
def loaded(up: Up) -> Iterator[ClusterFile]:
    """A source and a replica with users at a steady rate."""
    cluster = up("asynchronous", Family.MYSQL, 2, durability="relaxed")
    writer = addresses(cluster)["m1"]
    with connect(writer) as session:
        prepare(session)
    load = PacedLoad(lambda: writer, rate=40)
    load.start()
    yield cluster
    load.stop()


def advisor(*words: str) -> dict[str, Any]:
    """The JSON report of a command."""
    command = [sys.executable, "-m", "advisor", *words, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_a_setting_changed_under_prometheus_is_named_and_the_same_time_is_diagnosed(loaded: ClusterFile) -> None:
    with monitoring.watching(loaded.path) as watched:
        time.sleep(CALM_SECONDS)
        with connect(addresses(loaded)["m1"]) as session:
            session.run("SET GLOBAL innodb_flush_log_at_trx_commit = 0, GLOBAL innodb_adaptive_flushing = OFF")
        changed = time.time()
        time.sleep(AFTER_SECONDS)
        report = advisor("timeline", watched.url, "--last", "25s")
        diagnosis = advisor("why", "--history", watched.url, "--for", "20s")
    events = {event["subject"]: event for episode in report["episodes"] for event in episode["events"]}
    setting = events["innodb_flush_log_at_trx_commit"]
    assert (setting["member"], setting["before"], setting["after"]) == ("m1", "2", "0")
    at = datetime.fromisoformat(setting["when"]["at"]).timestamp()
    assert abs(at - changed) <= 3
    assert (events["innodb_adaptive_flushing"]["before"], events["innodb_adaptive_flushing"]["after"]) == ("ON", "OFF")
    drawn = {(curve["signal"], curve["member"]) for curve in report["curves"]}
    assert drawn >= {("throughput", "m1"), ("throughput", "m2"), ("lag", "m2"), ("latency", "m1"), ("cpu", "m1")}
    assert diagnosis["topology"] == "async_mysql"
    assert diagnosis["writer"] == "m1"
    assert diagnosis["members"] == ["m1", "m2"]


def test_victoria_metrics_answers_as_the_file_it_was_filled_from(tmp_path: Path) -> None:
    rows = writer(lambda second: 200.0 if second < 200 else 90.0)
    rows[3] = level("mysql_global_variables_sync_binlog", lambda second: float(second >= 200))
    kept = tmp_path / "export.jsonl"
    write_lines(kept, [*rows, *writer(member="m2")])
    span = [datetime.fromtimestamp(BEGIN + at, UTC).isoformat() for at in (-1, SECONDS)]
    with monitoring.victoria_metrics(kept) as url:
        asked = advisor("timeline", url, "--from", span[0], "--to", span[1])
        diagnosis = advisor("why", "--history", url, "--at", span[0], "--for", f"{SECONDS + 1}s")
    read = advisor("timeline", str(kept), "--from", span[0], "--to", span[1])
    assert "sync_binlog was changed from 0 to 1 on m1; throughput of m1 fell" in asked["answer"]
    assert asked["episodes"] == read["episodes"]
    assert asked["curves"] == read["curves"]
    assert diagnosis["members"] == ["m1", "m2"]


def test_an_exporter_older_than_the_server_costs_what_it_cannot_read(loaded: ClusterFile) -> None:
    with monitoring.watching(loaded.path, exporter="mysqld_exporter_of_the_suite") as watched:
        time.sleep(CALM_SECONDS)
        report = advisor("timeline", watched.url, "--last", "20s")
    drawn = {(curve["signal"], curve["member"]) for curve in report["curves"]}
    assert ("throughput", "m1") in drawn
    assert ("lag", "m2") not in drawn
    told = [problem for problem in report["problems"] if problem.startswith("m2")]
    assert any("cannot read the state of replication" in problem and "0.16" in problem for problem in told)
