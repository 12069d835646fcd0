"""How does the screen stay on a terminal? On its other page, drawn again each second; what happened is printed after.

The one module that uses Rich: it restores the terminal however the command ends.
"""

from __future__ import annotations

import sys
from collections import deque
from types import TracebackType
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.model.monitoring.now import ClusterNow
from advisor.report.watch.screen import LINES, Screen

_MOST_TOLD: Final = 100


class LiveScreen:
    """A context manager around the watch; `show` and `tell` may be called from one thread."""

    def __init__(self, colour: Colour) -> None:
        self._colour = colour
        self._screen = Screen()
        self._console = Console(file=sys.stdout, highlight=False)
        self._live = Live(console=self._console, screen=True, auto_refresh=False)
        self._told: deque[str] = deque(maxlen=_MOST_TOLD)

    def show(self, now: ClusterNow) -> None:
        """Draw a second."""
        height = max(LINES, self._console.size.height)
        lines = self._screen.lines(now, page_for(sys.stdout, self._colour, 0), height)
        self._live.update(Text.from_ansi("\n".join(lines)), refresh=True)

    def tell(self, text: str) -> None:
        """Show an event in the last lines of the screen, and print it when the screen is gone."""
        self._screen.tell(text)
        self._told.append(text)

    def __enter__(self) -> LiveScreen:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()
        for text in self._told:
            write(f"{text}\n", sys.stderr)
