"""How many function calls does something take? The same on every machine and under every load, unlike seconds."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable


def calls_of(work: Callable[[], object]) -> int:
    """The calls of Python functions and of built-in ones while `work` runs."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
