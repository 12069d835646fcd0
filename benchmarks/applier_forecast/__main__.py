"""`measure` runs, or `judge` what was foretold of them."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from advisor.errors import LabError
from advisor.lab import down
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from advisor.model.server import Family
from advisor.topologies import find_topology
from benchmarks.applier_forecast.backlog import apply_backlog
from benchmarks.applier_forecast.judge import judge
from benchmarks.applier_forecast.plan import PARTS, Block, blocks
from benchmarks.applier_forecast.runs import Run, append, runs_in


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("measure", "judge"))
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--part", choices=sorted(PARTS), default="open")
    parser.add_argument("--families", default="mysql,mariadb")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--for", dest="seconds", type=float, default=1500.0, help="begin no run after so many seconds")
    parser.add_argument(
        "--most-others", type=float, default=0.2, help="CPUs of other programs, at most, in a judged run"
    )
    given = parser.parse_args()
    if given.what == "judge":
        sys.exit(judge(given.runs, PARTS[given.part], given.most_others))
    given.runs.mkdir(parents=True, exist_ok=True)
    families = [Family(each) for each in given.families.split(",")]
    until = time.monotonic() + given.seconds
    for block in blocks(families, PARTS[given.part], given.repeats):
        if time.monotonic() > until:
            print("the time is up; the same command goes on from here")
            return
        measure(block, given.runs, until)


def measure(block: Block, folder: Path, until: float) -> None:
    """The runs of a block that are not there yet."""
    done = {run.place for run in runs_in(folder) if run.block == block.key}
    left = [(place, many) for place, many in enumerate(block.workers) if place not in done]
    if not left:
        return
    binary = next(each for each in find_servers() if each.family is block.family)
    settings = (("log_bin", "binlog"), ("binlog_format", "ROW")) if block.family is Family.MARIADB else ()
    settings += (("binlog_row_metadata", "FULL"),)
    name = f"forecast-{block.family}"
    request = LabRequest(find_topology("asynchronous")[0], name, binary, 2, settings=settings, durability="durable")
    cluster = bring_up(request, lambda line: None)
    try:
        for place, many in left:
            if time.monotonic() > until:
                return
            try:
                run = apply_backlog(cluster, block, place, many, folder)
            except LabError as error:
                print(f"{block.key} {many} workers: {error.message}", flush=True)
                continue
            append(folder, run)
            print(told(run), flush=True)
    finally:
        down.take_down(name)


def told(run: Run) -> str:
    """A run in columns."""
    kept = "relaxed" if run.relaxed else "durable"
    cpu = "".join(f"{each * 1e6:6.0f}" for each in (run.worker_cpu, run.coordinator_cpu, run.rest_cpu))
    return (
        f"{run.block:26} {kept} {run.workers:3} workers {run.transactions:6,} tx {run.per_second:7,.0f}/s,"
        f" microseconds of CPU per tx: workers, coordinator, rest{cpu}; others {run.others:.2f} CPUs"
    )


if __name__ == "__main__":
    main()
