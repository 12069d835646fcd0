"""`advisor watch` on a real cluster: it survives its own end and that of a server, and what it kept is evidence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.lab.members import restart
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from advisor.ring.blocks import Torn, entries
from advisor.ring.folder import BUNDLES, segments
from advisor.ring.reading import RingReading
from benchmarks.incidents.paced_load import PacedLoad, prepare
from tests.servers import monitoring
from tests.servers.conftest import Up, no_server
from tests.servers.test_lab import until

RATE = 40


@pytest.fixture
def loaded(up: Up) -> Iterator[ClusterFile]:
    """A source and a replica with users at a steady rate."""
    cluster = up("asynchronous", Family.MYSQL, 2, durability="relaxed")
    writer = addresses(cluster)["m1"]
    with connect(writer) as session:
        prepare(session)
    load = PacedLoad(lambda: writer, rate=RATE)
    load.start()
    yield cluster
    load.stop()


@contextmanager
def watching(cluster: ClusterFile, folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A watch that writes a line of JSON each second; it is asked to end afterwards, if it still runs."""
    command = [sys.executable, "-m", "advisor", "watch", "--cluster", cluster.path, "--ring", str(folder)]
    process = subprocess.Popen(
        [*command, "--format", "json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
        if process.poll() is None:
            process.terminate()
            assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    said: dict[str, Any] = json.loads(process.stdout.readline())
    return said


def member(said: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in said["members"] if each["member"] == name)


def line_with_state(process: subprocess.Popen[str], name: str, state: str, seconds: float = 30) -> dict[str, Any]:
    """The first line in which a member has a state; "" is that nothing keeps it from its part."""
    ends = time.monotonic() + seconds
    while member(said := line_of(process), name)["state"] != state:
        assert time.monotonic() < ends, said
    return said


def whole_entries(folder: Path) -> int:
    found = [entry for segment in segments(folder) for entry in entries(segment.path)]
    assert not [entry for entry in found[:-1] if isinstance(entry, Torn)]
    return sum(isinstance(entry, bytes) for entry in found)


def advisor(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "advisor", *words, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def asked(url: str, query: str) -> list[dict[str, Any]]:
    """What a Prometheus answers to a query."""
    place = f"{url}/api/v1/query?{urllib.parse.urlencode({'query': query})}"
    with urllib.request.urlopen(place, timeout=10) as reply:
        found: list[dict[str, Any]] = json.load(reply)["data"]["result"]
    return found


def test_a_watch_survives_its_own_end_and_that_of_a_server_and_prometheus_reads_it(
    loaded: ClusterFile, tmp_path: Path
) -> None:
    if monitoring.find("prometheus") is None:
        no_server("monitoring: prometheus (`python scripts/get_servers.py`)")
    ring = tmp_path / "ring"
    with watching(loaded, ring) as killed:
        for _ in range(6):
            said = line_of(killed)
        killed.send_signal(signal.SIGKILL)
        killed.wait(10)
    assert member(said, "m1")["role"] == "source"
    assert member(said, "m2")["backlog_transactions"] is not None
    before = whole_entries(ring)
    assert before >= 5
    port = monitoring.free_port()
    options = ("--listen", f"127.0.0.1:{port}", "--when", "unreachable", "--when", "committed_per_second > 1000000")
    with watching(loaded, ring, *options) as process, monitoring.scraping(f"127.0.0.1:{port}") as url:
        rates = [line_of(process)["committed_per_second"] for _ in range(12)][4:]
        restart(loaded, ["m2"])
        lost = member_states(process, "m2")
        assert until(lambda: asked(url, 'advisor_member_up{member="m2"} == 1'), 20)
        scraped = {each["metric"]["member"] for each in asked(url, "advisor_committed_per_second > 0")}
        waits = asked(url, 'advisor_thread_seconds_total{member="m1",threads="writers"}')
        assert until(lambda: list((ring / BUNDLES).glob("*.tar.gz")), 40)
    assert RATE * 0.7 < sum(rates) / len(rates) < RATE * 1.3
    assert lost == ["lost", "read"]
    assert scraped == {"m1"}
    assert waits
    assert whole_entries(ring) > before, "the recording was continued"
    uptimes = uptimes_of(ring, "m2")
    assert min(after - one for one, after in pairwise(uptimes)) < 0, "it was restarted"
    assert 0 not in [len(second.samples[0][1]) for second in RingReading(ring, 0, 0) if second.samples]
    (bundle,) = (ring / BUNDLES).glob("*.tar.gz")
    assert "unreachable" in bundle.name
    assert len(advisor("why", str(bundle))["members"]) == 2
    assert advisor("why", "--history", str(ring), "--for", "30s")["writer"] == "m1"
    events = [event["kind"] for each in advisor("timeline", str(ring))["episodes"] for event in each["events"]]
    assert "restart" in events


def member_states(process: subprocess.Popen[str], name: str) -> list[str]:
    """How a member that was restarted is seen: lost, then read again."""
    seen: list[str] = []
    ends = time.monotonic() + 40
    while seen != ["lost", "read"] and time.monotonic() < ends:
        now = "lost" if member(line_of(process), name)["failure"] else "read"
        if now != (seen[-1] if seen else "read"):
            seen.append(now)
    return seen


def uptimes_of(ring: Path, name: str) -> list[int]:
    return [
        int(values["Uptime"])
        for second in RingReading(ring, 0, 0)
        if second.member == name
        for _, values in second.samples
    ]


def test_a_cluster_that_is_not_there_ends_with_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "advisor", "watch", "--dsn", "mysql://nobody@127.0.0.1:1", "--ring", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ})
    assert done.returncode == 4
    assert "Traceback" not in done.stderr
    assert done.stderr.count("advisor:") == 1
