"""How far is the search: how many trials are done, and what is the best so far against the baseline?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from advisor.bench.statistics.bootstrap import student_975
from advisor.model.measurement import Interval
from advisor.model.record import record
from advisor.model.tuning import Trial
from advisor.tune.search.policy import StudyPlan, best_confirmed, trials_left
from advisor.tune.search.scored_trials import candidates, scored_trials
from advisor.tune.search.scoring import lower_is_better
from advisor.tune.space.encoding import identity
from advisor.tune.validation.acceptance import inverse


@record
class SearchProgress:
    """`done` trials of `expected` in all. `best_per_second` is the best that was measured twice and is feasible.

    `ratio` is that to the baseline; None where one of them is not known, or they are the same. Where a low latency is
    what is looked for, `best_latency_ms` is the lowest, `best_per_second` is None, and the ratio is of latencies.
    """

    done: int
    expected: int
    best_per_second: float | None
    ratio: Interval | None
    best_latency_ms: float | None = None


def search_progress(plan: StudyPlan, trials: Sequence[Trial]) -> SearchProgress:
    """Where the search is; its figures prove nothing: the best of many measurements is partly luck."""
    done = sum(not trial.outcome.fault for trial in trials)
    expected = done + max(0, trials_left(plan, trials))
    best = best_confirmed(plan, trials)
    if best is None:
        return SearchProgress(done, expected, None, None)
    running = identity(plan.running)
    values = next(
        (
            one.values
            for one in candidates(scored_trials(trials, plan.lag_bound_ms))
            if identity(one.settings) == running
        ),
        (),
    )
    same = identity(best.settings) == running
    ratio = None if same else ratio_of(values, best.values)
    if lower_is_better(trial.outcome for trial in trials):
        return SearchProgress(done, expected, None, ratio and inverse(ratio), 1000 * math.exp(-best.mean))
    return SearchProgress(done, expected, math.exp(best.mean), ratio)


def ratio_of(before: Sequence[float], after: Sequence[float]) -> Interval | None:
    """The ratio of two groups of logs of rates, with Student's interval of their difference, spreads taken as alike."""
    if not before or not after:
        return None
    means = [sum(values) / len(values) for values in (before, after)]
    gap, freedom = means[1] - means[0], len(before) + len(after) - 2
    if freedom < 1:
        return Interval(None, math.exp(gap), None)
    squares = sum((value - mean) ** 2 for mean, values in zip(means, (before, after), strict=True) for value in values)
    by = student_975(freedom) * math.sqrt(squares / freedom * (1 / len(before) + 1 / len(after)))
    return Interval(math.exp(gap - by), math.exp(gap), math.exp(gap + by))
