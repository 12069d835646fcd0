"""The server is paused repeatedly, as when a hypervisor or a backup freezes it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH = {"stopped_ms": 500, "running_ms": 500}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process."""
    return {**process.begin(target, "pause", strength), "pid": target.pid}


def clear(target: FaultTarget, undo: Undo) -> None:
    """Let it continue, also when the fault's process was killed during a pause."""
    process.end(undo)
    if target.runs and target.pid == undo["pid"]:
        os.kill(target.pid, signal.SIGCONT)


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """Pulses of SIGSTOP and SIGCONT, until the server is gone."""
    pid = target.pid
    try:
        while True:
            os.kill(pid, signal.SIGSTOP)
            working()
            time.sleep(strength["stopped_ms"] / 1000)
            os.kill(pid, signal.SIGCONT)
            time.sleep(strength["running_ms"] / 1000)
    except ProcessLookupError:
        return
    finally:
        if target.runs and target.pid == pid:
            os.kill(pid, signal.SIGCONT)
