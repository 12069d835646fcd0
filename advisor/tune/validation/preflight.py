"""Which gain can this tuning run detect? Repeated runs of the baseline (A/A) show it, before anything is tried.

They are the first runs of the study, so none is wasted; and `why` observes the cluster under the same load and suggests
configurations to try.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_file
from advisor.model.recommendation import SMALL_GAIN, Preflight
from advisor.model.record import replace
from advisor.model.tuning import Objective, Trial, TrialKind
from advisor.report.words.amounts import duration
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import run_seconds, search_seconds, validation_seconds
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.validation.acceptance import FEWEST_BLOCKS
from advisor.tune.validation.noise import FEWEST_RUNS, detectable_gain, largest_spread, noise_of, repeats_for
from advisor.tune.validation.why_advice import AROUND_SECONDS, LOOK_SECONDS, SuggestedConfiguration
from advisor.units import show

SHARE: Final = 0.15  # of the time, at most, for all of this
SHARE_OF_SEARCH: Final = 1 / 3  # a short tuning run needs its time for the search; validation has repeated runs too
_LOOK_SHARE: Final = 0.05
_MOST_RUNS: Final = 6  # with six, the spread is known to a factor of 2.9 upwards; more cost what the search needs
_HOPED: Final = 0.10  # the gain that people start a tuning run for
_FEW_TRIALS: Final = 20  # docs/tuning.md: with twenty, .80 of the best known is found, with sixty .93
_FILE: Final = "preflight.json"


def reference_runs(request: Request, trials: Sequence[Trial]) -> int:
    """How often the baseline is run before anything else: as time allows; 1 where it does not."""
    if not request.preflight:
        return 1
    look = _look_seconds(request, trials) if has_time_to_look(request, trials) else 0.0
    share = SHARE * _all_seconds(request, trials)
    if request.for_seconds:
        share = min(share, SHARE_OF_SEARCH * search_seconds(request, trials))
    runs = int((share - look) / run_seconds(request, trials, fresh=True))
    return min(runs, _MOST_RUNS) if runs >= FEWEST_RUNS else 1


def has_time_to_look(request: Request, trials: Sequence[Trial]) -> bool:
    """Whether asking `why` takes a small part of the time."""
    return request.preflight and _look_seconds(request, trials) <= _LOOK_SHARE * _all_seconds(request, trials)


def _look_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """As a trial, measured for a shorter time: where members lag, most of it is waiting until they have caught up."""
    besides = run_seconds(request, trials, fresh=any(trial.outcome.windows for trial in trials)) - request.seconds
    return LOOK_SECONDS + AROUND_SECONDS + max(0.0, besides)


def _all_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """The time given, or what the trials asked for will take."""
    asked = request.trials * run_seconds(request, trials, fresh=True) or math.inf
    return min(request.for_seconds or math.inf, asked)


def reference_trials(trials: Sequence[Trial]) -> list[Trial]:
    """The runs of the baseline that the study began with; faults left out."""
    valid = [trial for trial in trials if not trial.outcome.fault]
    return list(takewhile(lambda trial: trial.task.kind is TrialKind.BASELINE, valid))


def preflight_of(
    request: Request, trials: Sequence[Trial], suggested: Sequence[SuggestedConfiguration] = ()
) -> Preflight:
    """What the first runs of the baseline show."""
    runs = [trial for trial in reference_trials(trials) if trial.outcome.windows]
    noise = noise_of(runs)
    rates = [log_rate(trial.outcome.windows) for trial in runs]
    blocks = request.blocks
    preflight = Preflight(
        runs=len(runs),
        rate=math.exp(sum(rates) / len(rates)) if rates else None,
        outside=sum(not score(trial.outcome, request.lag_bound_ms).feasible for trial in runs),
        between=noise.runs if noise else None,
        within=noise.windows if noise else None,
        drift_per_hour=noise.drift_per_hour if noise else None,
        drift_uncertain_by=noise.drift_uncertain_by if noise else None,
        blocks=blocks,
        detectable=detectable_gain(noise.runs, blocks) if noise and blocks else None,
        detectable_at_worst=detectable_gain(largest_spread(noise), blocks) if noise and blocks else None,
        blocks_for_small=repeats_for(SMALL_GAIN, noise.runs) if noise else None,
        latency_ms=_mean_latency_ms(runs) if request.objective == Objective.LATENCY else None,
        advised=tuple(configuration.because for configuration in suggested),
    )
    return replace(preflight, doubts=tuple(_doubts(preflight, request, trials)))


def _mean_latency_ms(runs: Sequence[Trial]) -> float | None:
    """The geometric mean."""
    logs = [math.log(run.outcome.latency_ms) for run in runs if run.outcome.latency_ms]
    return math.exp(sum(logs) / len(logs)) if logs else None


def _doubts(preflight: Preflight, request: Request, trials: Sequence[Trial]) -> list[str]:
    """Why the tuning run may be in vain."""
    doubts = []
    if preflight.outside:
        doubts.append(
            f"in {preflight.outside} of {preflight.runs} runs the baseline already violated the lag limit of "
            f"{duration(request.lag_bound_ms)} or its backlog grew. Gains are relative to the rate that the slowest "
            "member sustained. Run `advisor why` to see the bottleneck."
        )
    if request.blocks < FEWEST_BLOCKS:
        doubts.append(
            f"with {show(request.blocks, 'blocks')} no gain can be accepted; give --blocks {FEWEST_BLOCKS} or more"
        )
    if preflight.between is not None and preflight.detectable is not None and preflight.detectable > _HOPED:
        blocks = repeats_for(_HOPED, preflight.between)
        minutes = validation_seconds(replace(request, blocks=blocks), trials) / 60
        doubts.append(
            f"the noise hides a gain of {_HOPED:.0%}: to detect it, give --blocks {blocks} ({minutes:.0f} min of "
            "validation) or a larger --seconds"
        )
    if request.for_seconds:
        count = search_seconds(request, trials) / run_seconds(request, trials, fresh=True)
        if count < _FEW_TRIALS:
            doubts.append(
                f"there is time for only {show(round(count), 'trials')}; fewer than {_FEW_TRIALS} seldom find the best"
            )
    return doubts


def save_advice(study: Path, suggested: Sequence[SuggestedConfiguration]) -> None:
    """Keep what `why` suggested, for the study to continue with after an interruption."""
    rows = [{"because": one.because, "settings": dict(one.settings)} for one in suggested]
    write_file(study / _FILE, json.dumps(rows, indent=1) + "\n")


def read_advice(study: Path) -> list[SuggestedConfiguration] | None:
    """What was kept; None where `why` was never asked, or its answer cannot be read."""
    try:
        rows = json.loads((study / _FILE).read_text(encoding="utf-8"))
        return [SuggestedConfiguration(row["because"], row["settings"]) for row in rows]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
