"""How long does it take until what is appended to a file is on disk? Timed in a folder, by a file without a name."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

_BLOCK_BYTES = 4096


def fsync_ms(folder: Path, count: int = 40) -> float | None:
    """The median time of appending 4 KiB and fdatasync, in milliseconds; None where the folder cannot be written."""
    times = []
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            for _ in range(count):
                begun = time.perf_counter()
                os.write(file.fileno(), b"\0" * _BLOCK_BYTES)
                os.fdatasync(file.fileno())
                times.append((time.perf_counter() - begun) * 1000)
    except OSError:
        return None
    return sorted(times)[len(times) // 2]
