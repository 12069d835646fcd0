"""Is it better on this cluster? Finalists and the original in random order, in blocks, each after a fresh restart."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from advisor.model.measurement import Interval
from advisor.model.recommendation import Contender
from advisor.model.record import record
from advisor.model.tuning import Environment, Outcome, Settings, Task, TrialKind
from advisor.tune.search.scoring import log_rate
from advisor.tune.state.jsonl import append_lines
from advisor.tune.validation.acceptance import compare, orders, ratio_to

BASELINE: Final = "original"
RULES: Final = "rules"  # what `check` advises, as a contender
_REPEATS: Final = 2  # of a run that had a fault


@record
class BlockRun:
    """One run of a finalist."""

    block: int
    name: str
    outcome: Outcome


def run_blocks(
    environment: Environment,
    finalists: Mapping[str, Settings],
    blocks: int,
    path: Path,
    seed: int,
    tell: Callable[[str], None],
    stop: Callable[[], bool] = lambda: False,
) -> list[BlockRun]:
    """Every finalist once in every block; what an earlier run left in the file at `path` is not measured again.

    A finalist that cannot be used is not tried again. `stop` is asked before every run.
    """
    done = read_block_runs(path, finalists)
    known = {(one.block, one.name) for one in done}
    for block, names in enumerate(orders(list(finalists), blocks, random.Random(seed))):
        for name in names:
            if (block, name) in known or any(one.name == name and one.outcome.infeasible for one in done):
                continue
            if stop():
                return done
            outcome = _run(environment, finalists[name])
            done.append(BlockRun(block, name, outcome))
            row = {"block": block, "name": name, "settings": dict(finalists[name]), "outcome": vars(outcome)}
            append_lines(path, [row])
            tell(f"block {block + 1} of {blocks}, {name}: {_said(outcome)}")
    return done


def _run(environment: Environment, settings: Settings) -> Outcome:
    outcome = environment.run(Task(TrialKind.CONFIRM, settings, fresh=True), lambda windows: False)
    for _ in range(_REPEATS):
        if not outcome.fault:
            break
        outcome = environment.run(Task(TrialKind.CONFIRM, settings, fresh=True, retry_of=0), lambda windows: False)
    return outcome


def _said(outcome: Outcome) -> str:
    if outcome.windows:
        return f"{math.exp(log_rate(outcome.windows)):.0f} tx/s"
    return outcome.infeasible or outcome.fault


def contenders(
    finalists: Mapping[str, Settings], measured: Sequence[BlockRun], blocks: int, lag_bound_ms: float
) -> list[Contender]:
    """What the blocks say of each finalist, the original first."""
    rates = {name: _rates(name, measured, blocks) for name in finalists}
    others = {name: [rate or 0.0 for rate in found] for name, found in rates.items() if name != BASELINE}
    lags = {
        name: [one.outcome.lag_ms for one in measured if one.name == name and one.outcome.lag_ms is not None]
        for name in finalists
    }
    judged = compare([rate or 0.0 for rate in rates[BASELINE]], others, lags, lag_bound_ms)
    verdicts = {one.name: one for one in judged}
    found = []
    for name, settings in finalists.items():
        verdict = verdicts.get(name)
        infeasible = next(
            (one.outcome.infeasible for one in measured if one.name == name and one.outcome.infeasible), ""
        )
        found.append(
            Contender(
                name=name,
                settings=dict(settings),
                rates=tuple(rates[name]),
                ratio=verdict.ratio if verdict else None,
                p_value=verdict.p_value if verdict else None,
                lag_ms=max(lags[name], default=None),
                latency_ms=_median([one.outcome.latency_ms for one in measured if one.name == name]),
                accepted=bool(verdict and verdict.accepted and not infeasible),
                why_not=infeasible or (verdict.why_not if verdict else ""),
                against_rules=_against_rules(name, rates),
            )
        )
    return found


def _against_rules(name: str, rates: Mapping[str, Sequence[float | None]]) -> Interval | None:
    if name in (BASELINE, RULES) or RULES not in rates:
        return None
    return ratio_to([rate or 0.0 for rate in rates[RULES]], [rate or 0.0 for rate in rates[name]])


def _rates(name: str, measured: Sequence[BlockRun], blocks: int) -> list[float | None]:
    found: list[float | None] = [None] * blocks
    for one in measured:
        if one.name == name and one.outcome.windows and one.block < blocks:
            found[one.block] = math.exp(log_rate(one.outcome.windows))
    return found


def _median(values: Sequence[float | None]) -> float | None:
    known = sorted(value for value in values if value is not None)
    return known[len(known) // 2] if known else None


def read_block_runs(path: Path, finalists: Mapping[str, Settings]) -> list[BlockRun]:
    """What was measured of these very configurations; a line that is torn, or none of ours, is passed over."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return []
    found = []
    for line in lines[:-1]:
        try:
            row: dict[str, Any] = json.loads(line)
            if finalists.get(row["name"]) == row["settings"]:
                outcome = Outcome(**{**row["outcome"], "windows": tuple(row["outcome"]["windows"])})
                found.append(BlockRun(row["block"], row["name"], outcome))
        except (ValueError, KeyError, TypeError):
            continue
    return found
