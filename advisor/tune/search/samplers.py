"""How would Optuna's own samplers choose? The same history and coordinates, another way to propose.

Every proposal is made by a study built anew from the history: values with the drift taken out, constraints complete,
configurations that failed at the worst value. GPSampler needs torch.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from advisor.errors import UsageError
from advisor.model.tuning import SearchSpace
from advisor.tune.search.history import ScoredTrial
from advisor.tune.search.policy import Propose
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, identity

_ASKED: Final = 20  # proposals that a rule forbids or that were tried, before the last one is taken as it is


def proposer(name: str) -> Propose:
    """The way to propose of a name: "own", "tpe", "gp" (UsageError without torch)."""
    if name == "own":
        from advisor.tune.search.acquisition import propose

        return propose
    if name not in ("tpe", "gp"):
        raise UsageError(f"no sampler {name!r}", hint="there are own, tpe and gp")
    if name == "gp":
        try:
            import torch  # noqa: F401
        except ImportError:
            raise UsageError("GPSampler needs torch", hint="pip install 'advisor[gp]', or --sampler own") from None
    return lambda space, history, running, ratio, dice: _ask(name, space, history, dice)


def _ask(name: str, space: SearchSpace, history: Sequence[ScoredTrial], dice: random.Random) -> dict[str, str]:
    import warnings

    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    encoder, legal = Encoder(space), constraint_check(space)
    known = {identity(one.trial.task.settings) for one in history}
    seed = dice.randrange(2**31)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both are marked experimental
        sampler: Any = (
            optuna.samplers.TPESampler(seed=seed)
            if name == "tpe"
            else optuna.samplers.GPSampler(seed=seed, deterministic_objective=False)
        )
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.add_trials(_told(space, encoder, history))
        line: dict[str, Any] = {knob.name: optuna.distributions.FloatDistribution(0.0, 1.0) for knob in space.knobs}
        for _ in range(_ASKED):
            trial = study.ask(line)
            settings = encoder.settings([trial.params[knob.name] for knob in space.knobs])
            if legal(settings) and identity(settings) not in known:
                break
    return settings


def _told(space: SearchSpace, encoder: Encoder, history: Sequence[ScoredTrial]) -> list[Any]:
    import optuna

    line: dict[str, Any] = {knob.name: optuna.distributions.FloatDistribution(0.0, 1.0) for knob in space.knobs}
    worst = min((one.value for one in history if one.value is not None), default=0.0)
    return [
        optuna.trial.create_trial(
            params=dict(zip(line, encoder.coordinates(one.trial.task.settings), strict=True)),
            distributions=line,
            value=worst if one.value is None else one.value,
            constraints=dict(one.score.constraints),
        )
        for one in history
    ]
