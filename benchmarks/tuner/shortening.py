"""How many changes does a shortened answer keep, what does that lose, and is the worth it tells true?

    python -m benchmarks.tuner.shortening [--seeds 0-14] [--runs 48]

On simulated clusters, whose true rates are known: a search of 60 trials, its best with written values, then `minimise`
with as many runs as it likes, or with `--runs`. Surfaces 0 to 14 were used to develop it; 500 to 519 were set apart
before, and looked at once.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from typing import Final

from advisor.model.record import record
from advisor.model.tuning import Trial
from advisor.tune.results.importance import importances
from advisor.tune.search.acquisition import propose
from advisor.tune.search.policy import StudyPlan, best_confirmed, next_task
from advisor.tune.search.scored_trials import scored_trials
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.space.round_values import with_written_values
from advisor.tune.validation.minimise import Minimised, minimise
from benchmarks.tuner.surfaces import Rehearsal, Surface, surface

TRIALS: Final = 60
_IDLE: Final = 0.01  # log units: a change that truly gives less is idle


@record
class Shortened:
    """One surface. `lost`: log units of true rate; `told` and `true` count worths whose interval holds the truth."""

    name: str
    before: int
    after: int
    idle: int
    lost: float
    told: int
    true: int
    runs: int


def main(arguments: list[str]) -> int:
    """Print a line per surface and the means; 0."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.tuner.shortening")
    words.add_argument("--seeds", default="0-14", help="surfaces, FIRST-LAST")
    words.add_argument("--runs", type=float, default=math.inf, help="how many runs the time allows")
    asked = words.parse_args(arguments)
    first, _, last = asked.seeds.partition("-")
    rows = [row for seed in range(int(first), int(last or first) + 1) if (row := shortened(seed, asked.runs))]
    for row in rows:
        print(f"{row.name:22} {row.before:3} changes, {row.after:2} left, {row.idle} idle; {row.lost:+.3f} lost; "
              f"{row.true} of {row.told} worths true; {row.runs} runs")  # fmt: skip
    count = max(1, len(rows))
    means = [sum(getattr(row, name) for row in rows) / count for name in ("before", "after", "idle", "lost", "runs")]
    print("means: {:.1f} changes, {:.1f} left, {:.2f} idle; {:+.3f} lost; {:.0f} runs".format(*means))
    print(f"worths true: {sum(row.true for row in rows)} of {sum(row.told for row in rows)}")
    return 0


def shortened(seed: int, most_runs: float) -> Shortened | None:
    """Search a surface and shorten what was found; None where nothing was confirmed."""
    on = surface(seed)
    cluster, plan = Rehearsal(on, seed), StudyPlan(on.space, on.start, (on.advice,), on.machine.lag_bound_ms, TRIALS)
    trials: list[Trial] = []
    while (task := next_task(plan, trials, propose)) is not None:
        trials.append(Trial(len(trials), task, cluster.run(task, lambda windows: False), cluster.seconds))
    best = best_confirmed(plan, trials)
    if best is None:
        return None
    winner = with_written_values(on.space, on.start, best.settings)
    shares = importances(on.space, scored_trials(trials, plan.lag_bound_ms))
    began = cluster.trials
    found = minimise(cluster, on.space, on.start, winner, shares, plan.lag_bound_ms,
                     lambda: most_runs - (cluster.trials - began))  # fmt: skip
    true = {name: log_ratio(on, found.settings, name) for name in difference(on.start, found.settings)}
    told = _judged(found, true)
    return Shortened(
        on.name, len(difference(on.start, winner)), len(true), sum(value < _IDLE for value in true.values()),
        math.log(on.truly(winner).sustained / on.truly(found.settings).sustained), len(told), sum(told),
        cluster.trials - began,
    )  # fmt: skip


def log_ratio(on: Surface, settings: Mapping[str, str], name: str) -> float:
    """What a change truly gives, in log units; infinite where no cluster keeps the limits without it."""
    without = Encoder(on.space).settle({**settings, name: on.start[name]})
    if not on.feasible(without):
        return math.inf
    return math.log(on.truly(settings).sustained / on.truly(without).sustained)


def _judged(found: Minimised, true: Mapping[str, float]) -> list[bool]:
    """For every worth that was told as a ratio, and whose truth is finite: whether its interval holds it."""
    ratios = {name: worth.ratio for name, worth in found.worth.items() if worth.ratio and math.isfinite(true[name])}
    return [
        ratio.low is not None and ratio.high is not None and ratio.low <= math.exp(true[name]) <= ratio.high
        for name, ratio in ratios.items()
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
