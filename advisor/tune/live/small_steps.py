"""By which small steps does a setting get from one value to another? Each is held for a moment, all limits watched.

A number is at most doubled or halved in one step. What cannot be divided (a word, or 0 as "off") is one step, the last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

_FACTOR: Final = 2.0


def small_steps(former: Mapping[str, str], wanted: Mapping[str, str]) -> list[dict[str, str]]:
    """The settings after each step; the last is `wanted`. Settings that are there already stay."""
    paths = {name: _path(former[name], value) for name, value in wanted.items()}
    longest = max((len(path) for path in paths.values()), default=0)
    return [
        {name: path[min(number, len(path) - 1)] for name, path in paths.items()}
        for number in range(longest)
    ]  # fmt: skip


def _path(former: str, wanted: str) -> list[str]:
    try:
        begin, end = float(former), float(wanted)
    except ValueError:
        return [wanted]
    nearest = end if end > 0 else 1.0  # 0 often means "off", or "no limit": the smallest number comes before it
    if begin <= 0 or nearest <= 0 or begin == end:
        return [wanted]
    count = math.ceil(abs(math.log(nearest / begin)) / math.log(_FACTOR) - 1e-9)
    count = max(count, 1)
    whole = begin == int(begin) and end == int(end)
    values = [begin * (nearest / begin) ** (number / count) for number in range(1, count)]
    texts = [str(round(value)) if whole else f"{value:.6g}" for value in values]
    return list(dict.fromkeys([text for text in texts if text != former] + [wanted]))
