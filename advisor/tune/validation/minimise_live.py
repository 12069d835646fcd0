"""Which changes of the winner does this cluster need? Each step is measured in pairs, one run after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.recommendation import Reverted
from advisor.model.tuning import Environment, SearchSpace, Settings, Task, TrialKind
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.space.constraints import constraint_check
from advisor.tune.validation.minimise import Gap, OutOfTime, minimise

PAIRS: Final = 3  # fewer say nothing of chance; blocks prove the outcome, so a wrong step costs a candidate, no harm


def minimise_live(
    environment: Environment,
    space: SearchSpace,
    running: Settings,
    winner: Settings,
    importance: Mapping[str, float],
    lag_bound_ms: float,
    stop: Callable[[], bool],
) -> tuple[dict[str, str], list[Reverted]]:
    """The winner with what it needs of its changes, and every step; what was found until then when the time is over."""

    def measure(now: Settings, back: Settings) -> Gap:
        gaps = []
        for number in range(PAIRS):
            if stop():
                raise OutOfTime
            pair = (now, back) if number % 2 == 0 else (back, now)
            found = [environment.run(Task(TrialKind.CONFIRM, one), lambda windows: False) for one in pair]
            first, second = found if number % 2 == 0 else found[::-1]
            if not score(second, lag_bound_ms).feasible or not first.windows:
                return None
            gaps.append(log_rate(first.windows) - log_rate(second.windows))
        return _interval(gaps)

    least_first = sorted(importance, key=lambda name: importance[name])
    found = minimise(space, running, winner, measure, least_first, constraint_check(space))
    steps = [
        Reverted(
            one.names,
            None if one.cost is None else 1.0 - math.exp(-one.cost[0]),
            None if one.cost is None else one.cost[1],
            one.kept,
        )
        for one in found.steps
    ]
    return dict(found.settings), steps


def _interval(gaps: Sequence[float]) -> tuple[float, float]:
    mean = sum(gaps) / len(gaps)
    deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1))
    return mean, student_975(len(gaps) - 1) * deviation / math.sqrt(len(gaps))
