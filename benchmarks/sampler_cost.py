"""What does looking at a cluster cost it, and this machine? Paired intervals with and without, interleaved.

    python benchmarks/sampler_cost.py LAB [--pairs 20] [--seconds 3] [--every 1.0] [--threads 8] [--looks 200]

A load runs all the time; intervals with the sampler and without take turns (A B, B A, …), and the load generators count
what was done in each. Prints the ratio of throughput with its 95 % interval over the pairs, and the processor time of
the sampling process. Noise between intervals is far greater than one look a second can cost: with `--every 0.1` the
cost is ten times as large and can be told. Then, without load, the processor time of one look in this process and in
each server, which is exact to a few percent.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import deque
from pathlib import Path

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.measure.host import server_processes
from advisor.bench.measure.sampler import Sampler
from advisor.bench.open_cluster import OpenCluster, default_writers, open_cluster
from advisor.bench.statistics.paired_runs import order, ratio_interval
from advisor.cluster_file import read_cluster
from advisor.lab.state import read_state
from advisor.model.measurement import Load, LoadSecond, Phase

WARM_UP_SECONDS = 8.0
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    words = read_words()
    cluster = read_cluster(read_state(words.lab).cluster_path)
    with open_cluster(cluster) as opened, Sampler(opened.module, opened.nodes, lambda: None) as sampler:
        print(f"{cluster.name}: {len(opened.nodes)} members, a look every {words.every:g} s")
        if words.pairs:
            under_load(opened, sampler, words)
        without_load(opened, sampler, words.looks)


def under_load(opened: OpenCluster, sampler: Sampler, words: argparse.Namespace) -> None:
    """Pairs of intervals while a load runs."""
    load = Load("update_index", words.threads, default_writers(opened.cluster))
    dataset = prepare(opened.cluster, load, print)
    heard: deque[LoadSecond] = deque()
    done: dict[str, list[float]] = {"A": [], "B": []}
    used = 0.0
    with start_load(load, opened.cluster, dataset, heard.append) as running:
        time.sleep(WARM_UP_SECONDS)
        for turn in order(words.pairs):
            heard.clear()
            begun, cpu = time.monotonic(), time.process_time()
            if turn == "B":
                ends = begun + words.seconds
                for _ in sampler.seconds(Phase.MEASURE, words.every):
                    if time.monotonic() >= ends:
                        break
                used += time.process_time() - cpu
            else:
                time.sleep(words.seconds)
            done[turn].append(sum(row.transactions_per_second for row in heard) / max(len(heard), 1))
            running.check()
    found = ratio_interval(done["A"], done["B"])
    without, with_it = (sum(rates) / len(rates) for rates in done.values())
    print(f"{words.pairs} pairs of {words.seconds:g} s: {without:.0f} tx/s without, {with_it:.0f} tx/s with")
    print(f"throughput with / without: {found.mid:.4f} (95 %: {found.low:.4f} to {found.high:.4f})")
    print(f"the sampling process: {used / (words.pairs * words.seconds):.2%} of a processor")


def without_load(opened: OpenCluster, sampler: Sampler, looks: int) -> None:
    """The processor time of one look, here and in the servers, and how long it takes."""
    pids = [pid for found in server_processes(opened.nodes).values() for pid in found]
    sampler.begin()
    time.sleep(2)
    quiet = idle_share(pids)
    begun, cpu, servers = time.monotonic(), time.process_time(), cpu_seconds(pids)
    for _ in range(looks):
        sampler.look(Phase.MEASURE)
    took, cpu, servers = time.monotonic() - begun, time.process_time() - cpu, cpu_seconds(pids) - servers
    servers = max(servers - quiet * took, 0.0)
    print(f"one look, {looks} without load: {took / looks * 1000:.1f} ms; processor time "
          f"{cpu / looks * 1000:.2f} ms here, {servers / looks * 1000:.2f} ms in all servers")  # fmt: skip
    share = (cpu + servers) / looks / (os.cpu_count() or 1)
    print(f"once a second that is {cpu / looks:.2%} of a processor here, {share:.2%} of this machine with the servers")


def idle_share(pids: list[int]) -> float:
    """Processor seconds per second that the servers use by themselves."""
    before = cpu_seconds(pids)
    time.sleep(2)
    return (cpu_seconds(pids) - before) / 2


def cpu_seconds(pids: list[int]) -> float:
    """Processor seconds processes have used."""
    words = [Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split() for pid in pids]
    return sum(int(word[11]) + int(word[12]) for word in words) / TICKS


def read_words() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--every", type=float, default=1.0)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--looks", type=int, default=200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
