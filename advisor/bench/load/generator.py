"""What does one sysbench process do? Starts it, reads its line for every second, and ends it.

The login is neither on its command line nor in a file on disk: login and mix are in anonymous files in memory. The
process dies with the thread that started it, whatever kills that (PR_SET_PDEATHSIG, in workloads/lib/generator.lua).
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from advisor.bench.load.latency import parse_bins
from advisor.errors import LabError, ServerError
from advisor.lab import processes
from advisor.model.lab import Address
from advisor.model.measurement import LoadSecond
from advisor.model.record import record

_SECOND: Final = re.compile(
    r"second interval=([\d.]+) events=(\d+) errors=(\d+) reconnects=(\d+) queued=(\d+) latency_ms=([\d.]+) bins=(\S*)"
)
_FULL: Final = "The event queue is full"
_STARTED: Final = "Threads started!"
_NUMBER: Final = re.compile(r"(?:error|errno =) (\d{4})\b")
_LINES_KEPT: Final = 50
_LONGEST_REASON: Final = 300  # characters; it may contain a statement
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_HINTS: Final[Mapping[int, str]] = {
    1040: "there are more threads than max_connections allows",
    1045: "sysbench logs in as the user of the cluster file, without TLS",
    1047: "the node has left its cluster",
    1290: "the member is read-only: was there a failover?",
    1461: "threads × tables × statements exceed max_prepared_stmt_count",
    2006: "the member closed the connection",
    2013: "the member closed the connection",
}


@record
class Command:
    """How to start sysbench for one writer. `options` are sysbench's and the script's, `environment` is added."""

    words: tuple[str, ...]
    script: str
    options: Mapping[str, str]
    environment: Mapping[str, str]
    mix: str = ""


class Generator:
    """A running sysbench process. `on_second` is called in a separate thread."""

    def __init__(
        self, member: str, command: Command, address: Address, on_second: Callable[[LoadSecond], None]
    ) -> None:
        self.member = member
        self.queue_full = False
        self.started = threading.Event()
        self.bins: list[tuple[float, Counter[int] | None]] = []
        self._on_second = on_second
        self._output: list[str] = []  # its first other lines: sixty threads may end for the same reason
        self._cpu_seconds = 0.0
        self._stopping = False
        self._process = _spawn(command, address)
        self._reader = threading.Thread(target=self._read, name=f"load on {member}", daemon=True)
        self._reader.start()

    def cpu_seconds(self) -> float:
        """CPU seconds used so far; once it has ended, the last value seen."""
        try:
            with open(f"/proc/{self._process.pid}/stat", encoding="utf-8", errors="replace") as stream:
                fields = stream.read().rpartition(")")[2].split()
            self._cpu_seconds = (int(fields[11]) + int(fields[12])) / _TICKS
        except (OSError, IndexError):
            pass  # it has ended: keep the last value
        return self._cpu_seconds

    def failure(self) -> ServerError | None:
        """Why it ended by itself; None while it runs, when it was stopped, and when its queue was full."""
        if self._process.poll() is None or self._stopping:
            return None
        self._reader.join(timeout=5)
        if self.queue_full:
            return None
        reasons = [line.removeprefix("FATAL: ") for line in self._output if line.startswith("FATAL:")]
        reason = "; ".join(dict.fromkeys(reasons[:2]))[:_LONGEST_REASON] or f"exit code {self._process.returncode}"
        number = next((int(match[1]) for match in map(_NUMBER.search, reasons) if match), 0)
        return ServerError(f"the load on {self.member} ended: {reason}", number=number, hint=_HINTS.get(number, ""))

    def stop(self) -> None:
        """End it now; transactions it has not committed are rolled back by the server."""
        self._stopping = True
        self.cpu_seconds()
        if self._process.poll() is None:
            processes.end([self._process.pid])
            self._process.poll()
        self._reader.join()
        if self._process.stdout:
            self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            match = _SECOND.match(line)
            if match and not self._stopping:
                self._second(match)
            elif _STARTED in line:
                self.started.set()
            elif _FULL in line:
                self.queue_full = True
            elif line.strip() and len(self._output) < _LINES_KEPT:
                self._output.append(line.strip())

    def _second(self, match: re.Match[str]) -> None:
        now = time.monotonic()
        seconds = float(match[1])
        bins = parse_bins(match[7])
        self.bins.append((now, None if bins is None else Counter(bins)))
        self._on_second(
            LoadSecond(
                at_seconds=now,
                member=self.member,
                transactions_per_second=int(match[2]) / seconds,
                latency_ms=float(match[6]) if int(match[2]) else None,
                errors_per_second=int(match[3]) / seconds,
                reconnects_per_second=int(match[4]) / seconds,
                queued=int(match[5]),
            )
        )


def _spawn(command: Command, address: Address) -> subprocess.Popen[str]:
    files = [_in_memory(f"{address.user}\n{address.password}"), *([_in_memory(command.mix)] if command.mix else [])]
    options = {**command.options, "login": f"/dev/fd/{files[0]}", "parent": str(os.getpid())}
    if command.mix:
        options["mix"] = f"/dev/fd/{files[1]}"
    try:
        return subprocess.Popen(
            [*command.words, command.script, *(f"--{name}={value}" for name, value in options.items()), "run"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=files,
            env={**os.environ, **command.environment},
            start_new_session=True,  # Ctrl-C must not reach it: it is stopped in order
        )
    except OSError as error:
        raise LabError(f"cannot start {command.words[0]}: {error.strerror}") from None
    finally:
        for file in files:
            os.close(file)


def _in_memory(text: str) -> int:
    """An anonymous file that the process can open repeatedly as /dev/fd/N."""
    file = os.memfd_create("advisor")
    with os.fdopen(os.dup(file), "w", encoding="utf-8") as stream:
        stream.write(text)
    return file
