"""How are programs beside the servers started and ended? In sessions of their own, so that Ctrl-C does not reach them.

Each is ended by its process id, and ends by itself when this process is gone.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from advisor.bench.load.workloads import DATABASE
from advisor.cluster_file import addresses
from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from benchmarks.diagnosis.gym.actions import SideProcesses, SideSessions

_CHECKOUT: Final = Path(__file__).parents[4]
_READY_SECONDS: Final = 15.0
_END_SECONDS: Final = 12.0  # more than a connection to a paused server takes to fail


class SideProgram:
    """A running program."""

    def __init__(self, module: str, words: Sequence[str] = (), request: str = "") -> None:
        self._running = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.diagnosis.gym.side_programs.{module}", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=_CHECKOUT,
            env={**os.environ, "PYTHONPATH": str(_CHECKOUT)},
            start_new_session=True,
        )
        assert self._running.stdin
        self._running.stdin.write(request + "\n")
        self._running.stdin.flush()

    def wait_until_ready(self) -> None:
        """Until it has printed a line; LabError when it ends before."""
        assert self._running.stdout
        select.select([self._running.stdout], [], [], _READY_SECONDS)
        self.check()

    def check(self) -> None:
        """LabError with its last message when it has ended by itself."""
        if self._running.poll() is not None:
            assert self._running.stderr
            said = self._running.stderr.read().strip().splitlines()
            raise LabError(f"a program beside the servers ended: {said[-1] if said else 'no message'}")

    def end(self) -> None:
        """Ask it to end, and kill it when it does not."""
        if self._running.poll() is None:
            self._running.terminate()
            try:
                self._running.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._running.kill()
                self._running.wait()
        for stream in (self._running.stdin, self._running.stdout, self._running.stderr):
            if stream:
                stream.close()


def start_sessions(wanted: SideSessions, target: FaultTarget) -> SideProgram:
    """The side sessions on a member, connected."""
    address = vars(addresses(target.cluster)[wanted.member])
    request = {
        "address": address, "database": DATABASE, "run": wanted.run, "count": wanted.count, "once": wanted.once,
    }  # fmt: skip
    program = SideProgram("sessions", request=json.dumps(request))
    try:
        program.wait_until_ready()
    except BaseException:
        program.end()
        raise
    return program


def start_hogs(wanted: SideProcesses, folder: Path) -> list[SideProgram]:
    """Programs that use processors or the disk of a folder."""
    return [SideProgram("hog", (wanted.kind, str(folder))) for _ in range(wanted.count)]
