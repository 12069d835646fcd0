"""Which configuration is worth the next trial? Expected improvement × chance to keep the bounds, near what is good.

Surrogates are fitted of the log of the sustained rate, of the worst constraint, and of failing. Candidates are changes
of a few knobs of the best configurations, more of the same around the most promising, and some from anywhere; what a
rule forbids or what was tried already is left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.model.applying import Application
from advisor.model.record import record
from advisor.model.tuning import SearchSpace, Settings
from advisor.tune.encoding import Encoder, difference, identity
from advisor.tune.features import rows_of
from advisor.tune.history import Tried
from advisor.tune.legality import legal_in

if TYPE_CHECKING:
    from advisor.tune.surrogate import Array, Surrogate

RESTARTING: Final = frozenset({Application.SERVER_RESTART, Application.GROUP_RESTART, Application.MEMBER_REJOIN})
_NEAR, _ANYWHERE, _REFINED = 250, 60, 100
_PARENTS: Final = 5
_FAR: Final = 1.5  # log units inside or outside a bound: farther is no different
_DEEPEST: Final = 1.5  # log units below the median: worse is only "bad", and must not bend the model of the good
_PATIENCE: Final = 0.15  # how much the cost of a restart counts against a candidate: a power of the ratio of costs


@record
class Models:
    """The surrogates, and the best value they believe in that keeps the bounds (None: nothing does).

    `failure` is above 0 where a configuration would not run; None while all did.
    """

    value: Surrogate
    violation: Surrogate
    failure: Surrogate | None
    best: float | None


def fit_models(space: SearchSpace, history: Sequence[Tried]) -> Models:
    """Surrogates of everything measured; at least two trials must have measured something."""
    import numpy as np

    from advisor.tune.surrogate import fit

    rows = rows_of(space, [one.trial.task.settings for one in history])
    measured = np.array([one.value is not None for one in history])
    values = np.array([one.value for one in history if one.value is not None])
    values = np.maximum(values, np.median(values) - _DEEPEST)
    outside = [max(-_FAR, min(_FAR, one.score.violation)) for one in history if one.value is not None]
    value, violation = fit(rows[measured], values), fit(rows[measured], np.array(outside))
    failure = None if measured.all() else fit(rows, np.where(measured, -1.0, 1.0))
    believed, _ = value.predict(rows[measured])
    keeping = np.array([one.score.feasible for one in history if one.value is not None])
    return Models(value, violation, failure, float(np.max(believed[keeping])) if keeping.any() else None)


def propose(
    space: SearchSpace, history: Sequence[Tried], running: Settings, restart_ratio: float, dice: random.Random
) -> dict[str, str]:
    """Settings to try next. `running` are in force; `restart_ratio`: cost of a trial with a restart ÷ without."""
    import numpy as np

    models, encoder, legal = fit_models(space, history), Encoder(space), legal_in(space)
    known = {identity(one.trial.task.settings) for one in history}
    parents = [encoder.coordinates(settings) for settings in _parents(space, history, models)]
    points = [_changed(dice.choice(parents), dice) for _ in range(_NEAR)]
    points += [[dice.random() for _ in space.knobs] for _ in range(_ANYWHERE)]
    found: list[tuple[float, list[float], dict[str, str]]] = []
    for _ in range(2):
        pool = _usable(points, encoder, legal, known)
        if pool:
            worth = _worth(space, models, [settings for _, settings in pool], running, restart_ratio)
            found += [(float(w), point, settings) for w, (point, settings) in zip(worth, pool, strict=True)]
        if not found:
            return dict(encoder.settings([dice.random() for _ in space.knobs]))
        best = sorted(found, key=lambda one: -one[0])[:_PARENTS]
        points = [_changed(dice.choice(best)[1], dice, gentle=True) for _ in range(_REFINED)]
    assert np.isfinite(best[0][0])
    return max(found, key=lambda one: one[0])[2]


def _parents(space: SearchSpace, history: Sequence[Tried], models: Models) -> list[Settings]:
    """The best configurations by the model, those inside the bounds first."""
    measured = [one for one in history if one.value is not None]
    believed, _ = models.value.predict(rows_of(space, [one.trial.task.settings for one in measured]))
    ranked = sorted(
        zip(believed, measured, strict=True),
        key=lambda pair: (not pair[1].score.feasible, -pair[0] if pair[1].score.feasible else pair[1].score.violation),
    )
    distinct = {identity(one.trial.task.settings): one.trial.task.settings for _, one in ranked}
    return list(distinct.values())[:_PARENTS]


def _changed(point: Sequence[float], dice: random.Random, gentle: bool = False) -> list[float]:
    """A point with some coordinates moved: mostly few, seldom many; mostly a little, sometimes anywhere."""
    count = len(point)
    share = min(1.0, dice.choice((1, 1, 2, 3, 5, 8)) / count)
    reach = dice.choice((0.02, 0.05, 0.1)) if gentle else dice.choice((0.05, 0.1, 0.2, 0.4))
    moved = [at for at in range(count) if dice.random() < share] or [dice.randrange(count)]
    changed = list(point)
    for at in moved:
        anywhere = dice.random() < (0.1 if gentle else 0.3)
        changed[at] = dice.random() if anywhere else min(1.0, max(0.0, point[at] + dice.gauss(0.0, reach)))
    return changed


def _usable(
    points: Sequence[list[float]], encoder: Encoder, legal: object, known: set[tuple[tuple[str, str], ...]]
) -> list[tuple[list[float], dict[str, str]]]:
    assert callable(legal)
    usable = []
    seen = set(known)
    for point in points:
        settings = encoder.settings(point)
        name = identity(settings)
        if name not in seen and legal(settings):
            seen.add(name)
            usable.append((point, settings))
    return usable


def _worth(
    space: SearchSpace, models: Models, pool: Sequence[Settings], running: Settings, restart_ratio: float
) -> Array:
    """Log of what a trial of each promises: improvement × chance to keep the bounds ÷ cost."""
    import numpy as np
    from scipy.stats import norm

    rows = rows_of(space, pool)
    mean, spread = models.value.predict(rows)
    outside, unsure = models.violation.predict(rows)
    keeps = norm.logcdf(-outside / np.hypot(unsure, 0.05))
    if models.failure is not None:
        fails, doubt = models.failure.predict(rows)
        keeps = keeps + norm.logcdf(-fails / np.hypot(doubt, 0.2))
    how = {knob.name: knob.how for knob in space.knobs}
    restarts = np.array([any(how[name] in RESTARTING for name in difference(running, one)) for one in pool])
    cost = _PATIENCE * np.log(np.where(restarts, restart_ratio, 1.0))
    if models.best is None:
        return np.asarray(keeps + 0.5 * (mean - models.value.mean) / models.value.spread - cost)
    ahead = (mean - models.best) / spread
    gain = spread * (norm.pdf(ahead) + ahead * norm.cdf(ahead))
    return np.asarray(np.log(np.maximum(gain, 1e-12)) + keeps - cost)
