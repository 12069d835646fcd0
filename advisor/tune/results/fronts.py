"""What does a higher rate cost in CPU time and in recovery time? The configurations that none other beats in both.

From the trials there are; the search looked for the rate alone, so a cheaper configuration may exist that it never
tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.recommendation import Contender, Front, FrontCost, FrontPoint
from advisor.tune.results.measured import MeasuredConfiguration, accepted_lags, measured_configurations
from advisor.tune.search.gain_thresholds import WORTH_A_RUN
from advisor.tune.search.scored_trials import ScoredTrial
from advisor.tune.space.encoding import identity

_COSTS: Final[dict[FrontCost, Callable[[MeasuredConfiguration], float | None]]] = {
    FrontCost.CPU_MS: lambda each: each.cpu_ms,
    FrontCost.REDO_BYTES: lambda each: each.redo_bytes,
}
_UNKNOWN: Final = {
    FrontCost.CPU_MS: "the servers run on other machines, where their CPU time was not read. To find out, run "
    "`advisor` on the machine that runs the servers",
    FrontCost.REDO_BYTES: "the servers do not report how much redo they wrote since the last checkpoint. To find "
    "out, grant PROCESS to the account",
}
_NEVER_CRASHED: Final = (
    "no server was crashed. To find out, end a server of a clone with `kill -9` under this load, and time its start "
    "until it accepts connections"
)


def fronts(history: Sequence[ScoredTrial], lag_bound_ms: float, contenders: Sequence[Contender]) -> tuple[Front, ...]:
    """One front per cost, the cheapest point first; of what kept the lag limit. () where nothing did."""
    keeping = [each for each in measured_configurations(history) if each.lag_ms is None or each.lag_ms <= lag_bound_ms]
    if not keeping:
        return ()
    proved = accepted_lags(contenders)
    found = []
    for cost, of in _COSTS.items():
        priced = [(price, each) for each in keeping if (price := of(each)) is not None]
        points = tuple(
            FrontPoint(
                each.number, each.rate, price, len(each.trials), identity(each.settings) in proved, each.latency_ms
            )
            for price, each in _unbeaten(priced)
        )
        found.append(Front(cost, points, "" if points else _UNKNOWN[cost]))
    return (*found, Front(FrontCost.RECOVERY_SECONDS, (), _NEVER_CRASHED))


def _unbeaten(priced: Sequence[tuple[float, MeasuredConfiguration]]) -> list[tuple[float, MeasuredConfiguration]]:
    """Each is better than all that cost less, by what is worth a run: less than that is noise."""
    best: list[tuple[float, MeasuredConfiguration]] = []
    for price, each in sorted(priced, key=lambda pair: (pair[0], -pair[1].value)):
        if not best or each.value > best[-1][1].value + WORTH_A_RUN:
            best.append((price, each))
    return best
