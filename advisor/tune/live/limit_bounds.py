"""Which bounds do the limits get that were not stated? What the watched traffic has, and something more."""

from __future__ import annotations

from typing import Final

from advisor.bench.statistics.bootstrap import percentile
from advisor.errors import UsageError
from advisor.model.record import replace
from advisor.tune.live.limits import Limits, State
from advisor.tune.live.traffic.figures import Figures, by_second, figures_of
from advisor.tune.live.watch import SeenTraffic
from advisor.tune.request.lag_limit import SEARCH_MARGIN

_TIMES_LATENCY: Final = 2.0
_MORE_LATENCY_MS: Final = 5.0
_MORE_FAILURES: Final = 0.01
_QUIET_SHARE: Final = 0.05
_MOST_TOUCHED: Final = 0.05  # of the readings: beyond that the traffic itself does not keep the limit


def with_bounds(limits: Limits, seen: SeenTraffic) -> Limits:
    """The limits with what was not stated, by what was seen. UsageError where the traffic itself touches one."""
    figures = figures_of(seen.readings)
    latencies = [window.commit_p95_ms for window in seen.windows if window.commit_p95_ms is not None]
    if limits.latency_ms.bound is None and latencies:
        usual = max(figures.commit_p95_ms or 0.0, percentile(latencies, 0.95))
        limits = replace(limits, latency_ms=replace(limits.latency_ms, bound=latency_bound_ms(usual)))
    if limits.errors.bound is None:
        limits = replace(limits, errors=replace(limits.errors, bound=errors_bound(figures)))
    rates = [second.commits for second in by_second(seen.readings) if second.seconds]
    quiet = percentile(rates, _QUIET_SHARE) if rates else None
    limits = replace(limits, commits_per_second=quiet)
    _refuse_touched(limits, seen)
    return limits


def _refuse_touched(limits: Limits, seen: SeenTraffic) -> None:
    """A limit that the traffic touches without us would end every turn."""
    touched: dict[str, list[str]] = {}
    for window, reading in zip(seen.windows, seen.readings, strict=True):
        for standing in limits.standings_of(window, reading):
            if standing.state is State.TOUCHED:
                touched.setdefault(standing.watched, []).append(standing.why)
    for watched, reasons in touched.items():
        if len(reasons) > _MOST_TOUCHED * len(seen.readings):
            raise UsageError(
                f"the traffic reaches a limit although nothing was changed: {reasons[-1]}",
                hint=f"set a higher limit, or tune without it: --give-up {watched}",
            )


def latency_bound_ms(watched_p95_ms: float) -> float:
    """The latency limit if none is stated: twice what the traffic has, and a few milliseconds more where it is low."""
    return max(_TIMES_LATENCY * watched_p95_ms, watched_p95_ms + _MORE_LATENCY_MS) / SEARCH_MARGIN


def errors_bound(watched: Figures) -> float:
    """The limit of failures if none is stated: a hundredth of the transactions more than the traffic has."""
    return ((watched.failed_share or 0.0) + _MORE_FAILURES) / SEARCH_MARGIN
