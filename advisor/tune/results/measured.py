"""What did each configuration of the trials come to, over all its runs?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from advisor.model.recommendation import Contender
from advisor.model.record import record
from advisor.model.tuning import Objective, Settings
from advisor.tune.search.scored_trials import ScoredTrial
from advisor.tune.search.scoring import BACKLOG, log_rate
from advisor.tune.space.encoding import identity

Identity = tuple[tuple[str, str], ...]


@record
class MeasuredConfiguration:
    """One configuration: its trials, and over their runs what is maximised (`value`, a log), and what it costs.

    `rate` per second and `latency_ms` (None unless a low one is looked for) are geometric means, `lag_ms` and
    `redo_bytes` the worst, `cpu_ms` per transaction the mean. None: not known.
    """

    trials: tuple[ScoredTrial, ...]
    value: float
    rate: float
    latency_ms: float | None
    lag_ms: float | None
    cpu_ms: float | None
    redo_bytes: float | None

    @property
    def settings(self) -> Settings:
        """What was set."""
        return self.trials[0].trial.task.settings

    @property
    def number(self) -> int:
        """That of its first trial."""
        return self.trials[0].trial.number


def measured_configurations(history: Sequence[ScoredTrial]) -> list[MeasuredConfiguration]:
    """Those that were measured whole, and whose backlog does not grow without end."""
    by_settings: dict[Identity, list[ScoredTrial]] = {}
    for scored in history:
        by_settings.setdefault(identity(scored.trial.task.settings), []).append(scored)
    return [found for group in by_settings.values() if (found := _measured(group))]


def _measured(group: Sequence[ScoredTrial]) -> MeasuredConfiguration | None:
    whole = [(each.trial.outcome, each.value) for each in group if not each.trial.outcome.truncated]
    runs = [(outcome, value) for outcome, value in whole if value is not None]
    if not runs or any(each.score.constraints[BACKLOG] > 0 for each in group):
        return None
    outcomes = [outcome for outcome, _ in runs]
    value = sum(value for _, value in runs) / len(runs)
    low = any(outcome.objective == Objective.LATENCY for outcome in outcomes)
    rates = [log_rate(outcome.windows) for outcome in outcomes]
    lags = [each.trial.outcome.lag_ms for each in group if each.trial.outcome.lag_ms is not None]
    cpus = [outcome.cpu_ms for outcome in outcomes if outcome.cpu_ms is not None]
    return MeasuredConfiguration(
        trials=tuple(group),
        value=value,
        rate=math.exp(sum(rates) / len(rates)) if low else math.exp(value),
        latency_ms=1000 * math.exp(-value) if low else None,
        lag_ms=max(lags, default=None),
        cpu_ms=sum(cpus) / len(cpus) if cpus else None,
        redo_bytes=max((outcome.redo_bytes for outcome in outcomes if outcome.redo_bytes is not None), default=None),
    )


def accepted_lags(contenders: Sequence[Contender]) -> Mapping[Identity, float | None]:
    """The configurations that were accepted in blocks, with their worst lag there in ms."""
    return {identity(each.settings): each.lag_ms for each in contenders if each.accepted}
