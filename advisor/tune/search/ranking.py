"""Which configuration is the best so far? By a model of all trials, so that the luck of single runs is taken out.

Of many configurations that are about equal, the one that was measured highest was mostly lucky. What others like it
came to says how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.tuning import SearchSpace
from advisor.tune.search.features import rows_of
from advisor.tune.search.history import Candidate, ScoredTrial, candidates

if TYPE_CHECKING:
    from advisor.tune.search.surrogate import Surrogate

SURE: Final = 2  # measurements of what may be the answer
WORTH_A_RUN: Final = 0.02  # log units that something must be believed to gain before it is tried or measured again
_FEWEST: Final = 3  # measured trials; a model of fewer says no more than they do
_DEEPEST: Final = 1.5  # log units below the median: worse is only "bad", and must not bend the model of the good


def rate_model(space: SearchSpace, history: Sequence[ScoredTrial]) -> Surrogate:
    """A surrogate of the log rate; something must have been measured."""
    import numpy as np

    from advisor.tune.search.surrogate import fit

    measured = [one for one in history if one.value is not None]
    values = np.array([one.value for one in measured])
    rows = rows_of(space, [one.trial.task.settings for one in measured])
    return fit(rows, np.maximum(values, np.median(values) - _DEEPEST))


def ranked(space: SearchSpace, history: Sequence[ScoredTrial]) -> list[tuple[float, Candidate]]:
    """What kept the bounds, the best first, with what it is believed to be worth (a log rate)."""
    from threadpoolctl import threadpool_limits

    keeping = [one for one in candidates(history) if one.keeps_bounds]
    worth = [one.mean for one in keeping]
    if keeping and sum(one.value is not None for one in history) >= _FEWEST:
        with threadpool_limits(1):  # threads cost more than they give on matrices of this size
            believed, _ = rate_model(space, history).predict(rows_of(space, [one.settings for one in keeping]))
        # Runs far apart say that it is unstable: then the lowest counts, whatever its neighbours came to.
        worth = [
            min(float(b), one.mean) if one.unstable else float(b) for b, one in zip(believed, keeping, strict=True)
        ]
    return sorted(zip(worth, keeping, strict=True), key=lambda pair: -pair[0])


def is_confirmed(one: Candidate) -> bool:
    """Whether it may be an answer: measured at least twice, never outside a bound."""
    return one.keeps_bounds and len(one.values) >= SURE
