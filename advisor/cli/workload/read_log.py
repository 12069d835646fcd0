"""How is the log read that a command names? With progress on the terminal while it lasts."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading, Period, Reading
from advisor.binlog.read_server import Section, ServerLogReading, section_between, section_from_now
from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.terminal import write
from advisor.cli.workload.options import parse_time
from advisor.collect.dsn import parse_dsn
from advisor.collect.login import find_login
from advisor.errors import UsageError
from advisor.model.lab import Address
from advisor.model.record import field, record
from advisor.units import show

_EVERY_SECONDS: Final = 0.5


@record
class LogRequest:
    """What the command line says of a log, "" for nothing: `begin` and `end` are times, `seconds` and `last` lengths of
    time. `dsn` names a server whose log is read.
    """

    sources: tuple[str, ...] = ()
    begin: str = ""
    end: str = ""
    rows: bool = True
    keys: bool = False
    steps: bool = False
    key_columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    check_sums: bool = False
    dsn: str = ""
    password_file: Path | None = None
    seconds: str = ""
    last: str = ""


@contextmanager
def reading_of(request: LogRequest) -> Iterator[Reading]:
    """The log, ready to be read; its progress is shown on stderr if that is a terminal, and removed at the end."""
    begin, end = parse_time(request.begin, "--from"), parse_time(request.end, "--to")
    if begin is not None and end is not None and end < begin:
        raise UsageError("--to is before --from")
    if request.last:
        begin = _since(request, begin)
    period = Period(begin or 0.0, float("inf") if end is None else end)
    wanted = Wanted(request.rows, request.keys, request.steps, request.key_columns)
    line = _ProgressLine()
    try:
        if request.dsn:
            address, section = _section(request, begin, line)
            yield ServerLogReading(address, wanted, section, period, request.check_sums, line.show)
        elif not request.sources:
            raise UsageError("name a binary log, or a server with --dsn", hint="e.g. /var/lib/mysql/binlog.index")
        elif request.seconds:
            raise UsageError(
                "--for reads from a running server: use it with --dsn", hint="for files, use --from and --to"
            )
        else:
            yield LogReading(request.sources, wanted, request.check_sums, period, line.show)
    finally:
        line.clear()


@contextmanager
def reading_of_section(request: LogRequest, address: Address, section: Section) -> Iterator[Reading]:
    """A part of a server's log, with progress likewise."""
    line = _ProgressLine()
    wanted = Wanted(request.rows, request.keys, request.steps, request.key_columns)
    try:
        yield ServerLogReading(address, wanted, section, None, request.check_sums, line.show)
    finally:
        line.clear()


def _since(request: LogRequest, begin: float | None) -> float:
    """When the last hour began, by this machine's clock."""
    if begin is not None or request.end or request.seconds:
        raise UsageError("--last cannot be combined with --from, --to or --for")
    return time.time() - parse_seconds(request.last, "--last")


def _section(request: LogRequest, begin: float | None, line: _ProgressLine) -> tuple[Address, Section]:
    """Which server, and which part of its log; with --for it waits until that is written."""
    if request.sources:
        raise UsageError("--dsn cannot be combined with files")
    address = parse_dsn(request.dsn, find_login(str(request.password_file or ""), os.environ))
    if request.seconds:
        if begin is not None or request.end:
            raise UsageError("--for cannot be combined with --from or --to")
        return address, section_from_now(address, parse_seconds(request.seconds, "--for"))
    if begin is None:
        raise UsageError("say how much of the server's log to read", hint="e.g. --for 60s, --last 1h, or --from TIME")
    return address, section_between(address, begin, lambda number: None)


class _ProgressLine:
    """One line on a terminal that is written again and again."""

    def __init__(self) -> None:
        self._wanted = sys.stderr.isatty()
        self._next = time.monotonic() + _EVERY_SECONDS
        self._width = 0

    def show(self, done: int, total: int) -> None:
        """So many bytes of all have been read."""
        if self._wanted and time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY_SECONDS
            text = f"read {show(done, 'bytes')}" + (f" of {show(total, 'bytes')}" if total else "")
            write("\r" + text.ljust(self._width), sys.stderr)
            self._width = len(text)

    def clear(self) -> None:
        """Remove the line."""
        if self._width:
            write("\r" + " " * self._width + "\r", sys.stderr)
            self._width = 0
