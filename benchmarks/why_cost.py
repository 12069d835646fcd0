"""What does `advisor why` cost a server while it reads? Turns of intervals with and without, in random order.

    python -m benchmarks.why_cost KEEP.jsonl [--families mysql mariadb] [--minutes 24] [--turns 100] [--seconds 10]
                                             [--threads 8] [--relaxed] [--lists 0]
    python -m benchmarks.why_cost KEEP.jsonl --minutes 0         # only print what is kept

For each family a server is started, and a load that runs all the time. A turn has an interval of each kind, in random
order: nobody reads; counters and tables are read every second; sessions and threads ten times a second as well (what
`advisor why` does); the same with wait instruments (`--instrument`, MySQL only). Each turn is kept as a line of the
file as soon as it ends; called again, the same command goes on until there are that many turns of each family with
these options, or the time is over.

Prints the ratios to "nobody reads" with their 95 % intervals over the turns: of throughput, of the server's CPU time
per transaction, and of that with the reader's CPU time. The rate swings with everything else on the machine; CPU time
per transaction does much less. All share the machine of the lab: on a machine of its own the reader costs less. With
--lists, then the CPU time of one process list and of one whole reading without load, here and in the server.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import RunningLoad, start_load
from advisor.bench.measure.host import server_processes
from advisor.bench.open_cluster import OpenCluster, default_writers
from advisor.bench.statistics.paired_runs import ratio_interval
from advisor.client import Session, connect
from advisor.collect.gather import gather
from advisor.collect.login import Login
from advisor.collect.member.kernel_threads import KernelThreads
from advisor.collect.member.machine import pid_here
from advisor.collect.member.process_list import counted
from advisor.collect.member.reader import MemberTarget, ReadingSchedule
from advisor.collect.member.sessions import SessionSampler
from advisor.collect.targets import of_cluster_file
from advisor.errors import AdvisorError
from advisor.lab.down import take_down
from advisor.model.measurement import Interval, Load
from advisor.model.server import Family
from benchmarks.diagnosis.running_lab import running_lab
from benchmarks.diagnosis.scenarios import LabSpec

WARM_UP_SECONDS: Final = 10.0
BETWEEN_SECONDS: Final = 0.5
READ_SECONDS: Final = 10.0
NOBODY, COUNTERS, STATES, WAITS = "nobody reads", "1 Hz", "1 Hz, threads at 10 Hz", "and wait instruments"
STEPS: Final = {COUNTERS: 0.0, STATES: 0.1, WAITS: 0.1}
KINDS: Final = {Family.MYSQL: (NOBODY, COUNTERS, STATES, WAITS), Family.MARIADB: (NOBODY, COUNTERS, STATES)}

Turn = Mapping[str, Any]


def main() -> None:
    """Measure what is not yet kept, and print."""
    words = read_words()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # the lab is removed then, too
    families = [Family(name) for name in words.families]
    begun = time.monotonic()
    try:
        for count, family in enumerate(families, start=1):
            until = begun + words.minutes * 60 * count / len(families)
            if until > time.monotonic() and (words.lists or len(kept(words, family)) < words.turns):
                try:
                    measure(family, until, words)
                except AdvisorError as error:
                    print(f"{family}: {error.message}")
    except KeyboardInterrupt:
        print("interrupted")
    for family in families:
        show_turns(family, kept(words, family))


def measure(family: Family, until: float, words: argparse.Namespace) -> None:
    """Turns on a server of that family, until there are enough of them or the time is over."""
    durability = "relaxed" if words.relaxed else ""
    name = f"why-cost-{family}"
    with suppress(AdvisorError):
        take_down(name)  # what a killed run has left
    with running_lab(LabSpec(name, "standalone", family, 1, durability), name, print) as opened:
        targets = of_cluster_file(opened.cluster, Login()).members
        load = Load("update_index", words.threads, default_writers(opened.cluster))
        dataset = prepare(opened.cluster, load, print)
        with start_load(load, opened.cluster, dataset, lambda second: None) as running:
            time.sleep(WARM_UP_SECONDS)
            while time.monotonic() < until and len(kept(words, family)) < words.turns:
                turn = one_turn(opened, targets, running, KINDS[family], words.seconds)
                keep(words.keep, {"family": family, **options(words), **turn})
        if words.lists:
            without_load(opened, targets, words.lists)


def one_turn(
    opened: OpenCluster, targets: Sequence[MemberTarget], running: RunningLoad, kinds: Sequence[str], seconds: float
) -> Turn:
    """An interval of each kind."""
    found: dict[str, Mapping[str, float]] = {}
    pids = pids_of(opened)
    session = opened.nodes[0].session
    for kind in random.sample(kinds, len(kinds)):
        time.sleep(BETWEEN_SECONDS)
        before, transactions = Clocks(pids), committed(session)
        read(targets, kind, seconds)
        after = Clocks(pids)
        found[kind] = {"transactions": committed(session) - transactions, **after.since(before)}
        running.check()
    return {"began": time.time(), "intervals": found}


class Clocks:
    """The time, and the CPU seconds of the servers and of us with our children, exact to the nanosecond."""

    def __init__(self, pids: Sequence[int]) -> None:
        children = os.times()
        self.values = {
            "seconds": time.monotonic(),
            "server_cpu_seconds": cpu_seconds(pids),
            "reader_cpu_seconds": time.process_time() + children.children_user + children.children_system,
        }

    def since(self, before: Clocks) -> dict[str, float]:
        """What has passed between the two."""
        return {name: value - before.values[name] for name, value in self.values.items()}


def cpu_seconds(pids: Sequence[int]) -> float:
    """CPU seconds of processes, by the clock that Linux keeps for each (clock_getcpuclockid, its ended threads too)."""
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def pids_of(opened: OpenCluster) -> list[int]:
    """The server processes."""
    return [pid for found in server_processes(opened.nodes).values() for pid in found]


def committed(session: Session) -> int:
    """Transactions so far: each is one UPDATE."""
    return int(session.pairs("SHOW GLOBAL STATUS LIKE 'Com_update'")["Com_update"])


def read(targets: Sequence[MemberTarget], kind: str, seconds: float) -> None:
    """Let an interval pass, as whoever reads, or nobody."""
    if kind == NOBODY:
        time.sleep(seconds)
    else:
        gather(targets, ReadingSchedule(seconds, 1.0, states_every_seconds=STEPS[kind], instrument=kind == WAITS))


def keep(path: Path, turn: Turn) -> None:
    """Add a turn to the file; it is on disk afterwards."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(turn) + "\n")  # the first ends a line that an interruption has left half written
        file.flush()
        os.fsync(file.fileno())


