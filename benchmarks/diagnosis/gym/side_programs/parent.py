"""How does a process end with the one that started it, even when that is killed? The kernel sends a signal (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Final

_PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of linux/prctl.h


def end_with_parent(number: signal.Signals) -> None:
    """Ask for that signal when the parent ends; it is sent at once when the parent has ended already."""
    ctypes.CDLL(None, use_errno=True).prctl(_PARENT_DEATH_SIGNAL, int(number), 0, 0, 0)
    if os.getppid() == 1:
        os.kill(os.getpid(), number)
