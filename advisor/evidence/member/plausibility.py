"""Which figures of a machine or a load can be true? Implausible ones are refused when read, and never judged."""

from __future__ import annotations

import re
from typing import Final

# How names of figures end, of host.json too; everything else may be words.
_FIGURES: Final = re.compile(
    r"(?:_(?:bytes|ms|seconds|per_second|mbit|util|cpus|running|starved)|cpus|iowait|iops|swappiness|open_files_limit)\Z"
)
_SHARES: Final = re.compile(r"(?:_util|iowait)\Z")
_NEVER_NONE: Final = re.compile(r"(?:\A|\.)(?:cpus|memory_bytes)\Z")
MOST_COUNTED: Final = 1 << 64  # servers count in 64 bits
NO_NUMBER: Final = "not a number"


def is_figure(name: str) -> bool:
    """Whether a number is what such a name stands for."""
    return _FIGURES.search(name) is not None


def flaw_of(name: str, value: object) -> str:
    """Why this cannot be the number a name stands for, as the end of a sentence on it; "" when it can."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NO_NUMBER
    if not abs(value) < MOST_COUNTED:  # nor is NaN
        return "larger than any counter"
    if value < 0:
        return "must not be negative"
    if value == 0 and _NEVER_NONE.search(name):
        return "must be more than zero"
    if value > 1 and _SHARES.search(name):
        return "more than 1; shares are fractions, 0.95 for 95 %"
    return ""
