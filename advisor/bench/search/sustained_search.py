"""How is the largest sustained rate of a real cluster found? A closed loop for a guess, then runs at offered rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from advisor.bench.run import Plan
from advisor.bench.search.threshold_search import find_sustained
from advisor.bench.statistics.paired_runs import sustained_rate, worst_lag
from advisor.errors import ServerError
from advisor.model.measurement import Load, Probe, Run, Search
from advisor.model.record import replace

CLOSED_THREADS: Final = 16
_HOPELESS: Final = 3.0  # times the bound
_EVERY_SECONDS: Final = 0.5  # a percentile of ten lags would be their maximum
_WARM_UP: Final = (4.0, 12.0)  # at least, at most; a probe begins on a cluster that is warm and has nothing to apply


def search(plan: Plan, run: Callable[[Plan], Run], tell: Callable[[str], None], most_probes: int = 16) -> Search:
    """Search with runs of a plan; its threads are those of the open loop. ServerError when nothing is committed."""
    closed = replace(plan.load, threads=min(plan.load.threads, CLOSED_THREADS), rate_per_second=0.0)
    # Behind a fast writer a slow member needs a minute for every second of this: it ends as soon as that is seen.
    every = min(plan.every_seconds, _EVERY_SECONDS)
    first = run(replace(plan, load=closed, every_seconds=every, hopeless_lag_ms=plan.lag_bound_ms)).measurement
    guess = sustained_rate(first) or first.peak_per_second
    if guess <= 0:
        raise ServerError("the closed loop committed nothing: no rate to begin the search with")
    tell(
        f"a closed loop of {closed.threads} threads sustains about {guess:.0f} tx/s; up to {most_probes} probes follow"
    )

    def probe(rate: float) -> Probe:
        measured = run(_at(plan, rate)).measurement
        found = Probe(
            offered_per_second=measured.load.rate_per_second,
            committed_per_second=measured.peak_per_second,
            inside=measured.sustained_within_bound,
            because=measured.sustained_because,
            lag_p95_ms=worst_lag(measured),
        )
        word = {True: "inside", False: "not inside", None: "cannot tell"}[found.inside]
        tell(f"{found.offered_per_second:.0f} tx/s: {word}, {found.because}")
        return found

    return find_sustained(probe, guess, plan.lag_bound_ms, most_probes)


def _at(plan: Plan, rate: float) -> Plan:
    load: Load = replace(plan.load, rate_per_second=float(max(round(rate), len(plan.load.writers))))
    return replace(
        plan,
        load=load,
        every_seconds=min(plan.every_seconds, _EVERY_SECONDS),
        warm_up_least=_WARM_UP[0],
        warm_up_most=_WARM_UP[1],
        hopeless_lag_ms=_HOPELESS * plan.lag_bound_ms,
    )
