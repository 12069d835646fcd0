"""Which of its changes does the winner need? Knobs go back to their baseline value, and stay there if it costs nothing.

First all at once that leave what practice advises, then all others that seem unimportant; in halves where that cost
something, then one by one: few measurements where few knobs matter. Every step is measured against the configuration
it would replace, in pairs of runs; a group that clearly costs much is split after one pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.recommendation import Reverted
from advisor.model.record import record
from advisor.model.tuning import Environment, Knob, SearchSpace, Settings, Task, TrialKind
from advisor.tune.search.gain_thresholds import TOLERATED_LOSS
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, difference, encode

PAIRS: Final = 3  # fewer say nothing of chance; validation follows, so a wrong step costs a candidate, no harm
CLEARLY: Final = 0.15  # log units that a group costs in its first pair: four times as much as pairs differ by chance

# Log of (rate of the first / rate of the second) and the half width of its interval; None: the second cannot be used.
Cost = tuple[float, float] | None
Measure = Callable[[Settings, Settings], Cost]


class OutOfTime(Exception):
    """Raised by a `Measure`: what was found until then is the answer."""


@record
class Reversion:
    """One step: the knobs taken back, what that cost (log units, half width; None: not usable), whether it stays."""

    names: tuple[str, ...]
    cost: Cost
    kept: bool


@record
class Minimised:
    """The winner with only the changes it needs, and how that was found."""

    settings: Settings
    steps: tuple[Reversion, ...]


def minimise(
    space: SearchSpace,
    running: Settings,
    winner: Settings,
    measure: Measure,
    importance: Sequence[str] = (),
    legal: Callable[[Settings], bool] = lambda settings: True,
) -> Minimised:
    """The winner with as many knobs as possible at their baseline value. `importance`: names, least important first.

    A reversion stays when it seems to cost less than `TOLERATED_LOSS`.
    """
    ranks = {name: rank for rank, name in enumerate(importance)}
    changed = sorted(difference(running, winner), key=lambda name: ranks.get(name, len(ranks)))
    current, steps = dict(winner), []
    encoder = Encoder(space)
    groups = _first_groups(changed, leaving_advice(space, running, winner))
    while groups:
        names = groups.pop(0)
        reverted = encoder.settle({**current, **{name: running[name] for name in names}})
        if not difference(current, reverted):
            continue
        try:
            cost = measure(current, reverted) if legal(reverted) else None
        except OutOfTime:
            break
        kept = cost is not None and cost[0] <= TOLERATED_LOSS
        steps.append(Reversion(names, cost, kept))
        if kept:
            current = reverted
        elif len(names) > 1:
            groups = [names[: len(names) // 2], names[len(names) // 2 :], *groups]
    return Minimised(current, tuple(steps))


def leaving_advice(space: SearchSpace, running: Settings, winner: Settings) -> list[str]:
    """The changed knobs whose value is now farther from what the search space advises than the baseline's is."""

    def distance(knob: Knob, text: str) -> float:
        return abs(encode(knob, text) - encode(knob, knob.advice))

    return [
        knob.name
        for knob in space.knobs
        if knob.advice
        and winner[knob.name] != running[knob.name]
        and distance(knob, winner[knob.name]) > distance(knob, running[knob.name])
    ]


def _first_groups(changed: Sequence[str], leaving: Sequence[str]) -> list[tuple[str, ...]]:
    """In the order of `changed`: the names that leave the advice, two thirds of the others, and the rest."""
    others = [name for name in changed if name not in leaving]
    at = len(others) * 2 // 3
    return [tuple(name for name in changed if name in leaving), tuple(others[:at]), tuple(others[at:])]


def minimise_live(
    environment: Environment,
    space: SearchSpace,
    running: Settings,
    winner: Settings,
    importance: Mapping[str, float],
    lag_bound_ms: float,
    stop: Callable[[], bool],
) -> tuple[dict[str, str], list[Reverted]]:
    """The same on a cluster, with every step; what was found until then when the time is over."""

    def measure(current: Settings, reverted: Settings) -> Cost:
        costs, several = list[float](), len(difference(current, reverted)) > 1
        for number in range(PAIRS):
            if stop():
                raise OutOfTime
            pair = (current, reverted) if number % 2 == 0 else (reverted, current)
            outcomes = [environment.run(Task(TrialKind.CONFIRM, settings), lambda windows: False) for settings in pair]
            before, after = outcomes if number % 2 == 0 else outcomes[::-1]
            if not score(after, lag_bound_ms).feasible or not before.windows:
                return None
            costs.append(log_rate(before.windows) - log_rate(after.windows))
            if several and costs[0] > CLEARLY:
                break
        return _mean_cost(costs)

    least_first = sorted(importance, key=lambda name: importance[name])
    minimised = minimise(space, running, winner, measure, least_first, constraint_check(space))
    return dict(minimised.settings), [_reported(step) for step in minimised.steps]


def _mean_cost(costs: Sequence[float]) -> tuple[float, float]:
    """The half width is infinite where one pair was enough."""
    mean = sum(costs) / len(costs)
    if len(costs) < 2:
        return mean, math.inf
    deviation = math.sqrt(sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1))
    return mean, student_975(len(costs) - 1) * deviation / math.sqrt(len(costs))


def _reported(step: Reversion) -> Reverted:
    if step.cost is None:
        return Reverted(step.names, None, None, step.kept)
    cost, half_width = step.cost
    uncertain_by = half_width if math.isfinite(half_width) else None
    return Reverted(step.names, 1.0 - math.exp(-cost), uncertain_by, step.kept)
