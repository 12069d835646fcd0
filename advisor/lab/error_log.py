"""Why did the server not start? The lines of its error log that say so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

# MySQL   2026-11-21T10:00:00.123456Z 0 [ERROR] [MY-010123] [Server] text
# MariaDB 2026-11-21 10:00:00 0 [ERROR] text; while it initialises a data directory also: ERROR: 1396  text
_ERROR: Final = re.compile(
    r"^(?:\d{4}-\d\d-\d\d[T ][\d:.Z+-]+ +\d+ \[ERROR\]|ERROR: \d+) +(?:\[\w*-\d+\] \[\w+\] )?(?P<text>.+)$"
)
_RESULTS: Final = re.compile(r"Aborting|Failed to initialize .*plugin|Data Dictionary initialization failed", re.I)


def reasons(text: str, most: int = 3) -> list[str]:
    """The errors in the log, without times and without their consequences; without errors, its last lines."""
    errors = [match["text"].strip() for line in text.splitlines() if (match := _ERROR.match(line))]
    causes = [error for error in errors if not _RESULTS.search(error)] or errors
    if causes:
        return list(dict.fromkeys(causes))[:most]
    return [line.strip() for line in text.splitlines() if line.strip()][-most:]


def tail(path: Path, lines: int) -> str:
    """The last lines of a log; "" when there is none."""
    try:
        with open(path, "rb") as stream:
            stream.seek(0, 2)
            stream.seek(max(0, stream.tell() - 400 * lines))
            return "\n".join(stream.read().decode("utf-8", "replace").splitlines()[-lines:])
    except FileNotFoundError:
        return ""
