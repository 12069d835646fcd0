"""What is a trial worth? One number to maximise and the constraints it must meet.

The number is the log of the sustained rate, or minus that of a latency, so that ratios count alike everywhere. All
three constraints are always given (a sampler stops when one is missing); at most 0 is good. The backlog has the same
margin as the lag.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from advisor.model.record import record
from advisor.model.tuning import Objective, Outcome
from advisor.tune.request.lag_limit import SEARCH_MARGIN, log_excess

CAP: Final = 8.0  # e⁸ = 3000 times the limit: more is not worse; below, a search must see what leads back
GROWTH: Final = 0.01  # of the sustained rate: the limit of the backlog's upper bound of growth, which is never 0
_LEAST_LATENCY_MS: Final = 1e-3  # a latency of nothing has no logarithm
LAG, BACKLOG, START = "lag", "backlog", "start"
_BEYOND: Final = {  # from what the search aims at to the limit itself
    LAG: -math.log(SEARCH_MARGIN), BACKLOG: math.asinh((1 - SEARCH_MARGIN) * GROWTH), START: 0.0,
}  # fmt: skip


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
        """The worst constraint: how far beyond it is, or below 0 how far from it."""
        return max(self.constraints.values())


def score(outcome: Outcome, lag_bound_ms: float) -> Score:
    """A trial's value and constraints. A lag or backlog of None (a topology that has none) constrains nothing."""
    if outcome.infeasible or outcome.fault or not outcome.windows:
        return Score(None, {LAG: CAP, BACKLOG: CAP, START: 1.0})
    lag = -CAP if outcome.lag_ms is None else log_excess(outcome.lag_ms, lag_bound_ms)
    # Like log(written ÷ applied): four times too much and a third too much must not look the same.
    backlog = -CAP if outcome.backlog_slope is None else math.asinh(outcome.backlog_slope - SEARCH_MARGIN * GROWTH)
    return Score(
        log_value(outcome),
        {LAG: min(max(lag, -CAP), CAP), BACKLOG: min(max(backlog, -CAP), CAP), START: -1.0},
    )


def violation_of(repeats: Sequence[Score]) -> float:
    """How far a configuration violates a constraint, above 0: its mean beyond the margin, or any run beyond the limit.

    One run may be luck: on the surfaces of benchmarks/tuner a run measures lag to 12 %, growth to a fifth of its limit.
    """
    by_constraint = {name: [score.constraints[name] for score in repeats] for name in _BEYOND}
    return max(max(sum(values) / len(values), max(values) - _BEYOND[name]) for name, values in by_constraint.items())


def log_value(outcome: Outcome) -> float:
    """What is maximised of an outcome that measured something: the log of its rate, or minus that of its latency."""
    if outcome.objective == Objective.LATENCY and outcome.latency_ms is not None:
        return -math.log(max(outcome.latency_ms, _LEAST_LATENCY_MS) / 1000)
    return log_rate(outcome.windows)


def lower_is_better(outcomes: Iterable[Outcome]) -> bool:
    """Whether outcomes are of trials that were run for a low latency."""
    return any(outcome.objective == Objective.LATENCY for outcome in outcomes)


def log_rate(windows: Sequence[float]) -> float:
    """The mean of the logs of the windows' rates; a window of nothing counts as 0.01 per second."""
    return sum(math.log(max(rate, 0.01)) for rate in windows) / len(windows)
