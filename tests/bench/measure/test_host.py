"""Shares of this machine, of processes that are known to work or to rest."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from advisor.bench.measure.host import HostMeter

CPUS = os.cpu_count() or 1
# Works until it has used half a second of CPU time, however long other processes make it wait, and then rests.
WORKER = """
import sys, time
print("ready", flush=True)
sys.stdin.readline()
while time.process_time() < 0.5:
    pass
print("done", flush=True)
sys.stdin.readline()
"""
SLEEPER = "import sys; print('ready', flush=True); sys.stdin.readline()"


@pytest.fixture
def start() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start a Python program; it is killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def start_program(program: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        started.append(subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, text=True))
        assert line(started[-1]) == "ready\n"
        return started[-1]

    yield start_program
    for process in started:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def test_the_shares_of_processes_are_the_cpu_time_they_used(start: Callable[[str], subprocess.Popen[str]]):
    sleeper, worker = start(SLEEPER), start(WORKER)
    began = time.monotonic()
    meter = HostMeter(lambda: {"busy": [worker.pid], "idle": [sleeper.pid], "gone": [2**22 + 5]})
    assert worker.stdin
    worker.stdin.write("\n")
    worker.stdin.flush()
    assert line(worker) == "done\n"
    shares, seconds = meter.read(), time.monotonic() - began
    # Half a second, less what it had used when it was ready.
    assert 0.3 < shares["busy"] * seconds * CPUS < 0.6
    assert shares["idle"] * seconds * CPUS < 0.05
    assert shares["busy"] - 0.05 <= shares["cpu_share"] <= 1.0
    assert "gone" not in shares


def test_a_process_that_comes_later_has_no_share_before_its_second_reading():
    seen: dict[str, list[int]] = {}
    meter = HostMeter(lambda: seen)
    seen["me"] = [os.getpid()]
    time.sleep(0.1)
    assert "me" not in meter.read()
    time.sleep(0.1)
    assert "me" in meter.read()
