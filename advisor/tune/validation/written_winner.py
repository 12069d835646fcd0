"""Which configuration with written values is the winner? The best confirmed one that keeps the limits so written too.

A configuration may be near a limit, and a rounded value beyond it: an io_capacity_max of 2000 instead of 1600 lets a
source run ahead of its replica. So a written configuration that was never measured is measured before it is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from advisor.model.tuning import Environment, Settings, Task, Trial, TrialKind
from advisor.tune.search.policy import StudyPlan
from advisor.tune.search.ranking import CONFIRMED_RUNS, is_confirmed, ranked
from advisor.tune.search.scored_trials import scored_trials
from advisor.tune.search.scoring import score
from advisor.tune.space.encoding import identity
from advisor.tune.space.round_values import with_written_values

MOST_TRIED: Final = 3  # as many as there are finalists; each costs two runs


def written_winner(
    environment: Environment, plan: StudyPlan, trials: Sequence[Trial], stop: Callable[[], bool]
) -> Settings | None:
    """The best confirmed configuration with written values; None where nothing is confirmed.

    Each of the best is measured again as often as a confirmed one is, until one keeps the limits. Where none does, or
    when the time is over, the best is the winner, and the validation decides.
    """
    in_order = ranked(plan.space, scored_trials(trials, plan.lag_bound_ms))
    confirmed = (candidate.settings for _, candidate in in_order if is_confirmed(candidate))
    first = None
    for found in islice(confirmed, MOST_TRIED):
        written = with_written_values(plan.space, plan.running, found)
        first = written if first is None else first
        if identity(written) == identity(found) or _keeps_the_limits(environment, plan, written, stop):
            return written
        if stop():
            break
    return first


def _keeps_the_limits(environment: Environment, plan: StudyPlan, settings: Settings, stop: Callable[[], bool]) -> bool:
    for _ in range(CONFIRMED_RUNS):
        if stop():
            return False
        outcome = environment.run(Task(TrialKind.CONFIRM, settings, fresh=True), lambda windows: False)
        if not outcome.fault and not score(outcome, plan.lag_bound_ms).feasible:
            return False
    return True
