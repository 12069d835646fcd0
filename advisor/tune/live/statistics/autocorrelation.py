"""How long does a moment of the traffic last, and how much do two neighbouring turns differ without any change?

The traffic of users has days, trends and bursts, so a mean that it varies around does not exist. What exists is how
much two moments differ that lie some time apart: the semivariogram, half the mean squared difference by distance. The
variance of a difference of two means follows from it alone (Matheron 1963), whatever the trend of the day.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

Series = Sequence[float | None]
_FEWEST_PAIRS: Final = 5  # of moments at a distance; with fewer the variogram says nothing there


def semivariogram(series: Series, longest: int) -> list[float]:
    """Half the mean squared difference of values 0, 1, … `longest` steps apart; a gap (None) is left out.

    It never falls with the distance: where the series seems to say so, it is too short to know. It ends before
    `longest` where there are too few values so far apart.
    """
    import numpy as np

    values = np.array([math.nan if value is None else value for value in series])
    found = [0.0]
    for distance in range(1, min(longest, len(values) - 1) + 1):
        squares = (values[distance:] - values[:-distance]) ** 2
        known = squares[~np.isnan(squares)]
        if len(known) < _FEWEST_PAIRS:
            break
        found.append(max(found[-1], float(known.mean()) / 2))
    return found


def autocorrelation_steps(variogram: Sequence[float]) -> float:
    """After how many steps do values differ by 63 % (1 − 1/e) of what they differ in the end? At least 1.

    "In the end" is the mean over the far half of the distances known. Never reached within them: the longest.
    """
    if len(variogram) < 3:
        return 1.0
    far = variogram[len(variogram) // 2 :]
    wanted = (1 - 1 / math.e) * sum(far) / len(far)
    for distance, value in enumerate(variogram):
        if value >= wanted:
            return max(1.0, float(distance))
    return float(len(variogram) - 1)


def difference_variance(variogram: Sequence[float], turn: int, left_out: int) -> float:
    """The variance of the difference between the means of two neighbouring turns, all in steps.

    Each turn has `turn` steps, the first `left_out` of which do not count. The variogram must reach 2 × `turn`.
    """
    counted = turn - left_out
    shifts = range(1 - counted, counted)
    across = sum((counted - abs(shift)) * variogram[abs(turn + shift)] for shift in shifts)
    within = sum((counted - abs(shift)) * variogram[abs(shift)] for shift in shifts)
    return max(0.0, 2.0 * (across - within) / counted**2)
