"""Which configuration is worth the next trial? Expected improvement × probability to be feasible, near what is good.

While nothing is feasible, the configuration expected to violate the constraints least, whatever its rate: a fast one
that falls behind leads nowhere. Surrogates are fitted to the log of the sustained rate, to every constraint, and to
failing. Candidates change a few knobs of the best configurations, then of the most promising candidates, and some come
from anywhere; what a rule forbids or what was tried already is left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.applying import Application
from advisor.model.record import record
from advisor.model.tuning import SearchSpace, Settings
from advisor.tune.search.features import rows_at, rows_of
from advisor.tune.search.gain_thresholds import WORTH_A_RUN
from advisor.tune.search.ranking import rate_model
from advisor.tune.search.scored_trials import ScoredTrial
from advisor.tune.search.scoring import BACKLOG, LAG
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, identity

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

    from advisor.tune.search.surrogate import Array, Surrogate

RESTARTING: Final = frozenset({Application.SERVER_RESTART, Application.GROUP_RESTART, Application.MEMBER_REJOIN})
_NEAR, _ANYWHERE = 500, 100
_ROUNDS, _SHORTLIST = 6, 25
_PARENTS: Final = 5
_RESTART_WEIGHT: Final = 0.15  # how much the cost of a restart counts against a candidate: a power of the ratio


@record
class Models:
    """The surrogates, and the best value they predict for a feasible trial (None: there is none).

    `constraints`: one for every constraint that any trial violated, above 0 for a violation; `least`: the smallest
    predicted violation. `failure` is above 0 where a configuration would not run; None while all did.
    """

    value: Surrogate
    constraints: tuple[Surrogate, ...]
    failure: Surrogate | None
    best: float | None
    least: float


def fit_models(space: SearchSpace, history: Sequence[ScoredTrial]) -> Models:
    """Surrogates of everything measured; at least two trials must have measured something."""
    import numpy as np

    from advisor.tune.search.surrogate import fit

    rows = rows_of(space, [scored.trial.task.settings for scored in history])
    measured = np.array([scored.value is not None for scored in history])
    value = rate_model(space, history)
    scores = [scored.score for scored in history if scored.value is not None]
    excesses = [np.array([score.constraints[name] for score in scores]) for name in (LAG, BACKLOG)]
    constraints = tuple(fit(rows[measured], np.arcsinh(excess)) for excess in excesses if excess.max() > 0)
    excess = [constraint.predict(rows[measured])[0] for constraint in constraints]
    failure = None if measured.all() else fit(rows, np.where(measured, -1.0, 1.0))
    predicted, _ = value.predict(rows[measured])
    feasible = np.array([score.feasible for score in scores])
    return Models(
        value=value,
        constraints=constraints,
        failure=failure,
        best=float(np.max(predicted[feasible])) if feasible.any() else None,
        least=float(np.min(np.max(excess, axis=0))) if constraints else 0.0,
    )


def propose(
    space: SearchSpace, history: Sequence[ScoredTrial], running: Settings, restart_ratio: float, dice: random.Random
) -> dict[str, str]:
    """Settings to try next. `running` are in force; `restart_ratio`: cost of a trial with a restart ÷ without."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    encoder, legal, rng = Encoder(space), constraint_check(space), np.random.default_rng(dice.randrange(2**32))
    known = {identity(scored.trial.task.settings) for scored in history}
    with threadpool_limits(1):  # threads cost more than they give on matrices of this size
        models = fit_models(space, history)
        current = np.array(encoder.coordinates(running))
        restarting = np.array([knob.how in RESTARTING for knob in space.knobs])
        parents = np.array([encoder.coordinates(settings) for settings in _parents(space, history, models)])
        points = np.vstack([_changed(parents, _NEAR, rng), rng.random((_ANYWHERE, len(space.knobs)))])
        proposals: list[tuple[float, dict[str, str]]] = []
        for _ in range(_ROUNDS):
            worths = _worth(models, rows_at(space, points))
            worths -= _cost(points, current, restarting, restart_ratio)
            for at in np.argsort(-worths, kind="stable")[:_SHORTLIST]:
                settings = encoder.settings(points[at].tolist())
                key = identity(settings)
                if key not in known and legal(settings):
                    known.add(key)
                    proposals.append((float(worths[at]), settings))
            proposals = sorted(proposals, key=lambda scored: -scored[0])[:_PARENTS]
            if proposals:
                parents = np.array([encoder.coordinates(settings) for _, settings in proposals])
            points = _changed(parents, _NEAR, rng, gentle=True)
        if not proposals:
            return dict(encoder.settings([dice.random() for _ in space.knobs]))
        worth = _worth(models, rows_of(space, [settings for _, settings in proposals]))
        worth -= _cost(parents, current, restarting, restart_ratio)
    return proposals[int(np.argmax(worth))][1]


