"""What ends a run from outside? Ctrl-C, and SIGTERM and SIGHUP in the same way, so that everything is restored."""

from __future__ import annotations

import signal
from types import FrameType


def stop_on_signals(*, despite_background: bool = False) -> None:
    """Make SIGTERM and SIGHUP the same as Ctrl-C: what was started is stopped, what was read is kept.

    A program started in the background ignores Ctrl-C; `despite_background` makes it count there too.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    if despite_background:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
