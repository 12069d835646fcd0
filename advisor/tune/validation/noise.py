"""How much do equal runs differ, and what gain could be seen at all? From runs of the same configuration (A/A)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.record import record
from advisor.model.tuning import Trial
from advisor.tune.search.scoring import log_rate

# The sum of the normal deviates for 5 % wrong alarms (two-sided) and 20 % misses: 1.96 + 0.84.
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

    Of several clones the one with the most runs speaks: how they differ from each other is no noise.
    """
    clones = Counter(trial.clone for trial in trials if trial.outcome.windows).most_common(1)
    measured = [trial for trial in trials if trial.outcome.windows and trial.clone == clones[0][0]]
    if len(measured) < FEWEST_RUNS:
        return None
    values = [log_rate(trial.outcome.windows) for trial in measured]
    hours = [trial.at_seconds / 3600 for trial in measured]
    centre, middle = sum(hours) / len(hours), sum(values) / len(values)
    across = sum((hour - centre) ** 2 for hour in hours)
    slope = sum((hour - centre) * value for hour, value in zip(hours, values, strict=True)) / across if across else 0.0
    left = [value - middle - slope * (hour - centre) for hour, value in zip(hours, values, strict=True)]
    several = [trial.outcome.windows for trial in measured if len(trial.outcome.windows) > 1]
    within = [_spread([math.log(max(rate, 0.01)) for rate in windows]) for windows in several]
    runs = math.sqrt(sum(value**2 for value in left) / (len(left) - 2))
    return Noise(
        runs=runs,
        windows=math.sqrt(sum(spread**2 for spread in within) / len(within)) if within else None,
        drift_per_hour=slope,
        drift_uncertain_by=student_975(len(left) - 2) * runs / math.sqrt(across) if across else math.inf,
        count=len(measured),
    )


def largest_spread(noise: Noise) -> float:
    """How large the spread between runs may be in truth: the upper end of its 95 % interval (chi-square, 2.9 times
    the spread for six runs, 6.3 times for four)."""
    from scipy.special import chdtri

    freedom = noise.count - 2  # a mean and a slope were taken out
    return noise.runs * math.sqrt(freedom / float(chdtri(freedom, 0.975)))


def detectable_gain(runs: float, repeats: int) -> float:
    """The smallest gain (0.05 = 5 %) that `repeats` runs of each of two configurations show, at 80 % power."""
    return math.exp(_DEVIATES * runs * math.sqrt(2.0 / repeats)) - 1.0


def repeats_for(gain: float, runs: float) -> int:
    """How many runs of each configuration show a gain of that size, two at least."""
    return max(2, math.ceil(2.0 * (_DEVIATES * runs / math.log1p(gain)) ** 2 - 1e-9))


def _spread(values: Sequence[float]) -> float:
    middle = sum(values) / len(values)
    return math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
