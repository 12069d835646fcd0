"""Are copies of loads like the originals? Every shipped workload, and one of three applications, by turns with a copy.

    python -m benchmarks.load_copies FOLDER [--families mysql,mariadb] [--loads update_index,…] [--rounds 3]
        [--threads 4] [--seconds 20] [--members 2] [--warm-up 8] [--copies-only]

The original runs as if it were a user's load; meanwhile `advisor workload make --dsn` reads the binary log, digests,
counters and table definitions from the source, and makes a copy. Then original and copy run by turns, the one that
begins changes each round. FOLDER keeps every result: a run that is there is not repeated. At the end, and with
--rounds 0 alone, the table of all results is printed. With --copies-only the originals do not run by turns: fidelity
needs no quiet machine, and rates do.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from advisor.bench.load.workloads import workload_names
from advisor.cluster_file import addresses
from advisor.errors import UsageError
from advisor.lab import down, state
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from advisor.topologies import find_topology

MIXED = "three_applications"
SETTINGS = {
    Family.MYSQL: (),
    Family.MARIADB: (("log_bin", "binlog"), ("binlog_format", "ROW"), ("performance_schema", "ON")),
}
TOLERANCE = 0.15


@contextlib.contextmanager
def lab(family: Family, members: int) -> Iterator[ClusterFile]:
    """A relaxed source with its replicas, which is gone afterwards."""
    name = f"copies-{os.getpid()}"
    binary = next(each for each in find_servers() if each.family is family)
    topology = find_topology("standalone" if members == 1 else "asynchronous")[0]
    try:
        yield bring_up(
            LabRequest(topology, name, binary, members, settings=SETTINGS[family], durability="relaxed"),
            lambda line: None,
        )
    finally:
        if name in state.names():
            down.take_down(name)


def advisor(*words: str, **options: Any) -> subprocess.Popen[str]:
    """The command, started."""
    return subprocess.Popen([sys.executable, "-m", "advisor", *words], text=True, **options)


def bench(
    cluster: ClusterFile, load: str, threads: int, seconds: int, warm_up: int, result: Path
) -> subprocess.Popen[str]:
    """A run that writes its report into a file."""
    with result.open("w", encoding="utf-8") as stream, result.with_suffix(".err").open("w", encoding="utf-8") as errors:
        return advisor(
            "bench", "--cluster", cluster.path, "--workload", load, "--threads", str(threads), "--seconds",
            str(seconds), "--warm-up", f"{warm_up}:{warm_up}", "--format", "json",
            stdout=stream, stderr=errors,
        )  # fmt: skip


def make_copy(cluster: ClusterFile, load: str, options: argparse.Namespace, copy: Path) -> None:
    """Make a load of the original while that runs."""
    first = copy.with_suffix(".first.json")
    seconds = 2 * options.seconds
    running = bench(cluster, load, options.threads, seconds, options.warm_up, first)
    time.sleep(options.warm_up + 1)
    while not first.with_suffix(".err").exists() or (running.poll() is None and not _writes(cluster)):
        time.sleep(1)
    address = addresses(cluster)[cluster.members[0].name]
    dsn = f"mysql://{address.user}@localhost?socket={address.socket}"
    if not address.socket:
        dsn = f"mysql://{address.user}@{address.host}:{address.port}"
    words = ["--dsn", dsn, "--password-file", cluster.password_file, "--for", f"{seconds // 2}s", "-o", str(copy)]
    with copy.with_suffix(".txt").open("w", encoding="utf-8") as summary:
        made = advisor("workload", "make", *words, stdout=summary, stderr=subprocess.STDOUT).wait()
    running.wait()
    if made:
        raise UsageError(f"no load was made of {load}: {copy.with_suffix('.txt').read_text(encoding='utf-8')}")


def _writes(cluster: ClusterFile) -> bool:
    """Whether the load runs, so that its data set is complete."""
    from advisor.client import connect

    with connect(addresses(cluster)[cluster.members[0].name]) as session:
        before = session.pairs("SHOW GLOBAL STATUS LIKE 'Questions'")
        time.sleep(1)
        after = session.pairs("SHOW GLOBAL STATUS LIKE 'Questions'")
        sleepers = session.rows("SHOW PROCESSLIST")
    busy = int(after["Questions"]) - int(before["Questions"])
    return busy > 200 and len(sleepers) > 3


def measured(path: Path) -> dict[str, Any] | None:
    """The measurement in a report; None where the run failed."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["runs"][0]["measurement"]
        return found
    except (OSError, ValueError, LookupError):
        return None