def _parents(space: SearchSpace, history: Sequence[ScoredTrial], models: Models) -> list[Settings]:
    """The best configurations by the model, feasible ones first."""
    measured = [scored for scored in history if scored.value is not None]
    predicted, _ = models.value.predict(rows_of(space, [scored.trial.task.settings for scored in measured]))
    ranked = sorted(
        zip(predicted, measured, strict=True),
        key=lambda pair: (not pair[1].score.feasible, -pair[0] if pair[1].score.feasible else pair[1].score.violation),
    )
    distinct = {identity(scored.trial.task.settings): scored.trial.task.settings for _, scored in ranked}
    return list(distinct.values())[:_PARENTS]


def _changed(parents: Array, count: int, rng: Generator, gentle: bool = False) -> Array:
    """Points with some coordinates moved: mostly few, seldom many; mostly a little, sometimes anywhere."""
    import numpy as np

    knobs = parents.shape[1]
    points = parents[rng.integers(len(parents), size=count)]
    share = np.minimum(1.0, rng.choice((1, 1, 2, 3, 5, 8), size=(count, 1)) / knobs)
    reach = rng.choice((0.02, 0.05, 0.1) if gentle else (0.05, 0.1, 0.2, 0.4), size=(count, 1))
    moved = rng.random((count, knobs)) < share
    moved[np.arange(count), rng.integers(knobs, size=count)] |= ~moved.any(axis=1)
    anywhere = rng.random((count, knobs)) < (0.1 if gentle else 0.3)
    nearby = np.clip(points + reach * rng.standard_normal((count, knobs)), 0.0, 1.0)
    return np.where(moved, np.where(anywhere, rng.random((count, knobs)), nearby), points)


def _worth(models: Models, rows: Array) -> Array:
    """Log of what a trial of each row promises: improvement × probability to be feasible, and to run."""
    import numpy as np
    from scipy.stats import norm

    excesses = [
        constraint.predict(rows) for constraint in models.constraints
    ]  # the worst counts: constraints are violated together
    if models.best is None:
        worth = np.min([_improvement(models.least - excess, uncertainty) for excess, uncertainty in excesses], axis=0)
    else:
        mean, spread = models.value.predict(rows)
        log_feasible = [norm.logcdf(-excess / np.hypot(uncertainty, 0.05)) for excess, uncertainty in excesses]
        # A gain too small to be worth a run counts as none: on a plateau there is always a little more to expect.
        worth = _improvement(mean - models.best - WORTH_A_RUN, spread) + np.min(
            [np.zeros(len(rows)), *log_feasible], axis=0
        )
    if models.failure is not None:
        failing, uncertainty = models.failure.predict(rows)
        worth += norm.logcdf(-failing / np.hypot(uncertainty, 0.2))
    return np.asarray(worth)


def _improvement(ahead: Array, spread: Array) -> Array:
    """Log of the expected improvement where a mean is `ahead` of the best, in its unit."""
    import numpy as np
    from scipy.stats import norm

    share = ahead / spread
    return np.asarray(np.log(np.maximum(spread * (norm.pdf(share) + share * norm.cdf(share)), 1e-12)))


def _cost(points: Array, current: Array, restarting: NDArray[np.bool_], restart_ratio: float) -> Array:
    """How much the time of a restart counts against points that need one, where `here` is in force."""
    import numpy as np

    needs_restart = np.any((points != current) & restarting, axis=1)
    return np.asarray(_RESTART_WEIGHT * np.log(np.where(needs_restart, restart_ratio, 1.0)))
