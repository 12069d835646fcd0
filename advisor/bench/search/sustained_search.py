"""How is the highest sustained rate of a real cluster found? A closed loop for a guess, then runs at offered rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from advisor.bench.run import RunPlan
from advisor.bench.search.threshold_search import find_threshold
from advisor.bench.statistics.paired_runs import sustained_rate, worst_lag
from advisor.errors import ServerError
from advisor.model.measurement import Load, Probe, Run, Search
from advisor.model.record import replace

CLOSED_THREADS: Final = 16
_HOPELESS: Final = 3.0  # times the lag limit
_EVERY_SECONDS: Final = 0.5  # the p95 of ten lags would be their maximum
_WARM_UP: Final = (4.0, 12.0)  # at least, at most; a probe starts on a warm cluster without backlog


def find_sustained_rate(
    plan: RunPlan, measure: Callable[[RunPlan], Run], tell: Callable[[str], None], most_probes: int = 16
) -> Search:
    """Search with runs of a plan, whose threads are for the open loop. ServerError when nothing is committed."""
    closed = replace(plan.load, threads=min(plan.load.threads, CLOSED_THREADS), rate_per_second=0.0)
    # A slow member may need a minute to apply each second of this: the run ends as soon as the member falls behind.
    every = min(plan.every_seconds, _EVERY_SECONDS)
    first = measure(replace(plan, load=closed, every_seconds=every, abort_lag_ms=plan.lag_bound_ms)).measurement
    guess = sustained_rate(first) or first.peak_per_second
    if guess <= 0:
        raise ServerError("the closed loop committed nothing, so the search has no rate to start from")
    threads = f"{closed.threads} thread{'s' if closed.threads > 1 else ''}"
    tell(f"a closed loop with {threads} sustains about {guess:.0f} tx/s; up to {most_probes} probes follow")

    def probe(rate: float) -> Probe:
        measurement = measure(_at(plan, rate)).measurement
        result = Probe(
            offered_per_second=measurement.load.rate_per_second,
            committed_per_second=measurement.peak_per_second,
            inside=measurement.sustained_within_bound,
            because=measurement.sustained_because,
            lag_p95_ms=worst_lag(measurement),
        )
        verdict = {True: "sustained", False: "not sustained", None: "inconclusive"}[result.inside]
        tell(f"{result.offered_per_second:.0f} tx/s: {verdict}, {result.because}")
        return result

    return find_threshold(probe, guess, plan.lag_bound_ms, most_probes)


def _at(plan: RunPlan, rate: float) -> RunPlan:
    load: Load = replace(plan.load, rate_per_second=float(max(round(rate), len(plan.load.writers))))
    return replace(
        plan,
        load=load,
        every_seconds=min(plan.every_seconds, _EVERY_SECONDS),
        warm_up_least=_WARM_UP[0],
        warm_up_most=_WARM_UP[1],
        abort_lag_ms=_HOPELESS * plan.lag_bound_ms,
    )
