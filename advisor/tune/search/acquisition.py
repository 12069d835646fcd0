"""Which configuration is worth the next trial? Expected improvement × chance to keep the bounds, near what is good.

While nothing keeps the bounds, what is expected to break them least, whatever its rate: a fast configuration that falls
behind is no step on the way. Surrogates are fitted of the log of the sustained rate, of every constraint, and of
failing. Candidates are changes of a few knobs of the best configurations, more of the same around the most promising,
and some from anywhere; what a rule forbids or what was tried already is left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.applying import Application
from advisor.model.record import record
from advisor.model.tuning import SearchSpace, Settings
from advisor.tune.search.features import rows_at, rows_of
from advisor.tune.search.history import ScoredTrial
from advisor.tune.search.ranking import WORTH_A_RUN, rate_model
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
_ROUNDS, _LOOKED_AT = 6, 25
_PARENTS: Final = 5
_PATIENCE: Final = 0.15  # how much the cost of a restart counts against a candidate: a power of the ratio of costs


@record
class Models:
    """The surrogates, and the best value they believe in that keeps the bounds (None: nothing does).

    `bounds`: one for every constraint that anything broke, above 0 outside; `least`: the least that anything is
    believed to be outside. `failure` is above 0 where a configuration would not run; None while all did.
    """

    value: Surrogate
    bounds: tuple[Surrogate, ...]
    failure: Surrogate | None
    best: float | None
    least: float


def fit_models(space: SearchSpace, history: Sequence[ScoredTrial]) -> Models:
    """Surrogates of everything measured; at least two trials must have measured something."""
    import numpy as np

    from advisor.tune.search.surrogate import fit

    rows = rows_of(space, [one.trial.task.settings for one in history])
    measured = np.array([one.value is not None for one in history])
    value = rate_model(space, history)
    scores = [one.score for one in history if one.value is not None]
    broken = [np.array([score.constraints[name] for score in scores]) for name in (LAG, BACKLOG)]
    bounds = tuple(fit(rows[measured], np.arcsinh(outside)) for outside in broken if outside.max() > 0)
    outside = [bound.predict(rows[measured])[0] for bound in bounds]
    failure = None if measured.all() else fit(rows, np.where(measured, -1.0, 1.0))
    believed, _ = value.predict(rows[measured])
    keeping = np.array([score.feasible for score in scores])
    return Models(
        value=value,
        bounds=bounds,
        failure=failure,
        best=float(np.max(believed[keeping])) if keeping.any() else None,
        least=float(np.min(np.max(outside, axis=0))) if bounds else 0.0,
    )


def propose(
    space: SearchSpace, history: Sequence[ScoredTrial], running: Settings, restart_ratio: float, dice: random.Random
) -> dict[str, str]:
    """Settings to try next. `running` are in force; `restart_ratio`: cost of a trial with a restart ÷ without."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    encoder, legal, rng = Encoder(space), constraint_check(space), np.random.default_rng(dice.randrange(2**32))
    known = {identity(one.trial.task.settings) for one in history}
    with threadpool_limits(1):  # threads cost more than they give on matrices of this size
        models = fit_models(space, history)
        here = np.array(encoder.coordinates(running))
        dear = np.array([knob.how in RESTARTING for knob in space.knobs])
        parents = np.array([encoder.coordinates(settings) for settings in _parents(space, history, models)])
        points = np.vstack([_changed(parents, _NEAR, rng), rng.random((_ANYWHERE, len(space.knobs)))])
        found: list[tuple[float, dict[str, str]]] = []
        for _ in range(_ROUNDS):
            worth = _worth(models, rows_at(space, points))
            worth -= _cost(points, here, dear, restart_ratio)
            for at in np.argsort(-worth, kind="stable")[:_LOOKED_AT]:
                settings = encoder.settings(points[at].tolist())
                name = identity(settings)
                if name not in known and legal(settings):
                    known.add(name)
                    found.append((float(worth[at]), settings))
            found = sorted(found, key=lambda one: -one[0])[:_PARENTS]
            if found:
                parents = np.array([encoder.coordinates(settings) for _, settings in found])
            points = _changed(parents, _NEAR, rng, gentle=True)
        if not found:
            return dict(encoder.settings([dice.random() for _ in space.knobs]))
        sure = _worth(models, rows_of(space, [settings for _, settings in found]))
        sure -= _cost(parents, here, dear, restart_ratio)
    return found[int(np.argmax(sure))][1]


def _parents(space: SearchSpace, history: Sequence[ScoredTrial], models: Models) -> list[Settings]:
    """The best configurations by the model, those inside the bounds first."""
    measured = [one for one in history if one.value is not None]
    believed, _ = models.value.predict(rows_of(space, [one.trial.task.settings for one in measured]))
    ranked = sorted(
        zip(believed, measured, strict=True),
        key=lambda pair: (not pair[1].score.feasible, -pair[0] if pair[1].score.feasible else pair[1].score.violation),
    )
    distinct = {identity(one.trial.task.settings): one.trial.task.settings for _, one in ranked}
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
    beside = np.clip(points + reach * rng.standard_normal((count, knobs)), 0.0, 1.0)
    return np.where(moved, np.where(anywhere, rng.random((count, knobs)), beside), points)


def _worth(models: Models, rows: Array) -> Array:
    """Log of what a trial of each row promises: improvement × chance to keep the bounds, and to run."""
    import numpy as np
    from scipy.stats import norm

    outside = [bound.predict(rows) for bound in models.bounds]  # the worst counts: bounds break together
    if models.best is None:
        worth = np.min([_improvement(models.least - far, unsure) for far, unsure in outside], axis=0)
    else:
        mean, spread = models.value.predict(rows)
        keeps = [norm.logcdf(-far / np.hypot(unsure, 0.05)) for far, unsure in outside]
        # Less than a gain worth its run is none: on a plateau near the best there is always a little more to expect.
        worth = _improvement(mean - models.best - WORTH_A_RUN, spread) + np.min([np.zeros(len(rows)), *keeps], axis=0)
    if models.failure is not None:
        fails, doubt = models.failure.predict(rows)
        worth += norm.logcdf(-fails / np.hypot(doubt, 0.2))
    return np.asarray(worth)


def _improvement(ahead: Array, spread: Array) -> Array:
    """Log of the expected improvement where a mean is `ahead` of the best, in its unit."""
    import numpy as np
    from scipy.stats import norm

    share = ahead / spread
    return np.asarray(np.log(np.maximum(spread * (norm.pdf(share) + share * norm.cdf(share)), 1e-12)))


def _cost(points: Array, here: Array, dear: NDArray[np.bool_], restart_ratio: float) -> Array:
    """How much the time of a restart counts against points that need one, where `here` is in force."""
    import numpy as np

    restarts = np.any((points != here) & dear, axis=1)
    return np.asarray(_PATIENCE * np.log(np.where(restarts, restart_ratio, 1.0)))
