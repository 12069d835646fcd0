"""When is a trial clearly worse, and when is a study done?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from advisor.model.tuning import Task, Trial, TrialKind, Watch
from advisor.tune.search.policy import StudyPlan, best_confirmed
from advisor.tune.space.encoding import identity

# Measured on windows with a spread of 4 % and memory of half: 0.02 cuts 23 % of equals and 94 % of what is 5 % worse,
# the usual 0.1 cuts 42 % of equals.
P_VALUE: Final = 0.02
FEWEST_WINDOWS: Final = 6


def watch_for(plan: StudyPlan, trials: Sequence[Trial], task: Task, clone: str = "") -> Watch:
    """Ends a trial of the search whose windows are surely below the best configuration's on this clone; no other."""
    best = best_confirmed(plan, trials)
    if task.kind is not TrialKind.SEARCH or best is None:
        return lambda windows: False
    name = identity(best.settings)
    measured = [
        trial
        for trial in trials
        if trial.clone == clone and identity(trial.task.settings) == name and trial.outcome.windows
    ]
    standard = measured[-1].outcome.windows if measured else ()
    return lambda windows: clearly_worse(windows, standard)


def clearly_worse(windows: Sequence[float], standard: Sequence[float]) -> bool:
    """Wilcoxon's signed ranks over the logs of windows, paired by their place, one-sided."""
    count = min(len(windows), len(standard))
    if count < FEWEST_WINDOWS:
        return False
    from scipy.stats import wilcoxon

    gaps = [math.log(max(w, 0.01) / max(s, 0.01)) for w, s in zip(windows, standard, strict=False)]
    if not any(gaps):
        return False
    return float(wilcoxon(gaps, alternative="less").pvalue) < P_VALUE
