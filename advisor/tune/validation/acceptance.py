"""Is it really better? Ratios to the original within blocks, with an interval, and none accepted by luck among several.

A block runs every configuration once, in random order, each after a fresh restart: what changes between blocks changes
for all of them alike and cancels in the ratio.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.measurement import Interval
from advisor.model.record import record

CONFIDENCE: Final = 0.95
WORTH_IT: Final = 1.03  # a ratio below which nobody should change a running server
FEWEST_BLOCKS: Final = 6  # with five or fewer, even all blocks better could be chance at 2 % after Holm
_DRAWS: Final = 10_000


@record
class Comparison:
    """One configuration against the original. `ratio` with its 95 % interval; `p_value` after Holm's correction.

    `accepted`: surely above `WORTH_IT`, no block below the original or outside the bound on lag. `why_not`: what is
    missing, "" when accepted.
    """

    name: str
    ratio: Interval
    blocks: int
    p_value: float
    accepted: bool
    why_not: str = ""


def orders(names: Sequence[str], blocks: int, dice: random.Random) -> list[list[str]]:
    """Who runs when: every block has every name once, in an order of its own."""
    return [dice.sample(list(names), len(names)) for _ in range(blocks)]


def compare(
    original: Sequence[float],
    others: Mapping[str, Sequence[float]],
    lags_ms: Mapping[str, Sequence[float]],
    lag_bound_ms: float,
    seed: int = 0,
) -> list[Comparison]:
    """Every other configuration against the original: sustained rates by block, lags (95th percentiles) by block."""
    gaps = {name: _log_ratios(original, rates) for name, rates in others.items()}
    corrected = holm({name: sign_flip_p(values, seed) for name, values in gaps.items()})
    return [
        _judged(name, values, corrected[name], lags_ms.get(name, ()), lag_bound_ms, seed)
        for name, values in gaps.items()
    ]


def _log_ratios(original: Sequence[float], rates: Sequence[float]) -> list[float]:
    """Blocks in which either is missing or stood still say nothing."""
    return [math.log(rate / first) for first, rate in zip(original, rates, strict=True) if first > 0 and rate > 0]


def _judged(
    name: str, gaps: Sequence[float], p_value: float, lags: Sequence[float], bound_ms: float, seed: int
) -> Comparison:
    ratio = _interval(gaps, seed)
    reasons = []
    if len(gaps) < FEWEST_BLOCKS:
        reasons.append(f"{len(gaps)} blocks, {FEWEST_BLOCKS} are wanted")
    elif p_value > 1 - CONFIDENCE:
        reasons.append(f"it may be chance (p = {p_value:.2g})")
    if ratio.low is None or ratio.low < WORTH_IT:
        reasons.append(f"it is not surely {WORTH_IT - 1:.0%} better")
    if gaps and min(gaps) < 0:
        reasons.append("in a block it was below the original")
    if lags and max(lags) > bound_ms:
        reasons.append("in a block its lag was outside the bound")
    elif lags and bootstrap(lags, seed)[1] > bound_ms:
        reasons.append("its lag is not surely inside the bound")
    return Comparison(name, ratio, len(gaps), p_value, not reasons, "; ".join(reasons))


def ratio_to(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Interval:
    """How many times as fast is the second, by block? With its 95 % interval; all None without a common block."""
    return _interval(_log_ratios(first, second), seed)


def _interval(gaps: Sequence[float], seed: int) -> Interval:
    if not gaps:
        return Interval(None, None, None)
    low, high = bootstrap(gaps, seed)
    return Interval(math.exp(low), math.exp(sum(gaps) / len(gaps)), math.exp(high))


def bootstrap(values: Sequence[float], seed: int = 0, draws: int = _DRAWS) -> tuple[float, float]:
    """The 95 % interval of the mean of blocks, bias-corrected and accelerated (BCa; Efron 1987)."""
    from statistics import NormalDist

    count, middle = len(values), sum(values) / len(values)
    if count == 1 or max(values) == min(values):
        return (middle, middle) if count > 1 else (-math.inf, math.inf)
    dice, normal = random.Random(seed), NormalDist()
    means = sorted(sum(dice.choices(values, k=count)) / count for _ in range(draws))
    below = sum(mean < middle for mean in means) / draws
    bias = normal.inv_cdf(min(max(below, 1 / draws), 1 - 1 / draws))
    left_out = [(middle * count - value) / (count - 1) for value in values]
    centre = sum(left_out) / count
    cubes = sum((centre - mean) ** 3 for mean in left_out)
    squares = sum((centre - mean) ** 2 for mean in left_out)
    speed = cubes / (6 * squares**1.5) if squares else 0.0

    def at(share: float) -> float:
        z: float = bias + normal.inv_cdf(share)
        place: float = normal.cdf(bias + z / (1 - speed * z))
        return means[min(draws - 1, max(0, int(place * draws)))]

    return at((1 - CONFIDENCE) / 2), at((1 + CONFIDENCE) / 2)


def sign_flip_p(gaps: Sequence[float], seed: int = 0) -> float:
    """How often would the mean be as high if better and worse were equally likely? Exact up to 14 blocks."""
    if not gaps:
        return 1.0
    wanted = sum(gaps) - 1e-12
    if len(gaps) <= 14:
        flips = range(1 << len(gaps))
        sums = (sum(gap if flip >> at & 1 else -gap for at, gap in enumerate(gaps)) for flip in flips)
        return sum(total >= wanted for total in sums) / len(flips)
    dice = random.Random(seed)
    draws = [sum(gap if dice.random() < 0.5 else -gap for gap in gaps) for _ in range(_DRAWS)]
    return (1 + sum(total >= wanted for total in draws)) / (1 + _DRAWS)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values corrected for being several (Holm 1979)."""
    corrected: dict[str, float] = {}
    highest = 0.0
    for place, (name, value) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, value * (len(p_values) - place)))
        corrected[name] = highest
    return corrected
