"""`python -m benchmarks.tuner`: compare ways to tune. Runs are kept in a file; methods can be run apart."""

from __future__ import annotations

import argparse
import json
import os
import sys

from benchmarks.tuner.methods import METHODS
from benchmarks.tuner.protocol import CHECKPOINTS, Run, run, table


def main() -> None:
    """Run what is asked for and not kept yet, then print the table of all that is kept."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.tuner", description=__doc__)
    words.add_argument("--methods", default=",".join(name for name in METHODS if name != "GP"), help="comma-separated")
    words.add_argument("--seeds", default="0-19", help="surfaces, FIRST-LAST")
    words.add_argument("--trials", type=int, default=CHECKPOINTS[-1])
    words.add_argument("--keep", default="", help="a file of runs, added to")
    words.add_argument("--again", action="store_true", help="run even what is kept")
    asked = words.parse_args()
    first, _, last = asked.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    kept = _read(asked.keep)
    for method in [name for name in asked.methods.split(",") if name]:
        for seed in seeds:
            if asked.again or (method, seed) not in kept:
                kept[method, seed] = one = run(method, seed, asked.trials)
                print(f"{method} on surface {seed}: {one.cpu_seconds:.1f} s", file=sys.stderr)
                _write(asked.keep, kept)
    print(table([one for (_, seed), one in kept.items() if seed in seeds]))


def _read(path: str) -> dict[tuple[str, int], Run]:
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as stream:
        return {(row["method"], row["seed"]): Run(**row) for row in map(json.loads, stream)}


def _write(path: str, kept: dict[tuple[str, int], Run]) -> None:
    if path:
        with open(path, "w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(vars(one)) + "\n" for one in kept.values())


if __name__ == "__main__":
    main()
