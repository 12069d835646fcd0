"""How much do repeated runs differ, and which gain can be detected? From runs of the same configuration (A/A)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.record import record
from advisor.model.tuning import Trial
from advisor.tune.search.scoring import log_value, lower_is_better

# The sum of the normal deviates for 5 % false alarms (two-sided) and 20 % misses: 1.96 + 0.84.
_DEVIATES: Final = 2.8
FEWEST_RUNS: Final = 4


@record
class Noise:
    """Spreads as shares (0.03 = 3 %). `windows`: within a run, None where none had two; `runs`: between runs.

    `drift_per_hour` is the slope through the runs, with half its 95 % interval.
    """

    runs: float
    windows: float | None
    drift_per_hour: float
    drift_uncertain_by: float
    count: int


def noise_of(trials: Sequence[Trial]) -> Noise | None:
    """The noise of repeated runs of one configuration; None with fewer than `FEWEST_RUNS` that measured something.

    Of several clones only the one with the most runs counts: how clones differ from each other is not noise.
    """
    clones = Counter(trial.clone for trial in trials if trial.outcome.windows).most_common(1)
    measured = [trial for trial in trials if trial.outcome.windows and trial.clone == clones[0][0]]
    if len(measured) < FEWEST_RUNS:
        return None
    hours = [trial.at_seconds / 3600 for trial in measured]
    trend = trend_of(hours, [log_value(trial.outcome) for trial in measured])
    in_windows = not lower_is_better(trial.outcome for trial in measured)  # else they show the rate that was offered
    divided = [trial.outcome.windows for trial in measured if in_windows and len(trial.outcome.windows) > 1]
    spreads = [_spread([math.log(max(rate, 0.01)) for rate in windows]) for windows in divided]
    return Noise(
        runs=trend.spread,
        windows=math.sqrt(sum(spread**2 for spread in spreads) / len(spreads)) if spreads else None,
        drift_per_hour=trend.slope,
        drift_uncertain_by=trend.uncertain_by,
        count=len(measured),
    )


@record
class Trend:
    """A line through values: its `slope` with half its 95 % interval, and the `spread` of the values around it."""

    slope: float
    uncertain_by: float
    spread: float


def trend_of(at: Sequence[float], values: Sequence[float]) -> Trend:
    """Least squares through at least three values; no slope, and no certainty of that, where all are at one moment."""
    mean_at, mean = sum(at) / len(at), sum(values) / len(values)
    squares = sum((moment - mean_at) ** 2 for moment in at)
    products = sum((moment - mean_at) * value for moment, value in zip(at, values, strict=True))
    slope = products / squares if squares else 0.0
    residuals = [value - mean - slope * (moment - mean_at) for moment, value in zip(at, values, strict=True)]
    freedom = len(values) - 2
    spread = math.sqrt(sum(residual**2 for residual in residuals) / freedom)
    return Trend(slope, student_975(freedom) * spread / math.sqrt(squares) if squares else math.inf, spread)


def largest_spread(noise: Noise) -> float:
    """The upper end of the 95 % interval of the spread between runs (chi-square: 2.9 times the spread for six runs,
    6.3 times for four)."""
    from scipy.special import chdtri

    freedom = noise.count - 2  # a mean and a slope are estimated too
    return noise.runs * math.sqrt(freedom / float(chdtri(freedom, 0.975)))


def detectable_gain(runs: float, repeats: int) -> float:
    """The smallest gain (0.05 = 5 %) that `repeats` runs of each of two configurations detect, at 80 % power."""
    return math.exp(_DEVIATES * runs * math.sqrt(2.0 / repeats)) - 1.0


def repeats_for(gain: float, runs: float) -> int:
    """How many runs of each configuration detect a gain of that size, at least two."""
    return max(2, math.ceil(2.0 * (_DEVIATES * runs / math.log1p(gain)) ** 2 - 1e-9))


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
