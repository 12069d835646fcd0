"""Which figures of a machine or a load can be true? Implausible ones are refused when read, and never judged."""

from __future__ import annotations

from advisor.annotations import Final

# How names of figures end, of host.json too; everything else may be words. Compiled when a figure is first read.
_FIGURES: Final = (
    r"(?:_(?:bytes|ms|seconds|per_second|mbit|util|cpus|running|starved)"
    r"|cpus|iowait|iops|swappiness|open_files_limit)\Z"
)
_SHARES: Final = ("_util", "iowait")
_NEVER_NONE: Final = ("cpus", "memory_bytes")
MOST_COUNTED: Final = 1 << 64  # servers count in 64 bits
NO_NUMBER: Final = "not a number"


def is_figure(name: str) -> bool:
    """Whether a number is what such a name stands for."""
    import re

    return re.search(_FIGURES, name) is not None


def flaw_of(name: str, value: object) -> str:
    """Why this cannot be the number a name stands for, as the end of a sentence on it; "" when it can."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NO_NUMBER
    if not abs(value) < MOST_COUNTED:  # nor is NaN
        return "larger than any counter can be"
    if value < 0:
        return "must not be negative"
    if value == 0 and name.rpartition(".")[2] in _NEVER_NONE:
        return "must be more than zero"
    if value > 1 and name.endswith(_SHARES):
        return "more than 1; write shares as fractions, e.g. 0.95 for 95 %"
    return ""
