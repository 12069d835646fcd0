"""What would Optuna's own samplers propose? The same history and coordinates, another way to choose.

Every proposal is made by a study that is built each time from the history: values with the drift removed, constraints
complete, configurations that failed at the worst value. GPSampler needs torch.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from advisor.errors import UsageError
from advisor.model.tuning import SearchSpace
from advisor.tune.search.policy import Propose
from advisor.tune.search.scored_trials import ScoredTrial
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, identity

_PROPOSALS: Final = 20  # at most; if rules forbid all of them or all were tried, the last one is taken


def proposer(name: str) -> Propose:
    """The way to propose that has a name: "own", "tpe", "gp" (UsageError without torch)."""
    if name == "own":
        from advisor.tune.search.acquisition import propose

        return propose
    if name not in ("tpe", "gp"):
        raise UsageError(f"unknown sampler {name!r}", hint="choose own, tpe or gp")
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
    known = {identity(scored.trial.task.settings) for scored in history}
    seed = dice.randrange(2**31)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both are marked experimental
        sampler: Any = (
            optuna.samplers.TPESampler(seed=seed)
            if name == "tpe"
            else optuna.samplers.GPSampler(seed=seed, deterministic_objective=False)
        )
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.add_trials(_as_optuna_trials(space, encoder, history))
        unit_interval: dict[str, Any] = {
            knob.name: optuna.distributions.FloatDistribution(0.0, 1.0) for knob in space.knobs
        }
        for _ in range(_PROPOSALS):
            trial = study.ask(unit_interval)
            settings = encoder.settings([trial.params[knob.name] for knob in space.knobs])
            if legal(settings) and identity(settings) not in known:
                break
    return settings


def _as_optuna_trials(space: SearchSpace, encoder: Encoder, history: Sequence[ScoredTrial]) -> list[Any]:
    import optuna

    unit_interval: dict[str, Any] = {
        knob.name: optuna.distributions.FloatDistribution(0.0, 1.0) for knob in space.knobs
    }
    worst = min((scored.value for scored in history if scored.value is not None), default=0.0)
    return [
        optuna.trial.create_trial(
            params=dict(zip(unit_interval, encoder.coordinates(scored.trial.task.settings), strict=True)),
            distributions=unit_interval,
            value=worst if scored.value is None else scored.value,
            constraints=dict(scored.score.constraints),
        )
        for scored in history
    ]
