"""What is a trial worth? One number to maximise and the constraints it must meet.

The number is the log of the sustained rate, so that ratios count alike everywhere. All three constraints are always
there (a sampler that finds one missing gives up); at most 0 is good.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.record import record
from advisor.model.tuning import Outcome

CAP: Final = 8.0  # e⁸ = 3000 times the bound is as bad as any more; nearer, a search shall see what leads back
MARGIN: Final = 0.85  # of a bound is what the search aims at: the winner shall keep it on other days too
GROWTH: Final = 0.01  # of the sustained rate: what the upper bound of the backlog's slope may be, as it is never 0
LAG, BACKLOG, START = "lag", "backlog", "start"
_BEYOND: Final = {LAG: -math.log(MARGIN), BACKLOG: math.asinh((1 - MARGIN) * GROWTH), START: 0.0}  # margin to bound


@record
class Score:
    """`value` is None where nothing was measured: an infeasible configuration or a fault."""

    value: float | None
    constraints: Mapping[str, float]

    @property
    def feasible(self) -> bool:
        """Whether it ran and met every constraint."""
        return self.value is not None and all(bound <= 0 for bound in self.constraints.values())

    @property
    def violation(self) -> float:
        """The worst constraint: above 0 by how much, below 0 how far it is from any."""
        return max(self.constraints.values())


def score(outcome: Outcome, lag_bound_ms: float) -> Score:
    """A trial's value and constraints. A lag or backlog of None (a topology that has none) constrains nothing."""
    if outcome.infeasible or outcome.fault or not outcome.windows:
        return Score(None, {LAG: CAP, BACKLOG: CAP, START: 1.0})
    lag = -CAP if outcome.lag_ms is None else math.log(max(outcome.lag_ms, 1e-3) / (MARGIN * lag_bound_ms))
    # Of the order of log(written ÷ applied): four times too much and a third too much must not look the same.
    backlog = -CAP if outcome.backlog_slope is None else math.asinh(outcome.backlog_slope - MARGIN * GROWTH)
    return Score(
        log_rate(outcome.windows),
        {LAG: min(max(lag, -CAP), CAP), BACKLOG: min(max(backlog, -CAP), CAP), START: -1.0},
    )


def outside(repeats: Sequence[Score]) -> float:
    """How far one configuration is outside, above 0: by its mean outside the margin, by any run outside the bound.

    One run may be luck: on the surfaces of benchmarks/tuner it tells a lag to 12 %, a growth to a fifth of the bound.
    """
    each = {name: [one.constraints[name] for one in repeats] for name in _BEYOND}
    return max(max(sum(found) / len(found), max(found) - _BEYOND[name]) for name, found in each.items())


def log_rate(windows: Sequence[float]) -> float:
    """The mean of the logs of the windows' rates; a window of nothing counts as 0.01 per second."""
    return sum(math.log(max(rate, 0.01)) for rate in windows) / len(windows)
