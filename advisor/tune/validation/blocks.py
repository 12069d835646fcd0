"""Is it better on this cluster? Finalists and the baseline in randomised blocks, each run after a fresh restart."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from advisor.model.recommendation import BASELINE, Contender, contender_label
from advisor.model.record import record
from advisor.model.tuning import Environment, Outcome, Settings, Task, TrialKind
from advisor.report.words.amounts import duration
from advisor.tune.search.scoring import log_rate, log_value, lower_is_better
from advisor.tune.state.jsonl import append_lines
from advisor.tune.validation.acceptance import compare, inverse, ratio_to
from advisor.tune.validation.finalists import RULES

_GIVEN: Final = (BASELINE, RULES)  # finalists that no search found
_REPEATS: Final = 2  # of a run that had a fault


@record
class BlockRun:
    """One run of a finalist."""

    block: int
    name: str
    outcome: Outcome


def block_orders(names: Sequence[str], blocks: int, dice: random.Random) -> list[list[str]]:
    """Who runs when: every block has every name once, in a random order."""
    return [dice.sample(list(names), len(names)) for _ in range(blocks)]


def run_blocks(
    environment: Environment,
    finalists: Mapping[str, Settings],
    blocks: int,
    path: Path,
    seed: int,
    tell: Callable[[str], None],
    stop: Callable[[], bool] = lambda: False,
) -> list[BlockRun]:
    """Every finalist once in every block; what the file at `path` already has is not measured again.

    A finalist that cannot be used is not run again. `stop` is asked before every run.
    """
    done = read_block_runs(path, finalists)
    known = {(run.block, run.name) for run in done}
    for block, names in enumerate(block_orders(list(finalists), blocks, random.Random(seed))):
        for name in names:
            if (block, name) in known or any(run.name == name and run.outcome.infeasible for run in done):
                continue
            if stop():
                return done
            outcome = _run(environment, finalists[name])
            done.append(BlockRun(block, name, outcome))
            row = {"block": block, "name": name, "settings": dict(finalists[name]), "outcome": vars(outcome)}
            append_lines(path, [row])
            tell(f"block {block + 1} of {blocks}, {contender_label(name)}: {_result(outcome)}")
    return done


def _run(environment: Environment, settings: Settings) -> Outcome:
    outcome = environment.run(Task(TrialKind.CONFIRM, settings, fresh=True), lambda windows: False)
    for _ in range(_REPEATS):
        if not outcome.fault:
            break
        outcome = environment.run(Task(TrialKind.CONFIRM, settings, fresh=True, retry_of=0), lambda windows: False)
    return outcome


def _result(outcome: Outcome) -> str:
    if outcome.windows and lower_is_better([outcome]):
        return f"latency {duration(outcome.latency_ms)}"
    if outcome.windows:
        return f"{math.exp(log_rate(outcome.windows)):.0f} tx/s"
    return outcome.infeasible or outcome.fault


def contenders(
    finalists: Mapping[str, Settings], measured: Sequence[BlockRun], blocks: int, lag_bound_ms: float
) -> list[Contender]:
    """What the blocks say of each finalist, the baseline first."""
    runs = {name: [run for run in measured if run.name == name] for name in finalists}
    known = {
        name: [math.exp(log_value(outcome)) if outcome else 0.0 for outcome in _by_block(runs[name], blocks)]
        for name in finalists
    }
    shown = inverse if lower_is_better(run.outcome for run in measured) else (lambda ratio: ratio)
    lags = {name: [run.outcome.lag_ms for run in runs[name] if run.outcome.lag_ms is not None] for name in finalists}
    others = {name: by_block for name, by_block in known.items() if name != BASELINE}
    comparisons = {verdict.name: verdict for verdict in compare(known[BASELINE], others, lags, lag_bound_ms)}
    return [
        Contender(
            name=name,
            settings=dict(settings),
            rates=tuple(
                math.exp(log_rate(outcome.windows)) if outcome else None for outcome in _by_block(runs[name], blocks)
            ),
            ratio=shown(verdict.ratio) if verdict else None,
            p_value=verdict.p_value if verdict else None,
            lag_ms=max(lags[name], default=None),
            latency_ms=_median([run.outcome.latency_ms for run in runs[name]]),
            accepted=bool(verdict and verdict.accepted and not infeasible),
            why_not=infeasible or (verdict.why_not if verdict else ""),
            against_rules=shown(ratio_to(known[RULES], known[name])) if RULES in known and name not in _GIVEN else None,
            latencies_ms=tuple(outcome.latency_ms if outcome else None for outcome in _by_block(runs[name], blocks)),
        )
        for name, settings in finalists.items()
        for verdict in (comparisons.get(name),)
        for infeasible in (next((run.outcome.infeasible for run in runs[name] if run.outcome.infeasible), ""),)
    ]


def _by_block(runs: Sequence[BlockRun], blocks: int) -> list[Outcome | None]:
    """What each block measured, None where that is nothing."""
    outcomes: list[Outcome | None] = [None] * blocks
    for run in runs:
        if run.outcome.windows and run.block < blocks:
            outcomes[run.block] = run.outcome
    return outcomes


def _median(values: Sequence[float | None]) -> float | None:
    known = sorted(value for value in values if value is not None)
    return known[len(known) // 2] if known else None


def read_block_runs(path: Path, finalists: Mapping[str, Settings]) -> list[BlockRun]:
    """What was measured of these very configurations; a torn line, or one of something else, is passed over."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return []
    runs = []
    for line in lines[:-1]:
        try:
            row: dict[str, Any] = json.loads(line)
            if finalists.get(row["name"]) == row["settings"]:
                outcome = Outcome(**{**row["outcome"], "windows": tuple(row["outcome"]["windows"])})
                runs.append(BlockRun(row["block"], row["name"], outcome))
        except (ValueError, KeyError, TypeError):
            continue
    return runs
