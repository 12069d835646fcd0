"""How is a way of tuning judged on others' histories? By what the forests say its recommendation would truly give.

A share is the true rate of the recommended configuration ÷ the best that the forest gives to any row that was
measured. Above 1 a forest extrapolates: such shares count as 1. Hours are the sum of the trials' seconds until what is
recommended first reaches 95 % of the best that this run ever recommends.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from advisor.model.record import record
from benchmarks.tuner.methods import METHODS, Method
from benchmarks.tuner.outside.ground import Ground, Rehearsal
from benchmarks.tuner.outside.histories import History
from benchmarks.tuner.protocol import interval

CHECKPOINTS = (20, 40, 60, 100)
OWN_BEST = 0.95
OF_HISTORY = "history "  # what the optimisers of the histories recommended, in their own order of trials


@record
class Run:
    """One method on one task. `values`: checkpoint → the true rate of what it recommends (0.0: none, or it fails)."""

    method: str
    task: int
    seed: int
    trials: int
    values: Mapping[str, float]
    failed: int
    hours: float
    cpu_seconds: float

    @property
    def key(self) -> tuple[str, int, int, int]:
        """What makes it the same run."""
        return self.method, self.task, self.seed, self.trials


def run(method: str, task: int, on: Ground, seed: int, trials: int, ways: Mapping[str, Method] = METHODS) -> Run:
    """Let a method tune a task."""
    env = Rehearsal(on, seed)
    began = time.process_time()
    curve = []
    for shipped in islice(ways[method](on, env, trials, seed), trials):
        curve.append((env.seconds, env.truth(shipped) if shipped is not None else 0.0))
    spent = time.process_time() - began
    return Run(method, task, seed, trials, _at_checkpoints(curve, trials), env.failures, hours_to_best(curve), spent)


def replayed(history: History, task: int, on: Ground, trials: int) -> Run:
    """What an optimiser of the histories would have recommended: the best it measured so far."""
    curve, best, truth, seconds = [], 0.0, 0.0, 0.0
    for evaluation in history.evaluations[:trials]:
        seconds += evaluation.seconds
        if evaluation.rate is not None and evaluation.rate > best:
            best, truth = evaluation.rate, on.rate(evaluation.settings)
        curve.append((seconds, truth))
    failed = sum(evaluation.rate is None for evaluation in history.evaluations[:trials])
    name = OF_HISTORY + history.optimiser
    return Run(name, task, 0, trials, _at_checkpoints(curve, trials), failed, hours_to_best(curve), 0.0)


def _at_checkpoints(curve: Sequence[tuple[float, float]], trials: int) -> dict[str, float]:
    return {str(number): curve[number - 1][1] for number in sorted({*CHECKPOINTS, trials}) if number <= len(curve)}


def hours_to_best(curve: Sequence[tuple[float, float]]) -> float:
    """Hours until the true rate of what is recommended is first 95 % of the highest it ever is; pairs of both."""
    goal = OWN_BEST * max(truth for _, truth in curve)
    return next(seconds for seconds, truth in curve if truth >= goal) / 3600


def read_runs(path: Path) -> list[Run]:
    """What was kept; a last line that an interruption cut is left out, and run again."""
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        try:
            kept.append(Run(**json.loads(line)))
        except ValueError:
            continue
    return kept


def pending(
    methods: Sequence[str], tasks: Sequence[int], seeds: Sequence[int], trials: int, kept: Sequence[Run]
) -> Iterator[tuple[str, int, int]]:
    """What is still to run: seeds outermost and methods innermost, so that a machine's mood meets all methods alike."""
    done = {one.key for one in kept}
    return (
        (method, task, seed)
        for seed in seeds
        for task in tasks
        for method in methods
        if (method, task, seed, trials) not in done
    )


def keep(one: Run, path: Path) -> None:
    """Add a run to the file, at once and for good; after a line that was cut, on a line of its own."""
    with path.open("a+b") as stream:
        if stream.seek(0, 2):
            stream.seek(-1, 2)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(json.dumps(vars(one)).encode() + b"\n")
        stream.flush()


def table(runs: Sequence[Run], best: Mapping[int, float], each_task: bool) -> str:
    """The comparison as text: means over tasks (each task weighs the same), task by task where that may be seen."""
    runs = [one for one in runs if one.task in best]
    if not runs:
        return "nothing was run"
    lines = _block("all tasks", runs, best)
    if each_task:
        for task in sorted({one.task for one in runs}):
            lines += ["", *_block(f"task {task}", [one for one in runs if one.task == task], best)]
    methods = dict.fromkeys(one.method for one in runs)
    if "ours" in methods:
        lines += ["", "ours ahead of (mean difference of shares, 95 % interval over tasks and seeds)"]
        lines += [_ahead(runs, name, best) for name in methods if name != "ours" and not name.startswith(OF_HISTORY)]
    return "\n".join(lines)


def share(one: Run, key: str, best: Mapping[int, float]) -> float:
    """The true rate of what it recommends at a checkpoint, as a share of the task's best, 1 at most."""
    return min(1.0, one.values[key] / best[one.task])


def _block(title: str, runs: Sequence[Run], best: Mapping[int, float]) -> list[str]:
    keys = sorted({key for one in runs for key in one.values}, key=int)
    lines = [f"{title:<16}" + "".join(f"{key:>7}" for key in keys) + "  failed  hours to 95 %  above 1   runs   CPU s"]
    for method in dict.fromkeys(one.method for one in runs):
        of = [one for one in runs if one.method == method]
        cells = "".join(f"{_over_tasks(of, lambda one, key=key: share(one, key, best), key):7.3f}" for key in keys)
        failed = _over_tasks(of, lambda one: one.failed / one.trials)
        hours, cpu = _over_tasks(of, lambda one: one.hours), _over_tasks(of, lambda one: one.cpu_seconds)
        above = sum(max(one.values.values()) > best[one.task] for one in of)
        lines.append(f"{method:<16}{cells}{failed:8.1%}{hours:15.2f}{above:9d}{len(of):7d}{cpu:8.1f}")
    return lines


def _over_tasks(runs: Sequence[Run], figure: Callable[[Run], float], key: str = "") -> float:
    """The mean over tasks of the mean over seeds; nan where no run has the checkpoint."""
    by_task: dict[int, list[float]] = {}
    for one in runs:
        if not key or key in one.values:
            by_task.setdefault(one.task, []).append(figure(one))
    means = [sum(values) / len(values) for values in by_task.values()]
    return sum(means) / len(means) if means else float("nan")


def _ahead(runs: Sequence[Run], other: str, best: Mapping[int, float]) -> str:
    by_key = {(one.method, one.task, one.seed): one for one in runs}
    pairs = [
        (one, by_key[other, one.task, one.seed])
        for one in runs
        if one.method == "ours" and (other, one.task, one.seed) in by_key
    ]
    cells = []
    for key in sorted({key for one, beside in pairs for key in {*one.values} & {*beside.values}}, key=int):
        gaps = [
            share(one, key, best) - share(beside, key, best)
            for one, beside in pairs
            if key in one.values and key in beside.values
        ]
        low, high = interval(gaps)
        cells.append(f"{key}: {sum(gaps) / len(gaps):+.3f} [{low:+.3f}, {high:+.3f}]")
    return f"  {other:<14}" + "  ".join(cells)
