"""What is the score of every trial so far, drift removed, and of every configuration by all its measurements?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.model.record import record
from advisor.model.tuning import Settings, Trial, TrialKind
from advisor.tune.search.drift import drift_of
from advisor.tune.search.scoring import Score, score, violation_of
from advisor.tune.space.encoding import identity

UNSTABLE = 0.26  # spread of the logs of repeats: the highest is 30 % above the lowest


@record
class ScoredTrial:
    """One trial with its score; `value` has the drift removed, None where nothing was measured."""

    trial: Trial
    score: Score
    value: float | None


@record
class Candidate:
    """One configuration and everything measured of it. `values`: logs of sustained rates, truncated left out.

    `violation` is above 0 where the repeats violate a constraint. `clones`: where `values` were measured.
    """

    settings: Settings
    values: tuple[float, ...]
    violation: float
    failed: bool
    clones: tuple[str, ...] = ("",)

    @property
    def mean(self) -> float:
        """Its value: the mean of its measurements, the lowest of them when they are far apart."""
        return min(self.values) if self.unstable else sum(self.values) / len(self.values)

    @property
    def unstable(self) -> bool:
        """Whether its measurements are far apart."""
        return max(self.values) - min(self.values) >= UNSTABLE

    @property
    def feasible(self) -> bool:
        """Whether it never failed, no run was beyond a limit, and their mean keeps the margin."""
        return bool(self.values) and not self.failed and self.violation <= 0


def scored_trials(trials: Sequence[Trial], lag_bound_ms: float) -> list[ScoredTrial]:
    """Every valid trial with its score; the drift of its clone, and the clone's distance from the mean, removed.

    The baseline, which runs on every clone again and again, shows both.
    """
    scores = [(trial, score(trial.outcome, lag_bound_ms)) for trial in trials if not trial.outcome.fault]
    baselines: dict[str, list[tuple[float, float]]] = {}
    for trial, result in scores:
        if trial.task.kind is TrialKind.BASELINE and result.value is not None:
            baselines.setdefault(trial.clone, []).append((trial.at_seconds, result.value))
    drifts = {clone: drift_of(baseline) for clone, baseline in baselines.items()}
    offsets = _offsets({clone: sum(value for _, value in runs) / len(runs) for clone, runs in baselines.items()})

    def corrected(trial: Trial, value: float) -> float:
        drift = drifts.get(trial.clone)
        return value - drift(trial.at_seconds) - offsets[trial.clone] if drift else value

    return [
        ScoredTrial(trial, result, None if result.value is None else corrected(trial, result.value))
        for trial, result in scores
    ]


def _offsets(means: Mapping[str, float]) -> dict[str, float]:
    """How far each clone is from the mean of all, in log units; exactly 0 where there is only one."""
    middle = sum(means.values()) / len(means) if means else 0.0
    return {clone: mean - middle if len(means) > 1 else 0.0 for clone, mean in means.items()}


def candidates(history: Sequence[ScoredTrial]) -> list[Candidate]:
    """The configurations that were tried, in the order of their first trial."""
    groups: dict[tuple[tuple[str, str], ...], list[ScoredTrial]] = {}
    for scored in history:
        groups.setdefault(identity(scored.trial.task.settings), []).append(scored)
    return [_candidate(group) for group in groups.values()]


def _candidate(group: Sequence[ScoredTrial]) -> Candidate:
    complete = [(one.trial, one.value) for one in group if one.value is not None and not one.trial.outcome.truncated]
    return Candidate(
        settings=group[0].trial.task.settings,
        values=tuple(value for _, value in complete),
        violation=violation_of([scored.score for scored in group]),
        failed=any(scored.trial.outcome.infeasible for scored in group),
        clones=tuple(dict.fromkeys(trial.clone for trial, _ in complete)),
    )
