"""`python -m benchmarks.tuner.outside --data FOLDER`: ways to tune, on the histories of tasks that others measured.

Runs are kept in a file, so that it goes on after an interruption. Of locked tasks only totals are printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from advisor.errors import InputError
from benchmarks.tuner.methods import METHODS
from benchmarks.tuner.outside.ground import BAR, Ground, ground_of
from benchmarks.tuner.outside.histories import histories_of, pooled
from benchmarks.tuner.outside.parting import LOCKED, asked_tasks, note_look
from benchmarks.tuner.outside.protocol import Run, keep, pending, read_runs, replayed, run, table


def main() -> int:
    """Run what is asked for and not kept yet, then print the table. 2 where something is wrong with what is asked."""
    asked = _words().parse_args()
    try:
        tasks = LOCKED if asked.locked else asked_tasks(asked.tasks)
        methods = _methods(asked.methods)
        if asked.locked:
            histories_of(tasks[0], asked.data)  # a look that cannot happen is none
            what = f"methods {','.join(methods)} seeds {asked.seeds} trials {asked.trials}"
            note_look(what, datetime.now().astimezone())
        grounds = _grounds(tasks, asked.data, not asked.locked)
    except (InputError, ValueError) as error:
        print("bench-tuner-outside:", " ".join(str(error).split()), file=sys.stderr)
        return 2
    first, _, last = asked.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    kept = read_runs(asked.keep) if asked.keep else []
    for method, task, seed in pending(methods, list(grounds), seeds, asked.trials, kept):
        kept.append(one := run(method, task, grounds[task], seed, asked.trials))
        if asked.keep:
            keep(one, asked.keep)
        print(f"{method}, seed {seed}: {one.cpu_seconds:.1f} s", file=sys.stderr)
    shown = [one for one in kept if one.method in methods and one.seed in seeds and one.trials == asked.trials]
    best = {task: on.best for task, on in grounds.items()}
    print(table([*shown, *_as_recorded(grounds, asked)], best, not asked.locked))
    return 0


def _words() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(prog="python -m benchmarks.tuner.outside", description=__doc__)
    words.add_argument("--data", type=Path, required=True, help="a checkout of OpAdviser's histories")
    words.add_argument("--methods", default="", help="comma-separated; default: ours,TPE,GP,random, GP with torch only")
    words.add_argument("--tasks", default="", help="open tasks, comma-separated; default: all open ones")
    words.add_argument("--locked", action="store_true", help="the locked tasks, totals only; the look is written down")
    words.add_argument("--seeds", default="0-4", help="FIRST-LAST")
    words.add_argument("--trials", type=int, default=100)
    words.add_argument("--keep", type=Path, default=None, help="a file of runs, added to")
    return words


def _methods(text: str) -> list[str]:
    torch = find_spec("torch") is not None
    names = [name for name in text.split(",") if name] or ["ours", "TPE", *(["GP"] if torch else []), "random"]
    unknown = [name for name in names if name not in METHODS]
    if unknown:
        raise ValueError(f"--methods: unknown {unknown[0]!r}; there are {', '.join(METHODS)}")
    if "GP" in names and not torch:
        raise ValueError("--methods: GP needs torch; pip install 'advisor[gp]'")
    return names


def _grounds(tasks: Sequence[int], data: Path, told: bool) -> dict[int, Ground]:
    """Task → what is tuned on; tasks whose forest ranks held-out rows too badly are left out, and that is said."""
    grounds = {task: ground_of(task, pooled(histories_of(task, data))) for task in tasks}
    for on in grounds.values() if told else ():
        verdict = "" if on.usable else f": below {BAR}, left out"
        about = f"{on.name}: {len(on.space.knobs)} knobs, noise {on.noise:.1%}, rank correlation {on.correlation:.3f}"
        print(about + verdict)
    usable = {task: on for task, on in grounds.items() if on.usable}
    print(f"{len(usable)} of {len(grounds)} tasks; rank correlation of held-out rows at least {BAR}\n")
    return usable


def _as_recorded(grounds: dict[int, Ground], asked: argparse.Namespace) -> list[Run]:
    return [
        replayed(history, task, on, asked.trials)
        for task, on in grounds.items()
        for history in histories_of(task, asked.data)
    ]


if __name__ == "__main__":
    sys.exit(main())
