"""How did the machine itself change during the study? The baseline, run again and again, shows it.

A local line through the logs of the baseline's rates, weighted by nearness in time and against outliers, and shrunk by
how much of its movement is more than noise: with few baselines or little drift nothing is corrected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

_FEWEST: Final = 4  # baselines; a line through fewer shows noise rather than drift
_SPAN: Final = 0.6  # of all baselines take part in the line at one moment
_STRAY: Final = 4.0  # times the usual deviation: a baseline further away counts nothing

Moments = Sequence[tuple[float, float]]


def drift_of(baseline: Moments) -> Callable[[float], float]:
    """Seconds → the drift of the log rate, 0.0 on average over the baselines (pairs of seconds and log rate)."""
    if len(baseline) < _FEWEST:
        return lambda at: 0.0
    mean = sum(value for _, value in baseline) / len(baseline)
    trust = [1.0] * len(baseline)
    for _ in range(2):
        fitted = [_line(baseline, trust, at) for at, _ in baseline]
        trust = _trust([value - fit for (_, value), fit in zip(baseline, fitted, strict=True)])
    share = _real_share([value for _, value in baseline], [fit - mean for fit in fitted])
    return lambda at: share * (_line(baseline, trust, at) - mean)


def _line(baseline: Moments, trust: Sequence[float], at: float) -> float:
    distances = sorted(abs(when - at) for when, _ in baseline)
    radius = max(distances[min(len(distances) - 1, max(3, round(_SPAN * len(distances))))], 1e-9) * 1.001
    weights = [
        max(0.0, 1.0 - (abs(when - at) / radius) ** 3) ** 3 * trusted
        for (when, _), trusted in zip(baseline, trust, strict=True)
    ]
    total = sum(weights) or 1.0
    mean_time = sum(weight * when for weight, (when, _) in zip(weights, baseline, strict=True)) / total
    mean = sum(weight * value for weight, (_, value) in zip(weights, baseline, strict=True)) / total
    squares = sum(weight * (when - mean_time) ** 2 for weight, (when, _) in zip(weights, baseline, strict=True))
    if squares <= 0:
        return mean
    slope = sum(w * (when - mean_time) * value for w, (when, value) in zip(weights, baseline, strict=True)) / squares
    span = (min(when for when, _ in baseline), max(when for when, _ in baseline))
    return mean + slope * (min(max(at, span[0]), span[1]) - mean_time)


def _trust(residuals: Sequence[float]) -> list[float]:
    usual = sorted(map(abs, residuals))[len(residuals) // 2] or 1e-9
    return [max(0.0, 1.0 - (residual / (_STRAY * usual)) ** 2) ** 2 for residual in residuals]


def _real_share(values: Sequence[float], fitted: Sequence[float]) -> float:
    """The part of the fitted movement that is more than noise: neighbours' differences hold noise and no drift."""
    steps = [(after - before) ** 2 for before, after in pairwise(values)]
    noise = sum(steps) / (2 * len(steps))
    moved = sum(value**2 for value in fitted) / len(fitted)
    expected = noise * min(1.0, 3.0 / len(values))  # what a line makes of noise alone
    return max(0.0, 1.0 - expected / moved) if moved > 0 else 0.0
