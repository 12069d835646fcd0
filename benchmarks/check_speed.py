"""How long does `advisor check` take? Whole processes against a bare Python, interleaved; then many files in one.

    benchmarks/check_speed.py [FILE] [--runs 20]

Prints medians and the ratio of paired runs: a busy machine slows both of a pair, so the ratio holds still where the
milliseconds do not. The exit code is 1 when `check` takes more than the budget of 100 ms on a machine whose
bare Python takes 10 ms, that is ten times a bare Python.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
EXAMPLE = CHECKOUT / "examples/group-replication-member.cnf"
BUDGET_RATIO = 10.0


def milliseconds(command: Sequence[str]) -> float:
    """How long one run of a command takes, its start included."""
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - begin) * 1000


def paired(commands: dict[str, list[str]], runs: int) -> dict[str, list[float]]:
    """Every command `runs` times, in turns, after one run each to warm the caches."""
    for command in commands.values():
        milliseconds(command)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(milliseconds(command))
    return times


def files_per_second(file: Path, count: int) -> float:
    """Copies of one file judged per second by one process, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [shutil.copy(file, Path(folder) / f"{number}.cnf") for number in range(count)]
        command = [sys.executable, "-m", "advisor", "check", *map(str, paths), "--format", "json"]
        return count / (milliseconds(command) / 1000)


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=EXAMPLE)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--files", type=int, default=200)
    asked = parser.parse_args()
    check = [sys.executable, "-m", "advisor", "check", str(asked.file)]
    times = paired(
        {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import typer": [sys.executable, "-c", "import typer"],
            "check, release inferred": check,
            "check --server mysql-8.0.36": [*check, "--server", "mysql-8.0.36"],
        },
        asked.runs,
    )
    bare = times["python -c pass"]
    print(f"{asked.runs} interleaved runs on {asked.file.name}; median, fastest, and median ratio to a bare Python")
    for name, taken in times.items():
        ratio = statistics.median(t / b for t, b in zip(taken, bare, strict=True))
        print(f"  {name:28} {statistics.median(taken):7.1f} ms {min(taken):7.1f} ms {ratio:6.1f} x")
    print(f"  {asked.files} files in one process: {files_per_second(asked.file, asked.files):.0f} files/s")
    inferred = statistics.median(t / b for t, b in zip(times["check, release inferred"], bare, strict=True))
    return int(inferred > BUDGET_RATIO)


if __name__ == "__main__":
    sys.exit(main())
