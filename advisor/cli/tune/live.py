"""What does `advisor tune --live` do, and with which exit code does it end?"""

from __future__ import annotations

import os
import sys
import time

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.signals import stop_on_signals
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.tune.live_json import outcome_as_json
from advisor.cli.tune.live_text import outcome_as_text
from advisor.errors import ServerError, UsageError
from advisor.report.words.amounts import duration
from advisor.tune.live import session
from advisor.tune.live.outcome import Ending
from advisor.tune.live.request import LiveRequest, watch_seconds
from advisor.tune.live.run_turns import TurnListener
from advisor.tune.live.traffic.figures import Reading

_CLEAR = "\r\x1b[K"


class LiveDisplay:
    """Shows progress on stderr: a line for every event, on a terminal one that is redrawn for every reading."""

    def __init__(self) -> None:
        self._redraws = sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")

    def tell(self, text: str) -> None:
        """An event, with the time of day."""
        write(f"{_CLEAR if self._redraws else ''}{time.strftime('%H:%M:%S')} {text}\n", sys.stderr)

    def reading(self, words: str, reading: Reading) -> None:
        """What is read now."""
        if self._redraws:
            lag = f", lag {duration(reading.lag_ms)}" if reading.lag_ms is not None else ""
            write(f"{_CLEAR}{words}{lag}", sys.stderr)

    def end(self) -> None:
        """Leave no half-drawn line."""
        if self._redraws:
            write(_CLEAR, sys.stderr)


def run(request: LiveRequest, form: ListFormat) -> None:
    """A live run to its report; 0: something was shown to help, 1: nothing was."""
    _check(request)
    stop_on_signals()
    display = LiveDisplay()
    try:
        outcome = session.begin(request, TurnListener(display.reading, display.tell))
    finally:
        display.end()
    as_json = form is ListFormat.JSON
    write(outcome_as_json(outcome) if as_json else outcome_as_text(outcome, page_for(sys.stdout, Colour.AUTO, 0)))
    if outcome.left:
        raise ServerError("; ".join(outcome.left), hint="advisor tune rollback")
    if outcome.ending is Ending.ONLY_WATCHED:
        return
    raise typer.Exit(ExitCode.OK if outcome.helpful else ExitCode.NO_IMPROVEMENT)


def _check(request: LiveRequest) -> None:
    """UsageError for times that do not fit."""
    if watch_seconds(request) >= request.for_seconds and not request.only_watch:
        raise UsageError("--watch-for must be shorter than --for, or no time is left for turns")
    if request.lag_bound_ms <= 0:
        raise UsageError("--lag-bound must be above 0", hint="a replica is always slightly behind")
    if request.keep and request.only_watch:
        raise UsageError("--dry-run only watches; there is nothing to --keep")
