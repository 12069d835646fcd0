"""Does the winner keep what it promised when it runs for long? One run under load, far longer than any trial."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

from advisor.atomic_write import write_file
from advisor.bench.statistics.bootstrap import student_975
from advisor.model.measurement import Phase, Second
from advisor.model.recommendation import Recommendation, Soak
from advisor.model.record import record, replace
from advisor.model.tuning import Environment, Outcome, Settings, Task, TrialKind
from advisor.report.words.amounts import duration, rate
from advisor.tune.search.scoring import GROWTH
from advisor.tune.trial.outcome import interval, window_rates
from advisor.tune.validation.acceptance import WORTH_IT

_PARTS: Final = 30  # of the run: enough for a trend
_LEAST_PART_SECONDS: Final = 2.0
_REPEATS: Final = 2  # of a run that had a fault
_FILE: Final = "soak.json"


class SoakEnvironment(Protocol):
    """Whatever can run a configuration for long, and tell every second of it."""

    def measuring_for(self, seconds: float, hear: Callable[[Second], None]) -> Environment:
        """An environment whose runs measure for so long."""
        ...


@record
class ValidatedWinner:
    """What was proved in blocks: a configuration's name and settings, and the original's mean rate beside it."""

    name: str
    settings: Settings
    original_per_second: float


def run_soak(
    environment: SoakEnvironment,
    promise: ValidatedWinner,
    seconds: float,
    writers: Sequence[str],
    bound_ms: float,
    study: Path,
) -> Soak:
    """Run it, after a fresh restart; what an earlier run of the study found is not run again, a fault is."""
    if (kept := _kept(study, promise)) is not None:
        return kept
    for _ in range(1 + _REPEATS):
        seen: list[Second] = []
        task = Task(TrialKind.CONFIRM, promise.settings, fresh=True)
        outcome = environment.measuring_for(seconds, seen.append).run(task, lambda windows: False)
        found = judge_soak(promise, outcome, seen, seconds, writers, bound_ms)
        if not outcome.fault:
            break
    if not outcome.fault:
        row = {"settings": dict(promise.settings), "soak": vars(found)}
        write_file(study / _FILE, json.dumps(row, indent=1) + "\n")
    return found


def _kept(study: Path, promise: ValidatedWinner) -> Soak | None:
    """None where there is none of this configuration, or it cannot be read."""
    try:
        row = json.loads((study / _FILE).read_text(encoding="utf-8"))
        soak = Soak(**{**row["soak"], "rates": tuple(row["soak"]["rates"])})
        return soak if row["settings"] == dict(promise.settings) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def judge_soak(
    promise: ValidatedWinner, outcome: Outcome, seen: Sequence[Second], wanted_seconds: float, writers: Sequence[str],
    bound_ms: float,
) -> Soak:  # fmt: skip
    """What a run came to; a run that cannot tell is not kept: what is asked for is proof."""
    measured = [second for second in seen if second.phase is Phase.MEASURE]
    part = max(_LEAST_PART_SECONDS, wanted_seconds / _PARTS)
    rates = window_rates(seen, part, writers)
    slope, by = _trend(rates, part)
    soak = Soak(
        name=promise.name,
        seconds=sum(map(interval, measured)),
        rates=tuple(rates),
        lag_ms=outcome.lag_ms,
        backlog_slope=outcome.backlog_slope,
        error_share=_errors(measured),
        trend_per_hour=slope,
        trend_uncertain_by=by,
    )
    return replace(soak, why_not=_why_not(soak, promise, outcome, wanted_seconds, bound_ms))


def _why_not(soak: Soak, promise: ValidatedWinner, outcome: Outcome, wanted_seconds: float, bound_ms: float) -> str:
    if outcome.infeasible or outcome.fault:
        return outcome.infeasible or f"it could not be run to its end: {outcome.fault}"
    said = []
    if soak.lag_ms is not None and soak.lag_ms > bound_ms:
        said.append(f"its lag was {duration(soak.lag_ms)}, the bound is {duration(bound_ms)}")
    if soak.backlog_slope is not None and soak.backlog_slope > GROWTH:
        said.append("its backlog may grow without end")
    if soak.seconds < 0.9 * wanted_seconds:
        said.append(f"it was ended after {soak.seconds:.0f} s")
    late = soak.rates[-max(1, len(soak.rates) // 3) :]
    if not late or sum(late) / len(late) < WORTH_IT * promise.original_per_second:
        last = rate(sum(late) / len(late)) if late else "nothing"
        said.append(f"in its last third it sustained {last} tx/s, the original {rate(promise.original_per_second)}")
    return "; ".join(said)


def _errors(measured: Sequence[Second]) -> float | None:
    """The share of transactions that failed; None where nobody counted."""
    failed = sum(row.errors_per_second for second in measured for row in second.load)
    done = sum(row.transactions_per_second for second in measured for row in second.load)
    return failed / (failed + done) if failed + done > 0 else None


def _trend(rates: Sequence[float], part_seconds: float) -> tuple[float | None, float | None]:
    """The slope of the log of the rate per hour, with half its 95 % interval; None with fewer than four parts."""
    if len(rates) < 4:
        return None, None
    hours = [number * part_seconds / 3600 for number in range(len(rates))]
    values = [math.log(max(value, 0.01)) for value in rates]
    centre, middle = sum(hours) / len(hours), sum(values) / len(values)
    across = sum((hour - centre) ** 2 for hour in hours)
    slope = sum((hour - centre) * value for hour, value in zip(hours, values, strict=True)) / across
    left = [value - middle - slope * (hour - centre) for hour, value in zip(hours, values, strict=True)]
    freedom = len(left) - 2
    spread = math.sqrt(sum(value**2 for value in left) / freedom)
    return slope, student_975(freedom) * spread / math.sqrt(across)


def with_soak(found: Recommendation, soak: Soak) -> Recommendation:
    """The answer with its soak; what did not stand it is not recommended."""
    if soak.kept:
        return replace(found, soak=soak)
    because = f"{soak.name} stood the blocks and not the soak: {soak.why_not}"
    return replace(found, soak=soak, chosen="", because=because, changes=(), edges=())
