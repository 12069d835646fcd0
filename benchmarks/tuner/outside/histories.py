"""What did others measure? The tuning histories of OpAdviser (MIT), four optimisers with 200 trials each for a task.

`repo/history_task<N>_<optimiser>.json`: settings, transactions per second, state, seconds of each trial. They are
fetched by whoever runs the benchmark (NOTES.md beside this folder) and are no part of this project.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from advisor.errors import InputError
from advisor.model.record import record

OPTIMISERS = ("smac", "mbo", "ga", "ddpg")
COMMIT = "039b4e9"


@record
class Evaluation:
    """One trial of a history. `rate`: transactions per second; None where it failed, ran out of time, measured none."""

    settings: Mapping[str, str]
    rate: float | None
    seconds: float


@record
class History:
    """What one optimiser tried on a task, in its order; the first trial is the default."""

    optimiser: str
    evaluations: tuple[Evaluation, ...]


def histories_of(task: int, data: Path) -> tuple[History, ...]:
    """The four histories of a task. InputError, one line, where the folder is not that repository."""
    folder = data / "repo"
    if not folder.is_dir():
        hint = f"fetch github.com/Blairruc-pku/OpAdviser @{COMMIT} into it: benchmarks/tuner/NOTES.md has the command"
        raise InputError("the folder of --data has no repo/ with tuning histories", file=str(data), hint=hint)
    return tuple(History(name, _evaluations(folder / f"history_task{task}_{name}.json")) for name in OPTIMISERS)


def pooled(histories: Sequence[History]) -> list[Evaluation]:
    """The trials of all optimisers of a task."""
    return [evaluation for history in histories for evaluation in history.evaluations]


def _evaluations(path: Path) -> tuple[Evaluation, ...]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["data"]
    except FileNotFoundError:
        raise InputError("no such tuning history", file=str(path), hint=f"fetch @{COMMIT} whole") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"not a tuning history: {error!r}", file=str(path)) from None
    return tuple(_evaluation(row) for row in rows)


def _evaluation(row: Mapping[str, object]) -> Evaluation:
    configuration, metrics = row["configuration"], row["external_metrics"] or {}
    assert isinstance(configuration, dict)
    assert isinstance(metrics, dict)
    rate = float(metrics.get("tps", -1.0)) if row["trial_state"] == 0 else -1.0
    settings = {name: str(value) for name, value in sorted(configuration.items())}
    # A rate of -1 in a trial that "succeeded" is a load that ended without a result: nothing was measured.
    return Evaluation(settings, rate if rate > 0 else None, float(str(row["elapsed_time"])))
