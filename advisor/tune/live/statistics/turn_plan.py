"""How long is a turn, who has it, and how many pairs of turns are needed?

A is the former values, B one change. Two neighbouring turns are a pair, one of A and one of B: they share the time of
day and most of what users do then. A coin decides who begins, so that neither a trend nor a rhythm of the traffic can
favour one. The start of every turn is left out, where the change before it still has effects.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.record import record, replace
from advisor.tune.live.statistics.autocorrelation import difference_variance, semivariogram
from advisor.tune.search.gain_thresholds import WORTH_CHANGING

TURN_SECONDS: Final = (6, 9, 12, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
SHARE_OF_WATCH: Final = 3  # a turn is at most so small a part of what was watched, or its noise is a guess
COUNTED_PER_LEFT_OUT: Final = 2  # a turn counts for at least twice the time that is left out
CHANCE_OF_A_FALSE_ALARM: Final = 0.05  # in a whole run, whatever the number of candidates and measures
POWER_DEVIATE: Final = 0.84  # 80 % of the changes that are so large are found
MOST_PAIRS: Final = 300
_ENOUGH: Final = 0.05  # a smaller effect is not worth the users' time: fewer pairs, other candidates
# Traffic has bursts that a watch did not see: in simulated traffic, the spread of pairs was 0.8 to 2.9 times (median
# 1.07) what the watch predicted.
_UNSEEN: Final = 1.25


@record
class TurnPlan:
    """Turns of `turn_seconds`, of which the first `left_out_seconds` do not count, in `pairs` pairs.

    `spread` is the standard deviation of a pair's log ratio without any change, as the watch predicts it.
    """

    turn_seconds: int
    left_out_seconds: int
    pairs: int
    spread: float

    @property
    def seconds(self) -> int:
        """How long all turns take."""
        return 2 * self.turn_seconds * self.pairs


def fewest_pairs(tests: int) -> int:
    """How many pairs it takes until all of them better is unlikely enough to be chance, among so many tests."""
    return math.ceil(math.log2(tests / CHANCE_OF_A_FALSE_ALARM))


def plan_turns(series: Sequence[float | None], seconds: float, left_out_seconds: int, tests: int) -> TurnPlan | None:
    """The turns that show the smallest effect in some seconds, by the noise of a series with one value per second.

    None where the series is too short for any turn, or the time for enough pairs.
    """
    longest = len(series) // SHARE_OF_WATCH
    variogram = semivariogram(series, 2 * longest)
    plans = []
    for turn in TURN_SECONDS:
        counted, pairs = turn - left_out_seconds, min(MOST_PAIRS, int(seconds / (2 * turn)))
        if counted < COUNTED_PER_LEFT_OUT * left_out_seconds or pairs < fewest_pairs(tests):
            continue
        if 2 * turn >= len(variogram):
            continue
        spread = math.sqrt(difference_variance(variogram, turn, left_out_seconds))
        plans.append(_short_enough(TurnPlan(turn, left_out_seconds, pairs, spread), tests))
    return min(plans, key=lambda plan: (max(detectable_effect(plan, tests), _ENOUGH), plan.seconds), default=None)


def _short_enough(plan: TurnPlan, tests: int) -> TurnPlan:
    """No more pairs than it takes to show an effect of 5 %."""
    fewer = (replace(plan, pairs=pairs) for pairs in range(fewest_pairs(tests), plan.pairs))
    return next((each for each in fewer if detectable_effect(each, tests) <= _ENOUGH), plan)


def detectable_effect(plan: TurnPlan, tests: int) -> float:
    """The smallest change of a mean, up or down, that the turns would show in four cases of five: 0.05 is 5 %.

    Shown is what chance does not explain (so many tests considered) and what is worth a change of a running server.
    """
    from scipy.special import ndtri

    chance = max(float(ndtri(1 - CHANCE_OF_A_FALSE_ALARM / tests)), student_975(plan.pairs - 1))
    spread = _UNSEEN * plan.spread
    return WORTH_CHANGING * math.exp((chance + POWER_DEVIATE) * spread / math.sqrt(plan.pairs)) - 1


def orders(pairs: int, dice: random.Random) -> list[str]:
    """Who has which turn of every pair: "AB" or "BA", by a coin."""
    return [dice.choice(("AB", "BA")) for _ in range(pairs)]
