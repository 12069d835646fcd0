"""What does a model see of a configuration? Rows of numbers, equal for configurations that are applied alike.

A range is its place on the knob's own scale (running values may lie outside it); a special value is a column of its
own; two choices are one column, more are one each, half a unit apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.tuning import Knob, SearchSpace, Settings
from advisor.tune.encoding import share_of_range

if TYPE_CHECKING:
    from advisor.tune.surrogate import Array

_OUTSIDE: Final = 0.5  # how far beyond a range a value still counts for more


def rows_of(space: SearchSpace, configurations: Sequence[Settings]) -> Array:
    """One row per configuration."""
    import numpy as np

    return np.array([[x for knob in space.knobs for x in _columns(knob, one[knob.name])] for one in configurations])


def _columns(knob: Knob, text: str) -> list[float]:
    if knob.choices:
        words = [choice.lower() for choice in knob.choices]
        if len(words) <= 2:
            return [1.0 if text.lower() == words[-1] else 0.0] if len(words) == 2 else []
        return [0.7 if text.lower() == word else 0.0 for word in words]
    marks = [1.0 if text == special else 0.0 for special in knob.special]
    if any(marks):
        return [0.0, *marks]
    return [min(max(share_of_range(knob, float(text)), -_OUTSIDE), 1.0 + _OUTSIDE), *marks]