def options(words: argparse.Namespace) -> dict[str, object]:
    """With what a turn can be compared."""
    return {"threads": words.threads, "relaxed": words.relaxed, "seconds": words.seconds}


def kept(words: argparse.Namespace, family: Family) -> list[Turn]:
    """The turns of a family with these options; what an interruption left of a line is none."""
    turns = []
    for line in words.keep.read_text(encoding="utf-8").splitlines() if words.keep.exists() else ():
        try:
            turn = json.loads(line)
        except ValueError:
            continue  # also an empty line
        if turn["family"] == family and options(words).items() <= turn.items():
            turns.append(turn)
    return turns


def show_turns(family: Family, turns: Sequence[Turn]) -> None:
    """A line for each kind; intervals in which nothing was committed are left out with their turn."""
    kinds = KINDS[family]
    usable = [turn["intervals"] for turn in turns if all(turn["intervals"][kind]["transactions"] > 0 for kind in kinds)]
    print(
        f"{family}: {len(usable)} turns" + (f", {len(turns) - len(usable)} without commits" if usable != turns else "")
    )
    if not usable:
        return
    base = figures([intervals[NOBODY] for intervals in usable])
    for kind in kinds:
        found = figures([intervals[kind] for intervals in usable])
        rate, cpu, reader = (sum(found[name]) / len(usable) for name in ("rate", "server", "reader"))
        print(f"  {kind:24} {rate:8.0f} tx/s, server {cpu * 1e6:7.1f} us of CPU per tx, reader {reader:6.2%} of a CPU")
        if kind != NOBODY:
            for name, what in (("rate", "throughput"), ("server", "server CPU per tx"), ("all", "with the reader's")):
                print(f"  {'':24} {what:18} {in_words(ratio_interval(base[name], found[name]))}")


def figures(intervals: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """What is compared, of each interval."""
    return {
        "rate": [each["transactions"] / each["seconds"] for each in intervals],
        "server": [each["server_cpu_seconds"] / each["transactions"] for each in intervals],
        "all": [(each["server_cpu_seconds"] + each["reader_cpu_seconds"]) / each["transactions"] for each in intervals],
        "reader": [each["reader_cpu_seconds"] / each["seconds"] for each in intervals],
    }


def in_words(found: Interval) -> str:
    """A ratio with its interval."""
    if found.mid is None:
        return "unknown"
    spread = f" (95 %: {found.low:.4f} to {found.high:.4f})" if found.low is not None else " (one turn: no interval)"
    return f"{found.mid:.4f}{spread}"


def without_load(opened: OpenCluster, targets: Sequence[MemberTarget], lists: int) -> None:
    """The CPU time of one process list, and of one reading of everything."""
    pids = pids_of(opened)
    time.sleep(2)
    quiet = -cpu_seconds(pids)
    time.sleep(2)
    quiet = (quiet + cpu_seconds(pids)) / 2
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
    """Print the CPU time of one."""
    here, servers = (seconds / count * 1000 for seconds in used)
    print(f"one {what}: CPU time {here:.2f} ms here, {servers:.2f} ms in the server")


def spent(pids: list[int], quiet: float, do: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds of doing it, here and in the servers beyond what they use by themselves."""
    begun, here, servers = time.monotonic(), time.process_time(), cpu_seconds(pids)
    do()
    took = time.monotonic() - begun
    return time.process_time() - here, max(0.0, cpu_seconds(pids) - servers - quiet * took)


def read_words() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("keep", type=Path)
    parser.add_argument(
        "--families", nargs="+", choices=[str(family) for family in KINDS], default=["mysql", "mariadb"]
    )
    parser.add_argument("--minutes", type=float, default=24.0)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--relaxed", action="store_true")
    parser.add_argument("--lists", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
