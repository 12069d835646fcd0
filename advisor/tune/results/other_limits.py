"""What would another lag limit allow? The fastest configuration of the trials that keeps it.

The search aimed at the limit it was given, so a tighter or looser one may allow more than any trial shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.recommendation import AtLimit, Contender
from advisor.model.record import record
from advisor.tune.search.history import ScoredTrial
from advisor.tune.search.scoring import BACKLOG
from advisor.tune.space.encoding import identity

LIMITS_MS: Final = (100.0, 1_000.0, 10_000.0)


@record
class _Measured:
    """One configuration: its trials, the mean rate per second, and the worst lag of its runs."""

    trials: tuple[ScoredTrial, ...]
    rate: float
    lag_ms: float


def at_other_limits(
    history: Sequence[ScoredTrial], lag_bound_ms: float, contenders: Sequence[Contender]
) -> tuple[AtLimit, ...]:
    """One row per limit, `LIMITS_MS` and that of the run, ascending; a limit that no trial kept is left out.

    Empty where no lag was measured. `proved` are configurations whose blocks were accepted and kept this limit.
    """
    measured = _configurations(history)
    accepted = {identity(each.settings): each.lag_ms for each in contenders if each.accepted}
    rows = []
    for limit_ms in sorted({*LIMITS_MS, lag_bound_ms}):
        keeping = [each for each in measured if each.lag_ms <= limit_ms]
        if keeping:
            rows.append(_row(max(keeping, key=lambda each: each.rate), limit_ms, accepted))
    return tuple(rows)


def _configurations(history: Sequence[ScoredTrial]) -> list[_Measured]:
    """Those that were measured whole, with a lag, and whose backlog does not grow without end."""
    by_settings: dict[tuple[tuple[str, str], ...], list[ScoredTrial]] = {}
    for scored in history:
        by_settings.setdefault(identity(scored.trial.task.settings), []).append(scored)
    return [found for group in by_settings.values() if (found := _measured(group))]


def _measured(group: Sequence[ScoredTrial]) -> _Measured | None:
    values = [each.value for each in group if each.value is not None and not each.trial.outcome.truncated]
    lags = [each.trial.outcome.lag_ms for each in group if each.trial.outcome.lag_ms is not None]
    if not values or not lags or any(each.score.constraints[BACKLOG] > 0 for each in group):
        return None
    return _Measured(tuple(group), math.exp(sum(values) / len(values)), max(lags))


def _row(best: _Measured, limit_ms: float, accepted: Mapping[tuple[tuple[str, str], ...], float | None]) -> AtLimit:
    first = best.trials[0].trial
    in_blocks_ms = accepted.get(identity(first.task.settings))
    proved = in_blocks_ms is not None and in_blocks_ms <= limit_ms
    return AtLimit(limit_ms, best.rate, best.lag_ms, len(best.trials), first.number, proved)
