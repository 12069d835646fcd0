"""How is the log read that a command names? With progress on the terminal while it lasts."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading, Period
from advisor.cli.shared.terminal import write
from advisor.cli.workload.options import parse_time
from advisor.errors import UsageError
from advisor.model.record import field, record
from advisor.units import show

_EVERY_SECONDS: Final = 0.5


@record
class LogRequest:
    """What the command line says of a log: `begin` and `end` as times in text, "" for none."""

    sources: tuple[str, ...]
    begin: str = ""
    end: str = ""
    rows: bool = True
    keys: bool = False
    key_columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    check_sums: bool = False


@contextmanager
def reading_of(request: LogRequest) -> Iterator[LogReading]:
    """The log, ready to be read; its progress is shown on stderr if that is a terminal, and removed at the end."""
    begin, end = parse_time(request.begin, "--from"), parse_time(request.end, "--to")
    if begin is not None and end is not None and end < begin:
        raise UsageError("--to is before --from")
    period = Period(begin or 0.0, float("inf") if end is None else end)
    wanted = Wanted(request.rows, request.keys, request.key_columns)
    line = _ProgressLine()
    try:
        yield LogReading(request.sources, wanted, request.check_sums, period, line.show)
    finally:
        line.clear()


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
            text = f"read {show(done, 'bytes')} of {show(total, 'bytes')}"
            write("\r" + text.ljust(self._width), sys.stderr)
            self._width = len(text)

    def clear(self) -> None:
        """Remove the line."""
        if self._width:
            write("\r" + " " * self._width + "\r", sys.stderr)
            self._width = 0
