"""How much of the time is for the search? What the proof does not need, as the trials so far tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.tuning import Trial
from advisor.tune.request.request import Request

LEAST_SEARCH: Final = 0.35  # of the time: without a find there is nothing to prove
FINALISTS: Final = 3
_SPARE: Final = 1.1  # runs of the proof take a little longer than those seen, at times
_RECENT: Final = 6
_STEP_RUNS: Final = 12  # two steps of three pairs, to see which changes are needed
_BESIDES_SECONDS: Final = 6.0  # reading back, starting the load, draining, where nothing was seen yet
_RESTART_SECONDS: Final = 15.0


def run_seconds(request: Request, trials: Sequence[Trial], fresh: bool) -> float:
    """What a run takes, with a restart before it or without: the mean of the last that measured something."""
    seen = [one.outcome.seconds for one in trials if one.outcome.windows and one.outcome.restarted is fresh]
    if seen:
        return sum(seen[-_RECENT:]) / len(seen[-_RECENT:])
    return request.warm_up_least + request.seconds + _BESIDES_SECONDS + (_RESTART_SECONDS if fresh else 0.0)


def validation_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """What the blocks take."""
    return _SPARE * FINALISTS * request.blocks * run_seconds(request, trials, fresh=True)


def soak_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """What the soak takes, 0.0 where none is asked for."""
    besides = run_seconds(request, trials, fresh=True) - request.seconds
    return request.soak_seconds + max(0.0, besides) if request.soak_seconds else 0.0


def search_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """What is left for the search; 0.0 where there is no limit."""
    if not request.for_seconds:
        return 0.0
    steps = _STEP_RUNS * run_seconds(request, trials, fresh=False) if request.shorten and request.blocks else 0.0
    left = request.for_seconds - validation_seconds(request, trials) - steps - soak_seconds(request, trials)
    return max(left, LEAST_SEARCH * request.for_seconds)


def trials_expected(request: Request, trials: Sequence[Trial]) -> int:
    """How many trials the search has room for, were each to restart the servers."""
    fit = int(search_seconds(request, trials) / run_seconds(request, trials, fresh=True))
    return min(request.trials or fit, fit) if request.for_seconds else request.trials
