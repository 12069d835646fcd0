"""How does a process that ends soon avoid collecting garbage? All tricks with Python's `gc` are here.

A run makes few reference cycles and ends after a second, so looking for cycles and taking data apart at the end is
wasted time: a tenth of a plain `check` during the run, a sixth at its end, a third of a second for a large bundle.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

_KEPT: list[object] = []


def collect_rarely() -> None:
    """Look for cycles after every 100,000 new objects instead of 700, and not at all when the process ends."""
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)  # frozen objects are passed over by the last collection


def leave_at_once(code: int) -> None:
    """End the process without taking its data apart, once everything is written; returns where that cannot be.

    Only for a run without threads that leaves nothing to `atexit`. A profiler or a debugger still gets its end.
    """
    if sys.getprofile() is not None or sys.gettrace() is not None:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


def keep_until_exit(data: object) -> None:
    """Never take this data apart: a list that contains itself is freed by a collection only, and none comes."""
    if not _KEPT:
        _KEPT.append(_KEPT)
    _KEPT.append(data)
