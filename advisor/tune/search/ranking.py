"""Which configuration is the best so far? By a model of all trials, which evens out the luck of single runs.

Of many configurations that are about equal, the one that was measured highest was mostly lucky. The results of similar
configurations show how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.tuning import SearchSpace
from advisor.tune.search.features import rows_of
from advisor.tune.search.scored_trials import Candidate, ScoredTrial, candidates

if TYPE_CHECKING:
    from advisor.tune.search.surrogate import Surrogate

CONFIRMED_RUNS: Final = 2  # measurements of a configuration that may be recommended
_FEWEST: Final = 3  # measured trials; a model of fewer predicts nothing that they do not show
_DEEPEST: Final = 1.5  # log units below the median: worse is only "bad", and must not bend the model of the good


def rate_model(space: SearchSpace, history: Sequence[ScoredTrial]) -> Surrogate:
    """A surrogate of the log rate; something must have been measured."""
    import numpy as np

    from advisor.tune.search.surrogate import fit

    measured = [trial for trial in history if trial.value is not None]
    values = np.array([trial.value for trial in measured])
    rows = rows_of(space, [trial.trial.task.settings for trial in measured])
    return fit(rows, np.maximum(values, np.median(values) - _DEEPEST))


def ranked(space: SearchSpace, history: Sequence[ScoredTrial]) -> list[tuple[float, Candidate]]:
    """What met every constraint, the best first, with its predicted value (a log rate)."""
    from threadpoolctl import threadpool_limits

    keeping = [candidate for candidate in candidates(history) if candidate.feasible]
    worth = [candidate.mean for candidate in keeping]
    if keeping and sum(candidate.value is not None for candidate in history) >= _FEWEST:
        with threadpool_limits(1):  # threads cost more than they give on matrices of this size
            predicted, _ = rate_model(space, history).predict(
                rows_of(space, [candidate.settings for candidate in keeping])
            )
        # Runs far apart show that it is unstable: then the lowest counts, whatever its neighbours achieved.
        worth = [
            min(float(predicted_rate), candidate.mean) if candidate.unstable else float(predicted_rate)
            for predicted_rate, candidate in zip(predicted, keeping, strict=True)
        ]
    return sorted(zip(worth, keeping, strict=True), key=lambda pair: -pair[0])


def is_confirmed(candidate: Candidate) -> bool:
    """Whether it may be recommended: measured at least twice, never beyond a limit."""
    return candidate.feasible and len(candidate.values) >= CONFIRMED_RUNS
