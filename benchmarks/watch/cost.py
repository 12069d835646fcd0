"""What does watching cost the users? Paired intervals with the watch and without, interleaved, under full load.

    python -m benchmarks.watch.cost LAB --keep FOLDER [--pairs 30] [--seconds 10] [--threads 8]

The watch runs all the time as a process of its own; in the intervals without it, it is stopped (SIGSTOP), and so it
reads nothing. Prints the ratio of throughput with its 95 % interval, and CPU time, which is exact to a few percent:
what the watch used, and what the servers used for it when there is no other load.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.measure.host import server_processes
from advisor.bench.open_cluster import OpenCluster, default_writers, open_cluster
from advisor.bench.statistics.paired_runs import order, ratio_interval
from advisor.cluster_file import read_cluster
from advisor.lab.state import read_state
from advisor.model.measurement import Load, LoadSecond
from benchmarks.sampler_cost import cpu_seconds

WARM_UP_SECONDS = 10.0
SETTLE_SECONDS = 1.0
IDLE_SECONDS = 60.0  # a round of the watch, with its diagnosis
IDLE_PAIRS = 2


def main() -> None:
    """Measure what is missing, and print everything."""
    words = read_words()
    words.keep.mkdir(parents=True, exist_ok=True)
    cluster = read_cluster(read_state(words.lab).cluster_path)
    with open_cluster(cluster) as opened, watching(cluster.path, words.keep / "ring") as watch:
        pids = [pid for found in server_processes(opened.nodes).values() for pid in found]
        under_load(opened, watch, words)
        without_load(pids, watch, words.keep)
    tell(words.keep, words.seconds)


@contextmanager
def watching(cluster_path: str, ring: Path) -> Iterator[int]:
    """The process id of a watch."""
    command = [sys.executable, "-m", "advisor", "watch", "--cluster", cluster_path, "--ring", str(ring), "--quiet"]
    process = subprocess.Popen(command)
    try:
        time.sleep(WARM_UP_SECONDS)
        yield process.pid
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(60)


def under_load(opened: OpenCluster, watch: int, words: argparse.Namespace) -> None:
    """Pairs of intervals while a load runs; each pair is kept when it is complete."""
    done = len(kept(words.keep / "pairs.jsonl"))
    if done >= words.pairs:
        return
    load = Load("update_index", words.threads, default_writers(opened.cluster))
    dataset = prepare(opened.cluster, load, print)
    heard: deque[LoadSecond] = deque()
    with start_load(load, opened.cluster, dataset, heard.append) as running:
        time.sleep(WARM_UP_SECONDS)
        turns = order(words.pairs)[2 * done :]
        for first, second in zip(turns[::2], turns[1::2], strict=True):
            pair = {turn: interval(watch, turn, heard, words.seconds) for turn in (first, second)}
            running.check()
            keep(words.keep / "pairs.jsonl", pair)
            print(f"pair {len(kept(words.keep / 'pairs.jsonl'))}: {pair}", flush=True)


def interval(watch: int, turn: str, heard: deque[LoadSecond], seconds: float) -> dict[str, float]:
    """Throughput of one interval: A without the watch, B with it; and the CPU seconds that the watch used."""
    os.kill(watch, signal.SIGCONT if turn == "B" else signal.SIGSTOP)
    time.sleep(SETTLE_SECONDS)
    heard.clear()
    cpu = cpu_seconds([watch])
    time.sleep(seconds)
    rate = sum(row.transactions_per_second for row in heard) / max(len(heard), 1)
    return {"per_second": rate, "watch_cpu_seconds": cpu_seconds([watch]) - cpu}


def without_load(pids: list[int], watch: int, folder: Path) -> None:
    """The CPU time of the watch and of the servers for it, over whole minutes."""
    if kept(folder / "idle.jsonl"):
        return
    time.sleep(IDLE_SECONDS)  # until the servers have written what the load left
    found = {turn: {"servers": 0.0, "watch": 0.0} for turn in "AB"}
    for turn in order(IDLE_PAIRS):
        os.kill(watch, signal.SIGCONT if turn == "B" else signal.SIGSTOP)
        time.sleep(SETTLE_SECONDS)
        servers, own = cpu_seconds(pids), cpu_seconds([watch])
        time.sleep(IDLE_SECONDS)
        found[turn]["servers"] += cpu_seconds(pids) - servers
        found[turn]["watch"] += cpu_seconds([watch]) - own
    keep(folder / "idle.jsonl", found)


def tell(folder: Path, seconds: float) -> None:
    """Print what is kept."""
    pairs = kept(folder / "pairs.jsonl")
    without, with_it = ([pair[turn]["per_second"] for pair in pairs] for turn in "AB")
    found = ratio_interval(without, with_it)
    if found.mid is not None:
        print(f"{len(pairs)} pairs: {sum(without) / len(pairs):.0f} tx/s without, {sum(with_it) / len(pairs):.0f} with")
        print(f"throughput with / without: {found.mid:.4f} (95 %: {found.low or 0:.4f} to {found.high or 0:.4f})")
        used = sum(pair["B"]["watch_cpu_seconds"] for pair in pairs) / (len(pairs) * seconds)
        print(f"under load the watch uses {used:.2%} of a CPU")
    for idle in kept(folder / "idle.jsonl")[:1]:
        servers = max(0.0, idle["B"]["servers"] - idle["A"]["servers"]) / (IDLE_PAIRS * IDLE_SECONDS)
        own = idle["B"]["watch"] / (IDLE_PAIRS * IDLE_SECONDS)
        machine = (own + servers) / (os.cpu_count() or 1)
        print(f"without load: {own:.2%} of a CPU for the watch, {servers:.2%} for all servers")
        print(f"together that is {machine:.2%} of this machine with {os.cpu_count()} CPUs")


def keep(path: Path, row: dict[str, dict[str, float]]) -> None:
    """Append a row."""
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")


def kept(path: Path) -> list[dict[str, dict[str, float]]]:
    """Every row so far."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def read_words() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=8)
    return parser.parse_args()


if __name__ == "__main__":
    main()
