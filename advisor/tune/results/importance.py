"""Which knobs matter, and how? Two answers, because either alone may mislead.

PED-ANOVA asks which knobs the best quarter of the trials agree on; a surrogate of all trials (extremely randomised
trees) shows how the rate moves along one knob, the others as they were tried. Both see only what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from advisor.model.record import record
from advisor.model.tuning import SearchSpace
from advisor.tune.search.features import rows_of
from advisor.tune.search.scored_trials import ScoredTrial
from advisor.tune.space.encoding import Encoder, decode

FEWEST: Final = 12  # measured trials; with fewer any answer is noise
_TREES: Final = 200
_PLACES: Final = 9


@record
class Effect:
    """The rate along one knob: settings, the predicted rate at each as a share of its highest, and their range."""

    name: str
    settings: tuple[str, ...]
    rates: tuple[float, ...]

    @property
    def range(self) -> float:
        """How much the rate moves: 0.2 means that the worst setting gives 20 % less than the best."""
        return max(self.rates) - min(self.rates)


def importances(space: SearchSpace, history: Sequence[ScoredTrial]) -> Mapping[str, float]:
    """Share of the variance that each knob explains (PED-ANOVA), largest first; {} with fewer than `FEWEST` trials."""
    measured = [scored for scored in history if scored.value is not None]
    if len(measured) < FEWEST:
        return {}
    import optuna

    encoder = Encoder(space)
    unit_interval: dict[str, Any] = {
        knob.name: optuna.distributions.FloatDistribution(0.0, 1.0) for knob in space.knobs
    }
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    for scored in measured:
        coordinates = dict(zip(unit_interval, encoder.coordinates(scored.trial.task.settings), strict=True))
        study.add_trial(optuna.trial.create_trial(params=coordinates, distributions=unit_interval, value=scored.value))
    evaluator = optuna.importance.PedAnovaImportanceEvaluator(target_quantile=0.25)
    shares = optuna.importance.get_param_importances(study, evaluator=evaluator)
    return dict(sorted(((name, float(share)) for name, share in shares.items()), key=lambda item: -item[1]))


def effects(space: SearchSpace, history: Sequence[ScoredTrial], seed: int = 0) -> list[Effect]:
    """How the rate moves along every knob by the surrogate, largest movement first; [] with fewer than `FEWEST`."""
    import numpy as np

    measured = [scored for scored in history if scored.value is not None]
    if len(measured) < FEWEST:
        return []
    from sklearn.ensemble import ExtraTreesRegressor

    configurations = [scored.trial.task.settings for scored in measured]
    model = ExtraTreesRegressor(n_estimators=_TREES, min_samples_leaf=2, random_state=seed)
    model.fit(rows_of(space, configurations), np.array([scored.value for scored in measured]))
    encoder, along_knobs = Encoder(space), []
    for knob in space.knobs:
        places = [(n + 0.5) / _PLACES for n in range(_PLACES)]
        texts = tuple(dict.fromkeys(knob.choices or [*knob.special, *(decode(knob, place) for place in places)]))
        logs = [
            float(
                np.mean(
                    model.predict(
                        rows_of(space, [encoder.settle({**settings, knob.name: text}) for settings in configurations])
                    )
                )
            )
            for text in texts
        ]
        best = max(logs)
        along_knobs.append(Effect(knob.name, texts, tuple(float(np.exp(log - best)) for log in logs)))
    return sorted(along_knobs, key=lambda effect: -effect.range)
