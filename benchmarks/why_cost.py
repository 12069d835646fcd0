"""What does `advisor why` cost a cluster while it reads? Intervals without, at 1 Hz, at 10 Hz, and instrumented.

    python -m benchmarks.why_cost LAB [--turns 12] [--seconds 6] [--threads 8] [--lists 300]

A load runs all the time. Each turn has four intervals, in an order that alternates: nobody reads, counters and tables
are read every second, sessions and threads ten times a second as well (which is what `advisor why` does), and the same
with the wait instruments on (`--instrument`, MySQL). The load
generators count. Prints the ratios of throughput with their 95 % intervals over the turns, and the processor time of
this process. Everything shares the machine of the lab: on a machine of its own the reader costs less. Then, without
load, the processor time of one process list and of one whole reading, here and in the servers.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Callable, Sequence

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.measure.host import server_processes
from advisor.bench.open_cluster import OpenCluster, default_writers, open_cluster
from advisor.bench.statistics.paired_runs import ratio_interval
from advisor.client import Session, connect
from advisor.cluster_file import read_cluster
from advisor.collect.gather import gather
from advisor.collect.login import Login
from advisor.collect.member.kernel_threads import KernelThreads
from advisor.collect.member.machine import pid_here
from advisor.collect.member.process_list import counted
from advisor.collect.member.reader import MemberTarget, ReadingSchedule
from advisor.collect.member.sessions import SessionSampler
from advisor.collect.targets import of_cluster_file
from advisor.lab.state import read_state
from advisor.model.measurement import Load, LoadSecond
from advisor.model.server import Family
from benchmarks.sampler_cost import cpu_seconds, idle_share

WARM_UP_SECONDS = 8.0
READ_SECONDS = 10.0
NOBODY, COUNTERS, STATES, WAITS = "nobody reads", "1 Hz", "1 Hz, threads at 10 Hz", "and wait instruments on"
STEPS = {COUNTERS: 0.0, STATES: 0.1, WAITS: 0.1}


def main() -> None:
    """Measure and print."""
    words = read_words()
    cluster = read_cluster(read_state(words.lab).cluster_path)
    targets = of_cluster_file(cluster, Login()).members
    with open_cluster(cluster) as opened:
        print(f"{cluster.name}: {len(targets)} members, {words.threads} threads")
        if words.turns:
            under_load(opened, targets, words)
        without_load(opened, targets, words.lists)


def under_load(opened: OpenCluster, targets: Sequence[MemberTarget], words: argparse.Namespace) -> None:
    """Turns of four intervals while a load runs."""
    load = Load("update_index", words.threads, default_writers(opened.cluster))
    dataset = prepare(opened.cluster, load, print)
    heard: deque[LoadSecond] = deque()
    done: dict[str, list[float]] = {NOBODY: [], COUNTERS: [], STATES: [], WAITS: []}
    used = dict.fromkeys(done, 0.0)
    with start_load(load, opened.cluster, dataset, heard.append) as running:
        time.sleep(WARM_UP_SECONDS)
        for turn in range(words.turns):
            for kind in list(done) if turn % 2 else reversed(list(done)):
                begun = time.process_time()
                heard.clear()
                read(targets, kind, words.seconds)
                done[kind].append(sum(row.transactions_per_second for row in heard) / max(len(heard), 1))
                used[kind] += time.process_time() - begun
            running.check()
    print(f"{words.turns} turns of four intervals of {words.seconds:g} s")
    for kind, rates in done.items():
        mean, processor = sum(rates) / len(rates), used[kind] / (words.turns * words.seconds)
        found = ratio_interval(done[NOBODY], rates)
        ratio = f", ratio {found.mid:.4f} (95 %: {found.low:.4f} to {found.high:.4f})" if kind != NOBODY else ""
        print(f"  {kind:25} {mean:7.0f} tx/s{ratio}; this process: {processor:.1%} of a processor")


def read(targets: Sequence[MemberTarget], kind: str, seconds: float) -> None:
    """Let an interval pass, as whoever reads, or nobody."""
    if kind == NOBODY:
        time.sleep(seconds)
    else:
        gather(targets, ReadingSchedule(seconds, 1.0, states_every_seconds=STEPS[kind], instrument=kind == WAITS))


def without_load(opened: OpenCluster, targets: Sequence[MemberTarget], lists: int) -> None:
    """The processor time of one process list of one member, and of one reading of all members."""
    pids = [pid for found in server_processes(opened.nodes).values() for pid in found]
    time.sleep(2)
    quiet = idle_share(pids)
    with connect(targets[0].address) as session:
        sampler = sampler_of(session)
        show("look at the threads", lists, spent(pids, quiet, lambda: look(sampler, lists)))
    once = spent(pids, quiet, lambda: gather(targets, ReadingSchedule(READ_SECONDS, READ_SECONDS)))
    often = spent(pids, quiet, lambda: gather(targets, ReadingSchedule(READ_SECONDS, 1.0)))
    more = (READ_SECONDS - 1) * len(targets)
    show("reading of a member", 1, ((often[0] - once[0]) / more, (often[1] - once[1]) / more))


def sampler_of(session: Session) -> SessionSampler:
    """What the reader uses, on a server of this machine."""
    variables = session.pairs("SHOW GLOBAL VARIABLES")
    family = Family.MARIADB if "mariadb" in variables["version"].lower() else Family.MYSQL
    pid = pid_here(variables)
    return SessionSampler(session, family, variables, KernelThreads(pid, variables) if pid else None)


def look(sampler: SessionSampler, lists: int) -> None:
    """Sessions and threads, as they are kept."""
    for _ in range(lists):
        counted(sampler.rows())


def show(what: str, count: int, used: tuple[float, float]) -> None:
    """Print the processor time of one."""
    here, servers = (seconds / count * 1000 for seconds in used)
    print(f"one {what}: processor time {here:.2f} ms here, {servers:.2f} ms in the server")


def spent(pids: list[int], quiet: float, do: Callable[[], object]) -> tuple[float, float]:
    """Processor seconds of doing it, here and in the servers beyond what they use by themselves."""
    begun, here, servers = time.monotonic(), time.process_time(), cpu_seconds(pids)
    do()
    took = time.monotonic() - begun
    return time.process_time() - here, max(0.0, cpu_seconds(pids) - servers - quiet * took)


def read_words() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--lists", type=int, default=300)
    return parser.parse_args()


if __name__ == "__main__":
    main()
