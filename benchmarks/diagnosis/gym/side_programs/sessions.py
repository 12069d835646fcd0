"""Which connections work beside the load? A process of its own: its threads must not delay those that observe.

`python -m benchmarks.diagnosis.gym.side_programs.sessions`, with a request as JSON on its standard input. It prints
"ready" when every session is connected (those that run once: when they have), and works until SIGTERM, which kills its
connections on the server: statements that wait or sleep end with them.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Any, Final

from advisor.client import Session, connect
from advisor.errors import ServerError
from advisor.model.lab import Address
from benchmarks.diagnosis.gym.side_programs.parent import end_with_parent

_READY_SECONDS: Final = 10.0
_JOIN_SECONDS: Final = 3.0
_ANSWER_SECONDS: Final = 3600.0
_AGAIN_SECONDS: Final = 0.05
_POLL_SECONDS: Final = 0.02
_CONFLICTS: Final = (1020, 1180, 1205, 1213, 3101)
_FAILED_HERE: Final = (1044, 1046, 1049, 1054, 1064, 1146, 1193, 1227, 1231, 1238, 1290, 1305)  # never passes by itself


class SideSession:
    """One connection and its thread. `failed` says why it cannot do what it is told."""

    def __init__(self, address: Address, database: str, run: list[str], *, once: bool) -> None:
        self.connection_id = 0
        self.ready = threading.Event()
        self.failed = ""
        self._address, self._first, self._run, self._once = address, f"USE {database}", run, once
        self._ended = threading.Event()
        self._passed = False
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Begin nothing more; what runs is killed by the caller."""
        self._ended.set()

    def _work(self) -> None:
        while not self._ended.is_set():
            try:
                with connect(self._address, answer_seconds=_ANSWER_SECONDS) as session:
                    session.run(self._first)
                    self.connection_id = int(str(session.value("SELECT CONNECTION_ID()")))
                    if not self._once:
                        self.ready.set()
                    self._repeat(session)
            except ServerError as error:
                if not self._passed and error.number in _FAILED_HERE:
                    self.failed = error.message
                    return
                self._ended.wait(_AGAIN_SECONDS)

    def _repeat(self, session: Session) -> None:
        while not self._ended.is_set():
            try:
                session.run(*self._run)
            except ServerError as error:
                if error.number not in _CONFLICTS:
                    raise
                session.run("ROLLBACK")
                continue
            self._passed = True
            if self._once:
                self.ready.set()
                self._ended.wait()


def main() -> int:
    """Work until SIGTERM; 1 when a session cannot do what it is told."""
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: ended.set())
    end_with_parent(signal.SIGTERM)
    request: dict[str, Any] = json.loads(sys.stdin.readline())
    address = Address(**request["address"])
    sessions = [
        SideSession(address, request["database"], request["run"], once=request["once"]) for _ in range(request["count"])
    ]
    until = time.monotonic() + _READY_SECONDS
    while not ended.is_set() and not _failure(sessions):
        if all(one.ready.is_set() for one in sessions) or time.monotonic() > until:
            break
        time.sleep(_POLL_SECONDS)
    print("ready", flush=True)
    while not ended.wait(_POLL_SECONDS) and not _failure(sessions):
        pass
    _end(sessions, address)
    if reason := _failure(sessions):
        print(reason, file=sys.stderr, flush=True)
    return int(bool(reason))


def _failure(sessions: list[SideSession]) -> str:
    return next((one.failed for one in sessions if one.failed), "")


def _end(sessions: list[SideSession], address: Address) -> None:
    for one in sessions:
        one.end()
    with suppress(ServerError), connect(address) as killer:
        for one in sessions:
            if one.connection_id:
                with suppress(ServerError):  # it has ended by itself
                    killer.run(f"KILL {one.connection_id}")
    until = time.monotonic() + _JOIN_SECONDS
    for one in sessions:
        one.thread.join(max(0.0, until - time.monotonic()))


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # a thread may still wait for a server that does not answer
