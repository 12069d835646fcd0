"""What do the trials of a study say so far? Each configuration with all its measurements, drift taken out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.model.record import record
from advisor.model.tuning import Settings, Trial, TrialKind
from advisor.tune.search.drift import drift_of
from advisor.tune.search.scoring import Score, outside, score
from advisor.tune.space.encoding import identity

UNSTABLE = 0.26  # spread of the logs of repeats: the highest is 30 % above the lowest


@record
class ScoredTrial:
    """One trial with its score; `value` has the drift taken out, None where nothing was measured."""

    trial: Trial
    score: Score
    value: float | None


@record
class Candidate:
    """One configuration and everything measured of it. `values`: logs of sustained rates, truncated left out.

    `outside` is above 0 where the repeats say that it breaks a bound. `clones`: where `values` were measured.
    """

    settings: Settings
    values: tuple[float, ...]
    outside: float
    failed: bool
    clones: tuple[str, ...] = ("",)

    @property
    def mean(self) -> float:
        """What it is worth: the mean of its measurements, the lowest of them when they are far apart."""
        return min(self.values) if self.unstable else sum(self.values) / len(self.values)

    @property
    def unstable(self) -> bool:
        """Whether its measurements are far apart."""
        return max(self.values) - min(self.values) >= UNSTABLE

    @property
    def keeps_bounds(self) -> bool:
        """Whether it never failed, no run broke a bound, and their mean stays clear of it."""
        return bool(self.values) and not self.failed and self.outside <= 0


def scored_trials(trials: Sequence[Trial], lag_bound_ms: float) -> list[ScoredTrial]:
    """Every trial that says something of its configuration, with what is not the configuration's taken out.

    That is the drift of the clone it was measured on, and how far this clone is from the mean of all, as the running
    configuration tells which is measured on each again and again.
    """
    scored = [(trial, score(trial.outcome, lag_bound_ms)) for trial in trials if not trial.outcome.fault]
    baselines: dict[str, list[tuple[float, float]]] = {}
    for trial, found in scored:
        if trial.task.kind is TrialKind.BASELINE and found.value is not None:
            baselines.setdefault(trial.clone, []).append((trial.at_seconds, found.value))
    drifts = {clone: drift_of(baseline) for clone, baseline in baselines.items()}
    apart = _apart({clone: sum(value for _, value in one) / len(one) for clone, one in baselines.items()})

    def shift(trial: Trial) -> float:
        drift = drifts.get(trial.clone)
        return drift(trial.at_seconds) + apart[trial.clone] if drift else 0.0

    return [
        ScoredTrial(trial, found, None if found.value is None else found.value - shift(trial))
        for trial, found in scored
    ]


def _apart(means: Mapping[str, float]) -> dict[str, float]:
    """How far each clone is from the mean of them, in log units; exactly 0 where there is but one."""
    middle = sum(means.values()) / len(means) if means else 0.0
    return {clone: mean - middle if len(means) > 1 else 0.0 for clone, mean in means.items()}


def candidates(history: Sequence[ScoredTrial]) -> list[Candidate]:
    """The configurations that were tried, in the order of their first trial."""
    groups: dict[tuple[tuple[str, str], ...], list[ScoredTrial]] = {}
    for one in history:
        groups.setdefault(identity(one.trial.task.settings), []).append(one)
    return [
        Candidate(
            settings=group[0].trial.task.settings,
            values=tuple(one.value for one in group if one.value is not None and not one.trial.outcome.truncated),
            outside=outside([one.score for one in group]),
            failed=any(one.trial.outcome.infeasible for one in group),
            clones=tuple(
                dict.fromkeys(
                    one.trial.clone for one in group if one.value is not None and not one.trial.outcome.truncated
                )
            ),
        )
        for group in groups.values()
    ]
