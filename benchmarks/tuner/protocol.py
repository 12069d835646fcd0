"""How is a way of tuning judged? By the true value of what it would ship, never by what it observed.

Per surface and method: what would be shipped after 20, 40, 60 and 100 trials and after some simulated hours, as a
share of the best known; shipped configurations that break a bound; failed starts; restarts. Methods are compared on
the same surfaces, with a bootstrap interval of the mean difference over surfaces.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from advisor.model.record import record
from benchmarks.tuner.methods import METHODS
from benchmarks.tuner.surfaces import Rehearsal, best_known, surface

CHECKPOINTS = (20, 40, 60, 100)
HOURS = (2.0, 4.0)


@record
class Run:
    """One method on one surface. `values`: true sustained rates of what is shipped (0.0: none, or out of bounds)."""

    method: str
    seed: int
    values: Mapping[str, float]
    infeasible: Mapping[str, bool]
    failures: int
    restarts: int
    hours: float
    cpu_seconds: float


def run(method: str, seed: int, trials: int = CHECKPOINTS[-1]) -> Run:
    """Let a method tune a surface."""
    on = surface(seed)
    env = Rehearsal(on, seed)
    values: dict[str, float] = {}
    infeasible: dict[str, bool] = {}
    began = time.process_time()
    shipped, late = None, [hour * 3600 for hour in HOURS]
    for number, now in enumerate(islice(METHODS[method](on, env, trials, seed), trials), 1):
        while late and env.seconds > late[0]:  # the trial that ran over is not counted
            _note(values, infeasible, f"{late.pop(0) / 3600:g} h", seed, shipped)
        shipped = now
        if number in CHECKPOINTS or number == trials:
            _note(values, infeasible, str(number), seed, shipped)
    for hour in late:
        _note(values, infeasible, f"{hour / 3600:g} h", seed, shipped)
    spent = time.process_time() - began
    return Run(method, seed, values, infeasible, env.failures, env.restarts, env.seconds / 3600, spent)


def _note(values: dict[str, float], infeasible: dict[str, bool], key: str, seed: int, shipped: Any) -> None:
    on = surface(seed)
    good = shipped is not None and on.feasible(shipped)
    values[key] = on.truly(shipped).sustained if good else 0.0
    infeasible[key] = shipped is not None and not good


def shares(runs: Sequence[Run]) -> dict[int, float]:
    """Seed → the best known true value, by the long search or by any method."""
    best = {one.seed: best_known(one.seed) for one in runs}
    for one in runs:
        best[one.seed] = max(best[one.seed], *one.values.values())
    return best


def table(runs: Sequence[Run]) -> str:
    """The comparison as text."""
    best = shares(runs)
    keys = list(dict.fromkeys(key for one in runs for key in one.values))
    keys = [key for key in keys if key.isdigit()] + sorted(key for key in keys if not key.isdigit())
    by_method: dict[str, dict[int, Run]] = {}
    for one in runs:
        by_method.setdefault(one.method, {})[one.seed] = one
    lines = ["method      " + "".join(f"{key:>7}" for key in keys) + "   broken  failed  restarts   CPU s"]
    for method, of in by_method.items():
        means = [sum(of[seed].values[key] / best[seed] for seed in of) / len(of) for key in keys]
        broken = sum(sum(one.infeasible.values()) for one in of.values())
        failed, restarts, cpu = (
            sum(getattr(one, name) for one in of.values()) / len(of) for name in ("failures", "restarts", "cpu_seconds")
        )
        cells = "".join(f"{mean:7.3f}" for mean in means)
        lines.append(f"{method:<12}{cells}{broken:9d}{failed:8.1f}{restarts:10.1f}{cpu:8.1f}")
    if "ours" in by_method:
        lines += ["", "ours ahead of (mean difference, 95 % interval over surfaces)"]
        lines += [
            _ahead(by_method["ours"], of, method, keys, best) for method, of in by_method.items() if method != "ours"
        ]
    return "\n".join(lines)


def _ahead(
    one: Mapping[int, Run], other: Mapping[int, Run], name: str, keys: Sequence[str], best: Mapping[int, float]
) -> str:
    cells = []
    common = [seed for seed in one if seed in other]
    for key in keys:
        gaps = [(one[seed].values[key] - other[seed].values[key]) / best[seed] for seed in common]
        low, high = interval(gaps)
        cells.append(f"{key}: {sum(gaps) / len(gaps):+.3f} [{low:+.3f}, {high:+.3f}]")
    return f"  {name:<11}" + "  ".join(cells)


def interval(gaps: Sequence[float], draws: int = 4000) -> tuple[float, float]:
    """The 95 % percentile interval of the mean, by drawing surfaces with replacement."""
    dice = random.Random(1)
    means = sorted(sum(dice.choices(gaps, k=len(gaps))) / len(gaps) for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws) - 1]
