"""What can this night show? Equal runs of the configuration as it is (A/A) tell, before anything is tried.

They are the first reference runs of the study, so none is wasted; and a look at the cluster under the same load says
what `why` advises.
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
from advisor.model.tuning import Trial, TrialKind
from advisor.report.words.amounts import duration
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import proof_seconds, run_seconds, search_seconds
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.validation.acceptance import FEWEST_BLOCKS
from advisor.tune.validation.noise import FEWEST_RUNS, detectable_gain, largest_spread, noise_of, repeats_for
from advisor.tune.validation.why_advice import AROUND_SECONDS, LOOK_SECONDS, SuggestedConfiguration

SHARE: Final = 0.15  # of the time, at most, for all of this
SHARE_OF_SEARCH: Final = 1 / 3  # a short night's proof has equal runs of its own; nothing found has no proof
_LOOK_SHARE: Final = 0.05
_MOST_RUNS: Final = 6  # with six, the spread is known to a factor of 2.9 upwards; more cost what the search needs
_HOPED: Final = 0.10  # a gain that a night is begun for; one that cannot be told from noise is a night in vain
_FEW_TRIALS: Final = 20  # docs/tuning.md: with twenty, .70 of the best known is found, with sixty .93
_FILE: Final = "preflight.json"


def reference_runs(request: Request, trials: Sequence[Trial]) -> int:
    """How often the running configuration is run before anything else: as time allows; 1 where it does not."""
    if not request.preflight:
        return 1
    evidence_under_load = _look_seconds(request, trials) if has_time_to_look(request, trials) else 0.0
    ours = SHARE * _all_seconds(request, trials)
    if request.for_seconds:
        ours = min(ours, SHARE_OF_SEARCH * search_seconds(request, trials))
    runs = int((ours - evidence_under_load) / run_seconds(request, trials, fresh=True))
    return min(runs, _MOST_RUNS) if runs >= FEWEST_RUNS else 1


def has_time_to_look(request: Request, trials: Sequence[Trial]) -> bool:
    """Whether a look by `why` is a small part of the time."""
    return request.preflight and _look_seconds(request, trials) <= _LOOK_SHARE * _all_seconds(request, trials)


def _look_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """As a trial takes, measured for less long: where members lag, most of it is waiting until they are back."""
    besides = run_seconds(request, trials, fresh=any(trial.outcome.windows for trial in trials)) - request.seconds
    return LOOK_SECONDS + AROUND_SECONDS + max(0.0, besides)


def _all_seconds(request: Request, trials: Sequence[Trial]) -> float:
    """The time given, or what the trials asked for will take."""
    asked = request.trials * run_seconds(request, trials, fresh=True) or math.inf
    return min(request.for_seconds or math.inf, asked)


def reference_trials(trials: Sequence[Trial]) -> list[Trial]:
    """The runs that a study began with, of the running configuration; faults left out."""
    told = [trial for trial in trials if not trial.outcome.fault]
    return list(takewhile(lambda trial: trial.task.kind is TrialKind.BASELINE, told))


def preflight_of(
    request: Request, trials: Sequence[Trial], advised: Sequence[SuggestedConfiguration] = ()
) -> Preflight:
    """What the first runs tell."""
    first = [trial for trial in reference_trials(trials) if trial.outcome.windows]
    noise = noise_of(first)
    rates = [log_rate(trial.outcome.windows) for trial in first]
    outside = sum(not score(trial.outcome, request.lag_bound_ms).feasible for trial in first)
    shown = detectable_gain(noise.runs, request.blocks) if noise and request.blocks else None
    found = Preflight(
        runs=len(first),
        rate=math.exp(sum(rates) / len(rates)) if rates else None,
        outside=outside,
        between=noise.runs if noise else None,
        within=noise.windows if noise else None,
        drift_per_hour=noise.drift_per_hour if noise else None,
        drift_uncertain_by=noise.drift_uncertain_by if noise else None,
        blocks=request.blocks,
        detectable=shown,
        detectable_at_worst=detectable_gain(largest_spread(noise), request.blocks)
        if noise and request.blocks
        else None,
        blocks_for_small=repeats_for(SMALL_GAIN, noise.runs) if noise else None,
        advised=tuple(one.because for one in advised),
    )
    return replace(found, doubts=tuple(_doubts(found, request, trials)))


def _doubts(found: Preflight, request: Request, trials: Sequence[Trial]) -> list[str]:
    said = []
    if found.outside:
        said.append(
            f"in {found.outside} of {found.runs} runs it was outside the bounds already as it is (lag: "
            f"{duration(request.lag_bound_ms)}): what is found is compared with what its slowest member sustained; "
            "`advisor why` says what holds it"
        )
    if request.blocks < FEWEST_BLOCKS:
        said.append(f"with {request.blocks} blocks nothing is ever accepted: --blocks {FEWEST_BLOCKS} at least")
    if found.between is not None and found.detectable is not None and found.detectable > _HOPED:
        blocks = repeats_for(_HOPED, found.between)
        minutes = proof_seconds(replace(request, blocks=blocks), trials) / 60
        said.append(
            f"a gain of {_HOPED:.0%} could not be told from noise: that takes --blocks {blocks}, "
            f"{minutes:.0f} min of proof; or longer --seconds"
        )
    if request.for_seconds:
        count = search_seconds(request, trials) / run_seconds(request, trials, fresh=True)
        if count < _FEW_TRIALS:
            said.append(f"the time is short: {count:.0f} trials fit, and fewer than {_FEW_TRIALS} seldom find the best")
    return said


def save_advice(study: Path, advised: Sequence[SuggestedConfiguration]) -> None:
    """What `why` advised, for the study to go on with after it was broken off."""
    rows = [{"because": one.because, "settings": dict(one.settings)} for one in advised]
    write_file(study / _FILE, json.dumps(rows, indent=1) + "\n")


def read_advice(study: Path) -> list[SuggestedConfiguration] | None:
    """What was kept; None where the look was never made, or what it said cannot be read."""
    try:
        rows = json.loads((study / _FILE).read_text(encoding="utf-8"))
        return [SuggestedConfiguration(row["because"], row["settings"]) for row in rows]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
