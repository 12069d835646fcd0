"""What do runs with some changes and runs without them say of these changes? Their cost, and whether a limit breaks.

A removal takes changes away from a configuration. It is judged by pairs of runs close in time: what moves both cancels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.measurement import Interval
from advisor.model.record import record, replace
from advisor.tune.search.scoring import BACKLOG, GROWTH, LAG, START, Score

# How far one run is from the mean of many, in the units of its constraint (benchmarks/tuner: lag to 12 %, growth of the
# backlog to a fifth of its limit); a server that starts once starts again.
_RUN_SPREAD: Final = {LAG: 0.12, BACKLOG: 0.2 * GROWTH, START: 0.0}
PAIR_SPREAD: Final = 0.035  # log units, where nothing was measured: two runs of 2.5 % each
_PRIOR_FREEDOM: Final = 4  # that assumption counts as much as five pairs


@record
class Pair:
    """Two runs close in time: `kept` with the changes in question, `removed` without them."""

    kept: Score
    removed: Score


@record
class Removal:
    """Changes that were taken away, and the pairs of runs that show what that costs."""

    names: tuple[str, ...]
    pairs: tuple[Pair, ...] = ()

    def and_pair(self, pair: Pair | None) -> Removal:
        """The same with one pair more; None (a fault, which says nothing of a configuration) adds nothing."""
        return replace(self, pairs=(*self.pairs, pair)) if pair else self

    @property
    def costs(self) -> tuple[float, ...]:
        """What every pair says, in log units: 0.1 means that without the changes the rate is 10 % lower."""
        return tuple(
            pair.kept.value - pair.removed.value
            for pair in self.pairs
            if pair.kept.value is not None and pair.removed.value is not None
        )

    @property
    def cost(self) -> float | None:
        """The mean of `costs`; None where nothing was measured."""
        return sum(self.costs) / len(self.costs) if self.costs else None

    @property
    def cannot_run(self) -> bool:
        """Whether the servers refused to run without the changes."""
        return any(pair.removed.value is None for pair in self.pairs)

    def breaks_a_limit(self, allowed: Mapping[str, float]) -> bool:
        """Whether its runs are beyond what is `allowed` of every constraint by more than chance explains."""
        runs = [pair.removed.constraints for pair in self.pairs]
        return any(
            sum(run[name] for run in runs) / len(runs) > most + _RUN_SPREAD[name] / math.sqrt(len(runs))
            for name, most in allowed.items()
            if runs
        )


def allowed_constraints(removals: Sequence[Removal]) -> dict[str, float]:
    """What a removal may come to: at most 0, the limit; or the mean with all changes, where that is already above."""
    runs = [pair.kept.constraints for removal in removals for pair in removal.pairs if pair.kept.value is not None]
    return {name: max(0.0, sum(run[name] for run in runs) / len(runs)) if runs else 0.0 for name in _RUN_SPREAD}


@record
class Spread:
    """How much the cost differs from pair to pair by chance, in log units, and how well that is known."""

    deviation: float
    freedom: int

    def half_width(self, pairs: int) -> float:
        """Half the 95 % interval of the mean of so many pairs; infinite for none."""
        return student_975(self.freedom) * self.deviation / math.sqrt(pairs) if pairs else math.inf


def spread_of(removals: Sequence[Removal]) -> Spread:
    """The spread of the pairs around the mean of their removal, over all removals, and the assumption."""
    several = [removal.costs for removal in removals if len(removal.costs) > 1]
    squares = sum((cost - sum(costs) / len(costs)) ** 2 for costs in several for cost in costs)
    freedom = _PRIOR_FREEDOM + sum(len(costs) - 1 for costs in several)
    return Spread(math.sqrt((squares + _PRIOR_FREEDOM * PAIR_SPREAD**2) / freedom), freedom)


def ratio_of(removal: Removal, spread: Spread) -> Interval:
    """How many times the rate without the changes is the rate with them, with its 95 % interval."""
    if removal.cost is None:
        return Interval(None, None, None)
    half = spread.half_width(len(removal.costs))
    return Interval(math.exp(removal.cost - half), math.exp(removal.cost), math.exp(removal.cost + half))
