"""Which knobs matter, and how? Two answers, because either may mislead.

PED-ANOVA asks which knobs the best quarter of the trials agree on; a surrogate of all trials (extremely randomised
trees) shows how the rate moves along one knob, the others as they were tried. Both see only what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from advisor.model.record import record
from advisor.model.tuning import SearchSpace
from advisor.tune.search.features import rows_of
from advisor.tune.search.history import ScoredTrial
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
    measured = [one for one in history if one.value is not None]
    if len(measured) < FEWEST:
        return {}
    import optuna

    encoder = Encoder(space)
    line: dict[str, Any] = {knob.name: optuna.distributions.FloatDistribution(0.0, 1.0) for knob in space.knobs}
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    for one in measured:
        place = dict(zip(line, encoder.coordinates(one.trial.task.settings), strict=True))
        study.add_trial(optuna.trial.create_trial(params=place, distributions=line, value=one.value))
    evaluator = optuna.importance.PedAnovaImportanceEvaluator(target_quantile=0.25)
    found = optuna.importance.get_param_importances(study, evaluator=evaluator)
    return dict(sorted(((name, float(share)) for name, share in found.items()), key=lambda item: -item[1]))


def effects(space: SearchSpace, history: Sequence[ScoredTrial], seed: int = 0) -> list[Effect]:
    """How the rate moves along every knob by the surrogate, largest movement first; [] with fewer than `FEWEST`."""
    import numpy as np

    measured = [one for one in history if one.value is not None]
    if len(measured) < FEWEST:
        return []
    from sklearn.ensemble import ExtraTreesRegressor

    configurations = [one.trial.task.settings for one in measured]
    model = ExtraTreesRegressor(n_estimators=_TREES, min_samples_leaf=2, random_state=seed)
    model.fit(rows_of(space, configurations), np.array([one.value for one in measured]))
    encoder, found = Encoder(space), []
    for knob in space.knobs:
        places = [(n + 0.5) / _PLACES for n in range(_PLACES)]
        words = tuple(dict.fromkeys(knob.choices or [*knob.special, *(decode(knob, place) for place in places)]))
        logs = [
            float(
                np.mean(
                    model.predict(rows_of(space, [encoder.settle({**one, knob.name: word}) for one in configurations]))
                )
            )
            for word in words
        ]
        best = max(logs)
        found.append(Effect(knob.name, words, tuple(float(np.exp(log - best)) for log in logs)))
    return sorted(found, key=lambda effect: -effect.range)
