"""When is the time of a tuning run used up, and how much of it is for the search?

What validation needs is estimated from the trials so far.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

from advisor.model.tuning import Trial, TrialKind, elapsed_seconds
from advisor.tune.request.request import Request

LEAST_SEARCH: Final = 0.35  # of the time: without an improvement there is nothing to validate
FINALISTS: Final = 3
_SPARE: Final = 1.1  # validation runs sometimes take a little longer than trials
_RECENT: Final = 6
# To find out which changes are needed: on the surfaces of benchmarks/tuner 15 changes take 60 runs, 10 of them are left
# after 24. At most two fifths of what validation leaves, but always two steps of three pairs.
_STEP_RUNS, _FEWEST_STEP_RUNS, _STEPS_SHARE = 60, 12, 0.4
_BESIDES_SECONDS: Final = 6.0  # reading back, starting the load, draining: an estimate until a trial was measured
_RESTART_SECONDS: Final = 15.0


def deadline(for_seconds: float, trials: Sequence[Trial]) -> float:
    """When the time of a tuning run is used up, by the monotonic clock; the time of earlier runs counts."""
    if not for_seconds:
        return math.inf
    return time.monotonic() + for_seconds - elapsed_seconds(trials)


def run_seconds(request: Request, trials: Sequence[Trial], fresh: bool) -> float:
    """How long a run takes, with or without a restart before it: the mean of the latest that measured something."""
    measured = [trial.outcome.seconds for trial in trials if trial.outcome.windows and trial.outcome.restarted is fresh]
    if measured:
        return sum(measured[-_RECENT:]) / len(measured[-_RECENT:])
    return request.warm_up_least + request.seconds + _BESIDES_SECONDS + (_RESTART_SECONDS if fresh else 0.0)


def validation_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """How long the validation blocks take. A baseline that falls behind drains for long: it counts by its own runs."""
    baselines = [trial for trial in trials if trial.task.kind is TrialKind.BASELINE]
    others = [trial for trial in trials if trial.task.kind is not TrialKind.BASELINE]
    known = run_seconds(request, trials, fresh=True)
    of_baseline = max(known, run_seconds(request, baselines, fresh=True)) if baselines else known
    other = run_seconds(request, others, fresh=True) if others else known
    return _SPARE * request.blocks * (of_baseline + (FINALISTS - 1) * other)


def seconds_after_search(request: Request, trials: Sequence[Trial]) -> float:
    """How long the validation blocks and the soak test take."""
    return validation_seconds(request, trials) + soak_seconds(request, trials)


def soak_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """How long the soak test takes, 0.0 where none is asked for."""
    besides = run_seconds(request, trials, fresh=True) - request.seconds
    return request.soak_seconds + max(0.0, besides) if request.soak_seconds else 0.0


def search_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """The time left for the search; 0.0 where there is no limit."""
    if not request.for_seconds:
        return 0.0
    left = request.for_seconds - seconds_after_search(request, trials)
    return max(left - _steps_seconds(request, trials, left), LEAST_SEARCH * request.for_seconds)


def _steps_seconds(request: Request, trials: Sequence[Trial], left: float) -> float:
    """How long it may take to find out which changes are needed, of the seconds that validation leaves."""
    if not (request.shorten and request.blocks):
        return 0.0
    one = run_seconds(request, trials, fresh=False)
    return max(_FEWEST_STEP_RUNS * one, min(_STEP_RUNS * one, _STEPS_SHARE * left))


def trials_expected(request: Request, trials: Sequence[Trial]) -> int:
    """How many trials fit into the search if each restarts the servers."""
    fit = int(search_seconds(request, trials) / run_seconds(request, trials, fresh=True))
    return min(request.trials or fit, fit) if request.for_seconds else request.trials
