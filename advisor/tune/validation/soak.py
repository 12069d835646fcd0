"""Does the winner last? One run under load, far longer than any trial."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

from advisor.atomic_write import write_file
from advisor.model.measurement import Phase, Second
from advisor.model.recommendation import Recommendation, Soak
from advisor.model.record import record, replace
from advisor.model.tuning import Environment, Outcome, Settings, Task, TrialKind
from advisor.report.words.amounts import duration, rate
from advisor.tune.request.lag_limit import violation_in_soak
from advisor.tune.search.gain_thresholds import WORTH_CHANGING
from advisor.tune.search.scoring import GROWTH
from advisor.tune.trial.run_figures import window_rates
from advisor.tune.validation.noise import trend_of

_PARTS: Final = 30  # of the run: enough for a trend
_LEAST_PART_SECONDS: Final = 2.0
_FEWEST_PARTS: Final = 4  # for a trend
_LEAST_SHARE: Final = 0.9  # of the time asked for; a shorter run is not a soak test
_REPEATS: Final = 2  # of a run that had a fault
_FILE: Final = "soak.json"


class SoakEnvironment(Protocol):
    """Whatever can run a configuration for a long time and report every second of it."""

    def measuring_for(self, seconds: float, on_second: Callable[[Second], None]) -> Environment:
        """An environment whose runs measure for so long."""
        ...


@record
class ValidatedWinner:
    """What passed validation: a configuration's name and settings, and the baseline's mean rate in the same blocks.

    `baseline_latency_ms` is its latency there, None where that is not what was minimised.
    """

    name: str
    settings: Settings
    baseline_per_second: float
    baseline_latency_ms: float | None = None


def run_soak(
    environment: SoakEnvironment,
    winner: ValidatedWinner,
    seconds: float,
    writers: Sequence[str],
    lag_bound_ms: float,
    study: Path,
) -> Soak:
    """Run it, after a fresh restart; a result that the study already has is not measured again, a fault is."""
    if (kept := _kept(study, winner)) is not None:
        return kept
    for _ in range(1 + _REPEATS):
        measured: list[Second] = []
        task = Task(TrialKind.CONFIRM, winner.settings, fresh=True)
        outcome = environment.measuring_for(seconds, measured.append).run(task, lambda windows: False)
        soak = judge_soak(winner, outcome, measured, seconds, writers, lag_bound_ms)
        if not outcome.fault:
            row = {"settings": dict(winner.settings), "soak": vars(soak)}
            write_file(study / _FILE, json.dumps(row, indent=1) + "\n")
            break
    return soak


def _kept(study: Path, winner: ValidatedWinner) -> Soak | None:
    """None where there is none of this configuration, or it cannot be read."""
    try:
        row = json.loads((study / _FILE).read_text(encoding="utf-8"))
        soak = Soak(**{**row["soak"], "rates": tuple(row["soak"]["rates"])})
        return soak if row["settings"] == dict(winner.settings) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def judge_soak(
    winner: ValidatedWinner,
    outcome: Outcome,
    seconds: Sequence[Second],
    wanted_seconds: float,
    writers: Sequence[str],
    lag_bound_ms: float,
) -> Soak:
    """The result of a run; one that cannot be judged fails: the soak test asks for proof."""
    measured = [second for second in seconds if second.phase is Phase.MEASURE]
    part_seconds = max(_LEAST_PART_SECONDS, wanted_seconds / _PARTS)
    rates = window_rates(seconds, part_seconds, writers)
    slope, uncertain_by = _trend(rates, part_seconds)
    soak = Soak(
        name=winner.name,
        seconds=sum(second.interval_seconds for second in measured),
        rates=tuple(rates),
        lag_ms=outcome.lag_ms,
        backlog_slope=outcome.backlog_slope,
        error_share=_error_share(measured),
        trend_per_hour=slope,
        trend_uncertain_by=uncertain_by,
        latency_ms=outcome.latency_ms,
    )
    return replace(soak, why_not=_why_not(soak, winner, outcome, wanted_seconds, lag_bound_ms))


def _why_not(soak: Soak, winner: ValidatedWinner, outcome: Outcome, wanted_seconds: float, lag_bound_ms: float) -> str:
    if outcome.infeasible or outcome.fault:
        return outcome.infeasible or f"the run could not be completed: {outcome.fault}"
    reasons = [violation_in_soak(soak.lag_ms, lag_bound_ms)]
    if soak.backlog_slope is not None and soak.backlog_slope > GROWTH:
        reasons.append("its backlog may keep growing")
    if soak.seconds < _LEAST_SHARE * wanted_seconds:
        reasons.append(f"the run ended after {soak.seconds:.0f} s")
    last_third = soak.rates[-max(1, len(soak.rates) // 3) :]
    if not last_third:
        reasons.append("its sustained rate is unknown")
    elif winner.baseline_latency_ms is not None:
        if soak.latency_ms is None or soak.latency_ms * WORTH_CHANGING > winner.baseline_latency_ms:
            before = duration(winner.baseline_latency_ms)
            reasons.append(f"its latency was {duration(soak.latency_ms)}, that of the baseline {before}")
    elif (mean := sum(last_third) / len(last_third)) < WORTH_CHANGING * winner.baseline_per_second:
        baseline = rate(winner.baseline_per_second)
        reasons.append(f"in the last third of the run it sustained {rate(mean)} tx/s, the baseline {baseline} tx/s")
    return "; ".join(filter(None, reasons))


def _error_share(measured: Sequence[Second]) -> float | None:
    """The share of transactions that failed; None where nobody counted."""
    failed = sum(row.errors_per_second for second in measured for row in second.load)
    done = sum(row.transactions_per_second for second in measured for row in second.load)
    return failed / (failed + done) if failed + done > 0 else None


def _trend(rates: Sequence[float], part_seconds: float) -> tuple[float | None, float | None]:
    """The slope of the log of the rate per hour, with half its 95 % interval; None with too few parts."""
    if len(rates) < _FEWEST_PARTS:
        return None, None
    hours = [number * part_seconds / 3600 for number in range(len(rates))]
    trend = trend_of(hours, [math.log(max(value, 0.01)) for value in rates])
    return trend.slope, trend.uncertain_by


def with_soak(recommendation: Recommendation, soak: Soak) -> Recommendation:
    """The recommendation with its soak test; a winner that failed it is not recommended."""
    if soak.kept:
        return replace(recommendation, soak=soak)
    because = f"{soak.name} passed validation but failed the soak test: {soak.why_not}"
    return replace(recommendation, soak=soak, chosen="", because=because, changes=(), edges=())
