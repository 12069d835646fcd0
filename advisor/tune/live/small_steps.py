"""By which small steps does a setting get from one value to another? Each is held for a moment, all limits watched.

A number is at most doubled or halved in one step. 0 often means "off" or "no limit": the number next to it (`edges`)
comes before it or after it. A word is one step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

_FACTOR: Final = 2.0
_NOTHING_KNOWN: Final[Mapping[str, float]] = {}


def small_steps(
    former: Mapping[str, str], wanted: Mapping[str, str], edges: Mapping[str, float] = _NOTHING_KNOWN
) -> list[dict[str, str]]:
    """The settings after each step; the last is `wanted`. Settings that are there already stay."""
    paths = {name: _path(former[name], value, edges.get(name, 1.0)) for name, value in wanted.items()}
    longest = max((len(path) for path in paths.values()), default=0)
    return [{name: path[min(number, len(path) - 1)] for name, path in paths.items()} for number in range(longest)]


def _path(former: str, wanted: str, edge: float) -> list[str]:
    try:
        begin, end = float(former), float(wanted)
    except ValueError:
        return [wanted]
    first, last = begin if begin > 0 else edge, end if end > 0 else edge
    if begin < 0 or end < 0 or begin == end:
        return [wanted]
    count = max(1, math.ceil(abs(math.log(last / first)) / math.log(_FACTOR) - 1e-9))
    values = [first * (last / first) ** (number / count) for number in range(count + 1)]
    whole = begin == int(begin) and end == int(end)
    texts = [str(round(value)) if whole else f"{value:.6g}" for value in values]
    if end > 0:
        texts[-1] = wanted
    steps = dict.fromkeys([text for text in texts if float(text) != begin])
    return [*(text for text in steps if text != wanted), wanted]
