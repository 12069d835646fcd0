"""What does a model see of a configuration? Rows of numbers, equal for configurations that are applied alike.

A range is its place on the knob's own scale (running values may lie outside it); a special value is a column of its
own; two choices are one column, more are one each, half a unit apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.tuning import Knob, SearchSpace, Settings
from advisor.tune.space.encoding import SPECIAL_SHARE, share_of_range

if TYPE_CHECKING:
    from advisor.tune.search.surrogate import Array

_OUTSIDE: Final = 0.5  # how far beyond a range a value still counts for more
_APART: Final = 0.7  # columns of two different choices, each: together one unit


def rows_of(space: SearchSpace, configurations: Sequence[Settings]) -> Array:
    """One row per configuration."""
    import numpy as np

    return np.array(
        [[x for knob in space.knobs for x in _columns(knob, settings[knob.name])] for settings in configurations]
    )


def rows_at(space: SearchSpace, points: Array) -> Array:
    """One row per point, a coordinate for every knob: as `rows_of` its settings, but for steps and conditions."""
    import numpy as np

    return np.column_stack(
        [x for knob, line in zip(space.knobs, points.T, strict=True) for x in _columns_along(knob, line)]
    )


def _columns(knob: Knob, text: str) -> list[float]:
    if knob.choices:
        words = [choice.lower() for choice in knob.choices]
        if len(words) <= 2:
            return [1.0 if text.lower() == words[-1] else 0.0] if len(words) == 2 else []
        return [_APART if text.lower() == word else 0.0 for word in words]
    marks = [1.0 if text == special else 0.0 for special in knob.special]
    if any(marks):
        return [0.0, *marks]
    return [min(max(share_of_range(knob, float(text)), -_OUTSIDE), 1.0 + _OUTSIDE), *marks]


def _columns_along(knob: Knob, line: Array) -> list[Array]:
    import numpy as np

    if knob.choices:
        count = len(knob.choices)
        chosen = np.minimum((line * count).astype(int), count - 1)
        if count <= 2:
            return [chosen.astype(float)] if count == 2 else []
        return [_APART * (chosen == word) for word in range(count)]
    begin = SPECIAL_SHARE * len(knob.special)
    marks = [(line >= SPECIAL_SHARE * n) & (line < SPECIAL_SHARE * (n + 1)) for n in range(len(knob.special))]
    return [np.maximum(line - begin, 0.0) / (1.0 - begin), *(mark.astype(float) for mark in marks)]
