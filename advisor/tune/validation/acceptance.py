"""Is a finalist really better than the baseline? Statistics over randomised blocks, cautious on purpose.

A block runs every configuration once, in random order, each after a fresh restart: what changes between blocks changes
for all of them alike and cancels in the ratio.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from advisor.model.measurement import Interval
from advisor.model.recommendation import Contender
from advisor.model.record import record
from advisor.tune.request.lag_limit import violation_in_blocks
from advisor.tune.search.gain_thresholds import WORTH_CHANGING
from advisor.units import show

CONFIDENCE: Final = 0.95
FEWEST_BLOCKS: Final = 6  # with five or fewer, even all blocks better could be chance at 2 % after Holm
_RESAMPLES: Final = 10_000
_FLIPS: Final = 1 << 14  # sign flips: every one of them up to 14 blocks, then as many at random
_EQUAL: Final = 1e-12  # relative difference of values that are the same


@record
class Comparison:
    """One configuration against the baseline. `ratio` with its 95 % interval; `p_value` after Holm's correction.

    `accepted`: significantly above `WORTH_CHANGING`, no block below the baseline, lag within its limit. `why_not`: what
    is missing, "" when accepted.
    """

    name: str
    ratio: Interval
    blocks: int
    p_value: float
    accepted: bool
    why_not: str = ""


def compare(
    baseline: Sequence[float],
    others: Mapping[str, Sequence[float]],
    lags_ms: Mapping[str, Sequence[float]],
    lag_bound_ms: float,
    seed: int = 0,
) -> list[Comparison]:
    """Every other configuration against the baseline: by block what is maximised, and lags (95th percentiles)."""
    log_ratios = {name: _log_ratios(baseline, rates) for name, rates in others.items()}
    p_values = holm({name: sign_flip_p(values, seed) for name, values in log_ratios.items()})
    return [
        _comparison(name, values, p_values[name], lags_ms.get(name, ()), lag_bound_ms, seed)
        for name, values in log_ratios.items()
    ]


def _log_ratios(baseline: Sequence[float], rates: Sequence[float]) -> list[float]:
    """Blocks in which either is missing or stood still say nothing."""
    return [math.log(rate / first) for first, rate in zip(baseline, rates, strict=True) if first > 0 and rate > 0]


def _comparison(
    name: str, log_ratios: Sequence[float], p_value: float, lags: Sequence[float], lag_bound_ms: float, seed: int
) -> Comparison:
    ratio, blocks = _ratio(log_ratios, seed), len(log_ratios)
    reasons = []
    if blocks < FEWEST_BLOCKS:
        reasons.append(f"it ran in {show(blocks, 'blocks')}, but at least {FEWEST_BLOCKS} are needed")
    elif p_value > 1 - CONFIDENCE:
        reasons.append(f"the gain may be due to chance (p = {p_value:.2g})")
    if ratio.low is None or ratio.low < WORTH_CHANGING:
        reasons.append(f"its gain is not significantly above {WORTH_CHANGING - 1:.0%}")
    if log_ratios and min(log_ratios) < 0:
        reasons.append("it was worse than the baseline in at least one block")
    if violation := violation_in_blocks(lags, lag_bound_ms, partial(mean_interval, seed=seed)):
        reasons.append(violation)
    return Comparison(name, ratio, blocks, p_value, not reasons, "; ".join(reasons))


def ratio_to(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Interval:
    """How many times as fast is the second, by block? With its 95 % interval; all None without a common block."""
    return _ratio(_log_ratios(first, second), seed)


def inverse(ratio: Interval) -> Interval:
    """The ratio of the reciprocals: of latencies where higher is worse."""
    low, mid, high = (None if value is None else 1 / value for value in (ratio.high, ratio.mid, ratio.low))
    return Interval(low, mid, high)


def _ratio(log_ratios: Sequence[float], seed: int) -> Interval:
    if not log_ratios:
        return Interval(None, None, None)
    low, high = mean_interval(log_ratios, seed)
    return Interval(math.exp(low), math.exp(sum(log_ratios) / len(log_ratios)), math.exp(high))


def best_accepted(judged: Sequence[Contender]) -> Contender | None:
    """The accepted contender with the highest ratio; None when none was accepted."""
    accepted = [contender for contender in judged if contender.accepted and contender.ratio]
    return max(accepted, key=_distance_from_baseline, default=None)


def _distance_from_baseline(contender: Contender) -> float:
    """In log units; what is accepted is better, be it a higher rate or a lower latency."""
    return abs(math.log(contender.ratio.mid)) if contender.ratio and contender.ratio.mid else 0.0


def mean_interval(values: Sequence[float], seed: int = 0, resamples: int = _RESAMPLES) -> tuple[float, float]:
    """The 95 % interval of the mean of blocks, bias-corrected and accelerated (BCa; Efron 1987)."""
    if len(values) < 2:
        return -math.inf, math.inf
    lowest, highest = min(values), max(values)
    if highest - lowest <= _EQUAL * max(abs(lowest), abs(highest)):  # BCa is not defined where nothing varies
        return lowest, highest
    import numpy as np
    from scipy.stats import bootstrap

    interval = bootstrap(
        (values,), np.mean, n_resamples=resamples, confidence_level=CONFIDENCE, method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval  # fmt: skip
    return float(interval.low), float(interval.high)


def sign_flip_p(log_ratios: Sequence[float], seed: int = 0) -> float:
    """How often would the mean be as high if better and worse were equally likely? Exact up to 14 blocks.

    1.0 for fewer than two blocks, which say nothing.
    """
    if len(log_ratios) < 2:
        return 1.0
    import numpy as np
    from scipy.stats import permutation_test

    test = permutation_test(
        (log_ratios,), np.mean, permutation_type="samples", alternative="greater", vectorized=True,
        n_resamples=_FLIPS, rng=np.random.default_rng(seed),
    )  # fmt: skip
    return float(test.pvalue)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p-values corrected for being several (Holm 1979)."""
    corrected: dict[str, float] = {}
    highest = 0.0
    for place, (name, value) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, value * (len(p_values) - place)))
        corrected[name] = highest
    return corrected
