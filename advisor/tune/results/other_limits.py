"""What would another lag limit allow? The best configuration of the trials that keeps it.

The search aimed at the limit it was given, so a tighter or looser one may allow more than any trial shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.recommendation import AtLimit, Contender
from advisor.tune.results.measured import Identity, MeasuredConfiguration, accepted_lags, measured_configurations
from advisor.tune.search.scored_trials import ScoredTrial
from advisor.tune.space.encoding import identity

LIMITS_MS: Final = (100.0, 1_000.0, 10_000.0)


def at_other_limits(
    history: Sequence[ScoredTrial], lag_bound_ms: float, contenders: Sequence[Contender]
) -> tuple[AtLimit, ...]:
    """One row per limit, `LIMITS_MS` and that of the run, ascending; a limit that no trial kept is left out.

    Empty where no lag was measured. `proved` are configurations whose blocks were accepted and kept this limit.
    """
    measured, accepted = measured_configurations(history), accepted_lags(contenders)
    rows = []
    for limit_ms in sorted({*LIMITS_MS, lag_bound_ms}):
        keeping = [each for each in measured if each.lag_ms is not None and each.lag_ms <= limit_ms]
        if keeping:
            rows.append(_row(max(keeping, key=lambda each: each.value), limit_ms, accepted))
    return tuple(rows)


def _row(best: MeasuredConfiguration, limit_ms: float, accepted: Mapping[Identity, float | None]) -> AtLimit:
    in_blocks_ms = accepted.get(identity(best.settings))
    proved = in_blocks_ms is not None and in_blocks_ms <= limit_ms
    return AtLimit(
        limit_ms, best.rate, best.lag_ms or 0.0, len(best.trials), best.number, proved, latency_ms=best.latency_ms
    )