def play(family: Family, loads: list[str], folder: Path, options: argparse.Namespace) -> None:
    """What is not in the folder yet."""
    wanted = {
        load: [
            (kind, path)
            for number in range(1, options.rounds + 1)
            for kind in (("original", "copy") if number % 2 else ("copy", "original"))
            if kind == "copy" or not options.copies_only
            if measured(path := folder / f"{load}.{kind}.{number}.json") is None
        ]
        for load in loads
    }
    if not any(wanted.values()):
        return
    with lab(family, options.members) as cluster:
        for load, runs in wanted.items():
            name = str(Path(__file__).parent / f"{MIXED}.yaml") if load == MIXED else load
            copy = folder / f"{load}.yaml"
            if runs and not copy.exists():
                make_copy(cluster, name, options, copy)
            for kind, path in runs:
                words = name if kind == "original" else str(copy)
                bench(cluster, words, options.threads, options.seconds, options.warm_up, path).wait()
                print(f"{family} {path.name}: {'done' if measured(path) else 'failed'}", flush=True)


def rows_of(family: Family, load: str, folder: Path) -> list[str]:
    """One line of the table: fidelity, and the rates of the copy divided by those of the original."""
    runs: dict[str, list[dict[str, Any]]] = {
        kind: [found for path in sorted(folder.glob(f"{load}.{kind}.*.json")) if (found := measured(path))]
        for kind in ("original", "copy")
    }
    if not runs["copy"]:
        return []
    scores = [run["fidelity"]["score"] for run in runs["copy"] if run["fidelity"]]
    score = statistics.median(scores) if scores else None
    least = 0.8 if load == MIXED else 0.9
    cells = [
        str(family), f"`{load}`", f"{len(runs['original'])} + {len(runs['copy'])}",
        "unknown" if score is None else f"{score:.2f}",
        "unknown" if score is None else "yes" if score >= least else "no",
        *_rate_cells(runs["original"], runs["copy"]),
    ]  # fmt: skip
    return [f"| {' | '.join(cells)} |"]


def _rate_cells(originals: list[dict[str, Any]], copies: list[dict[str, Any]]) -> list[str]:
    """The peak of the originals, the ratios of the copies to it, and whether these are in tolerance."""
    if not originals:
        return ["not run"] * 5
    ratios = []
    for rate in (lambda run: run["peak_per_second"], lambda run: run["sustained"][0]["per_second"]):
        ours, theirs = (statistics.median(map(rate, runs)) for runs in (copies, originals))
        ratios.append(ours / theirs)
    cpu = [_of_cpu(runs) for runs in (copies, originals)]
    peak = statistics.median(run["peak_per_second"] for run in originals)
    of_cpu = f"{cpu[0] / cpu[1]:.2f}" if cpu[0] and cpu[1] else "unknown"
    near = "yes" if all(abs(ratio - 1) <= TOLERANCE for ratio in ratios) else "no"
    return [f"{peak:,.0f}", *(f"{ratio:.2f}" for ratio in ratios), of_cpu, near]


def _of_cpu(runs: list[dict[str, Any]]) -> float | None:
    """Transactions for each second of CPU time that the writer used: other programs on the machine do not change it."""
    found = []
    for run in runs:
        share = run["host"].get(f"cpu_share:{run['members'][0]['member']}")
        if share:
            found.append(run["peak_per_second"] / (share * run["host"]["cpus"]))
    return statistics.median(found) if found else None


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--families", default="mysql,mariadb")
    parser.add_argument("--loads", default=",".join([*workload_names(), MIXED]))
    for name, default in (("rounds", 3), ("threads", 4), ("seconds", 20), ("members", 2), ("warm-up", 8)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--copies-only", action="store_true")
    options = parser.parse_args()
    lines = [
        "| family | load | runs | fidelity | enough | peak tx/s | peak ratio | sustained | per CPU second | near |",
        "|---" * 10 + "|",
    ]
    for family in map(Family, options.families.split(",")):
        folder = options.folder / str(family)
        folder.mkdir(parents=True, exist_ok=True)
        play(family, options.loads.split(","), folder, options)
        for load in options.loads.split(","):
            lines += rows_of(family, load, folder)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
