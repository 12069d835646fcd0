"""Which configurations go into the blocks? The baseline, what the rules recommend, the winner and the runner-up.

All with the values a person would write: what is proved is what is shipped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Final

from advisor.model.recommendation import BASELINE
from advisor.model.tuning import Settings, Trial
from advisor.tune.request.time_budget import FINALISTS
from advisor.tune.search.policy import StudyPlan, best_confirmed
from advisor.tune.search.ranking import is_confirmed
from advisor.tune.search.scored_trials import Candidate, candidates, scored_trials
from advisor.tune.space.encoding import difference, identity
from advisor.tune.space.round_values import with_written_values
from advisor.tune.validation.minimise import Minimised

RULES: Final = "rules"  # what `check` advises
WINNER: Final = "tuned"
FEWER: Final = "tuned, fewer changes"
RUNNER_UP: Final = "runner-up"


def choose_finalists(
    plan: StudyPlan,
    rules: Settings,
    trials: Sequence[Trial],
    winner: Settings | None,
    with_fewer_changes: Callable[[Settings], Minimised | None],
) -> tuple[dict[str, Settings], Minimised | None]:
    """The baseline, the `rules`, the `winner` with as few changes as needed, and the runner-up if there is room.

    With it, which changes the winner needs; None where that was not asked.
    """
    finalists: dict[str, Settings] = {BASELINE: plan.running}
    if identity(rules) != identity(plan.running):
        finalists[RULES] = rules
    minimised: Minimised | None = None
    if winner and identity(winner) not in map(identity, finalists.values()):
        minimised = with_fewer_changes(winner)
        fewer = minimised.settings if minimised else winner
        if identity(fewer) not in map(identity, finalists.values()):
            finalists[FEWER if identity(fewer) != identity(winner) else WINNER] = fewer
        else:
            finalists[WINNER] = winner
    best = best_confirmed(plan, trials)
    second = runner_up(plan, trials, [*finalists.values(), *([best.settings] if best else [])])
    if second and 1 < len(finalists) < FINALISTS:
        written = with_written_values(plan.space, plan.running, second.settings)
        if identity(written) not in map(identity, finalists.values()):
            finalists[RUNNER_UP] = written
    return finalists, minimised


def runner_up(plan: StudyPlan, trials: Sequence[Trial], besides: Collection[Settings]) -> Candidate | None:
    """Of the other confirmed configurations that are better than the baseline, the one with the fewest changes.

    The fewer knobs, the less can be wrong that so few runs do not show; of equals the best.
    """
    tried_configurations = candidates(scored_trials(trials, plan.lag_bound_ms))
    known = {identity(settings) for settings in (plan.running, *besides)}
    baseline_mean = max(
        (
            candidate.mean
            for candidate in tried_configurations
            if identity(candidate.settings) == identity(plan.running)
        ),
        default=-math.inf,
    )
    confirmed = [
        candidate
        for candidate in tried_configurations
        if is_confirmed(candidate) and identity(candidate.settings) not in known and candidate.mean > baseline_mean
    ]
    return min(
        confirmed,
        key=lambda candidate: (len(difference(plan.running, candidate.settings)), -candidate.mean),
        default=None,
    )
