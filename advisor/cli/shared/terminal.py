"""What does the stream we write to understand: how wide, colour, which characters?"""

from __future__ import annotations

import os
import sys
from enum import StrEnum

from advisor.annotations import Final, TextIO
from advisor.errors import UsageError
from advisor.report.words.layout import Page

WIDEST: Final = 110  # columns; longer lines are hard to read
_PLAIN: Final = str.maketrans(
    {"–": "-", "—": "-", "…": "...", "·": "-", "×": "x", "→": "->", "≥": ">=", "≤": "<=", "µ": "u"}
)


class Colour(StrEnum):
    """When to write in colour."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def page_for(stream: TextIO, colour: Colour, width: int) -> Page:
    """The page to lay text out for. `width` 0: the terminal's, or 80 columns where the stream is none."""
    terminal = stream.isatty()
    if not width:
        width = min(_columns(stream), WIDEST) if terminal else 80
    wanted = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM", "") not in ("", "dumb")
    return Page(width, colour is Colour.ALWAYS or (colour is Colour.AUTO and wanted))


def _columns(stream: TextIO) -> int:
    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def write(text: str, stream: TextIO | None = None) -> None:
    """Write to stdout (or another stream); what its encoding lacks is replaced, a reader who went away is no error."""
    stream = stream or sys.stdout
    encoding = stream.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # The interpreter flushes once more at its end; give it somewhere to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError) and stream is not sys.stderr:
            raise UsageError(f"the output cannot be written: {error.strerror}") from None


def complain(message: str) -> None:
    """An error message on stderr, without control characters that a file may have brought in."""
    from advisor.report.words.values import printable

    write(f"advisor: {printable(message)}\n", sys.stderr)
