"""How are rows appended to a file of JSON lines so that a crash loses at most the last one?"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from advisor.errors import WriteError


def append_lines(path: str | Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append rows to a file, created if it is missing; they are on disk when this returns. WriteError on failure."""
    try:
        _drop_torn_line(path)
        with open(path, "a", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}", file=str(path)) from None


def _drop_torn_line(path: str | Path) -> None:
    """Cut off what a crash left of a line, or the next row would become part of it."""
    try:
        with open(path, "rb+") as stream:
            whole = stream.read().rfind(b"\n") + 1
            stream.truncate(whole)
    except FileNotFoundError:
        return
