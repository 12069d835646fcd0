"""How long does `advisor check` take? Whole processes against a bare Python, interleaved; then many files in one.

    benchmarks/check_speed.py [FILE] [--runs 20] [--load FOLDER] [--files 200]
    benchmarks/check_speed.py [FILE] --runs 60 --against CHECKOUT

Prints processor times (user and system) and ratios to a bare Python: on a busy machine the wall clock says nothing,
and the least of many runs is what others disturbed least. `--load` names a folder of option files, repeated until there
are `--files` of them (default: FILE alone). Caches are warm, and byte code may be written: without it every run
compiles the program anew. The exit code is 1 when a plain check takes more than seven times what a bare Python takes;
the aims are 3.7 with --server and 5.0 with releases inferred.

`--against` compares with another checkout instead: one run of each in turns, the same Python and FILE, processor time
(user and system), as other programs disturb it less than the wall clock. It prints the ratio of the medians with a 95 %
interval from 2,000 bootstrap samples of the pairs. Measured so with 60 pairs on two busy processors, against commit
576add0: 0.90 (0.86 to 0.95) with --server, 0.94 (0.89 to 0.98) with releases inferred; instructions counted by
valgrind, which other programs hardly disturb: 0.89 and 0.92.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
EXAMPLE = CHECKOUT / "examples/group-replication-member.cnf"
SERVER = "mysql-8.0.36"
MOST_RATIO = 7.0
AIM_FILES_PER_SECOND = {f"--server {SERVER}": 200, "releases inferred": 80}
BARE = "python -I -c pass"
STATED = f"check --server {SERVER}"
AIM_RATIOS = {STATED: 3.7, "check": 5.0}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def check(*words: str) -> list[str]:
    """The command line of a check."""
    return [sys.executable, "-m", "advisor", "check", *words]


def run(command: Sequence[str], checkout: Path = CHECKOUT) -> tuple[float, float]:
    """Wall and processor time of a command, its start included, in milliseconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd=checkout, env=ENVIRONMENT
    )
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, used * 1000


def interleaved(commands: dict[str, list[str]], runs: int) -> dict[str, list[float]]:
    """Processor milliseconds of every command, `runs` times in turns, after two runs each that warm the caches."""
    for command in (*commands.values(), *commands.values()):
        run(command)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            times[name].append(run(command)[1])
    return times


def show_start(file: Path, runs: int) -> float:
    """Measure and print one file in a process; the worst ratio of a plain check."""
    times = interleaved(
        {
            BARE: [sys.executable, "-I", "-c", "pass"],
            "import typer": [sys.executable, "-c", "import typer"],
            "check": check(str(file)),
            STATED: check(str(file), "--server", SERVER),
            "check --quiet (by Typer)": check(str(file), "--quiet"),
        },
        runs,
    )
    ratios = {name: min(taken) / min(times[BARE]) for name, taken in times.items()}
    print(f"{file.name}, {runs} interleaved runs: processor time, median, least, least against a bare Python's")
    for name, taken in times.items():
        aim = f" (aim {AIM_RATIOS[name]:g})" if name in AIM_RATIOS else ""
        print(f"  {name:28} {statistics.median(taken):7.1f} ms {min(taken):7.1f} ms {ratios[name]:6.1f} x{aim}")
    return max(ratios[name] for name in AIM_RATIOS)


def show_load(files: Sequence[Path], count: int) -> None:
    """Measure and print `count` files in one process: per second of one processor, and the memory of the largest run.

    Fewer files are repeated as copies, since a path that is named twice is judged once.
    """
    print(f"{count} files in one process, for a second of processor time")
    with tempfile.TemporaryDirectory() as folder:
        copies = [shutil.copy(file, Path(folder) / f"{at}.cnf") for at, file in enumerate(islice(cycle(files), count))]
        for name, words in ((f"--server {SERVER}", ["--server", SERVER]), ("releases inferred", [])):
            _, used = run(check(*map(str, copies), *words))
            print(f"  {name:28} {count / used * 1000:7.0f} files/s (aim {AIM_FILES_PER_SECOND[name]})")
    mebibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  {'most memory of a run':28} {mebibytes:7.0f} MiB")


def show_against(file: Path, other: Path, runs: int) -> None:
    """Measure and print pairs of runs, of this checkout and another one."""
    print(f"{file.name}, {runs} pairs: processor time of this checkout over that of {other.name}, 95 % interval")
    for name, words in ((f"check --server {SERVER}", ["--server", SERVER]), ("check", [])):
        command = check(str(file), *words)
        for place in (CHECKOUT, other) * 2:
            run(command, place)  # warms the caches
        pairs = [(run(command)[1], run(command, other)[1]) for _ in range(runs)]
        ratios = sorted(ratio_of_medians(random.choices(pairs, k=runs)) for _ in range(2000))
        print(f"  {name:28} {ratio_of_medians(pairs):.3f} ({ratios[50]:.3f} to {ratios[1949]:.3f})")


def ratio_of_medians(pairs: Sequence[tuple[float, float]]) -> float:
    """The median of the first of each pair over that of the second."""
    ours, theirs = zip(*pairs, strict=True)
    return statistics.median(ours) / statistics.median(theirs)


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=EXAMPLE)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--load", type=Path)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--against", type=Path)
    asked = parser.parse_args()
    if asked.against:
        show_against(asked.file.resolve(), asked.against.resolve(), asked.runs)
        return 0
    worst = show_start(asked.file.resolve(), asked.runs)
    load = sorted(asked.load.resolve().glob("*.cnf")) if asked.load else [asked.file.resolve()]
    show_load(load, asked.files)
    print(f"worst plain check: {worst:.1f} x (limit {MOST_RATIO:g})")
    return int(worst > MOST_RATIO)


if __name__ == "__main__":
    sys.exit(main())
