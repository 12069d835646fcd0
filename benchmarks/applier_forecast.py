"""Do foretold catch-up rates hold? Real replicas apply backlogs with 1, 2, 4, 8 workers, each foretold from its log.

    python -m benchmarks.applier_forecast [--families mysql,mariadb] [--loads update_index,write_only]
        [--durability durable,relaxed] [--workers 1,2,4,8] [--seconds 8]

For each number of workers: the appliers of a replica stop, a load runs on the source, the appliers start, and the time
until nothing is left is measured. The foretelling gets the binary log of that load, the rates measured with one worker
that syncs and that does not, and the number of CPUs; nothing of the run that it foretells.

Five loads, parted on 2026-11-23 before the model was worked on: `update_index` and `write_only` are open, the model may
be fitted to them. `update_non_index`, `insert` (100 rows a transaction) and `conflict` (ten hot rows) are locked: their
forecasts are looked at once, when the model is fixed, and they are the score.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from advisor.bench.catch_up import catch_up
from advisor.bench.open_cluster import open_cluster
from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading
from advisor.errors import UsageError
from advisor.lab import down
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record
from advisor.model.server import Family, Role
from advisor.model.workload.appliers import Scheme, SchemeForecast
from advisor.nodes import Node
from advisor.topologies import find_topology
from advisor.workload.appliers.foretell import Assumed, foretell

CLIENTS = 16
SYNCS = 2  # of a group commit of a durable replica with a binary log
TOLERANCE = 0.25
# What the lab's replicas do: 9.7 keeps the dependencies of its log, MariaDB 10.11 applies optimistically.
SCHEME = {Family.MYSQL: Scheme.AS_WRITTEN, Family.MARIADB: Scheme.OPTIMISTIC}


@record
class Play:
    """One family, load and durability."""

    family: Family
    load: str
    durability: str


@record
class Caught:
    """What one backlog showed: the files of its log, transactions, and seconds to apply them."""

    files: tuple[str, ...]
    transactions: int
    seconds: float


def source_and_replica(nodes: list[Node]) -> tuple[Node, Node]:
    """The two members."""
    return next(n for n in nodes if n.role is Role.SOURCE), next(n for n in nodes if n.role is Role.REPLICA)


def set_workers(cluster: ClusterFile, workers: int) -> None:
    """Let the replica apply with so many workers."""
    with open_cluster(cluster) as opened:
        _, replica = source_and_replica(list(opened.nodes))
        stop, start = (
            ("STOP REPLICA", "START REPLICA") if replica.dialect.family is Family.MYSQL else ("STOP SLAVE",) * 2
        )
        start = start.replace("STOP", "START")
        replica.session.run(stop, f"SET GLOBAL {replica.dialect.workers} = {workers}", start)


def sync_seconds(cluster: ClusterFile, load: Load, seconds: float, durable_rate: float) -> float:
    """How long a sync takes: one worker catches up once more without any."""
    relaxed = ("SET GLOBAL sync_binlog = 0", "SET GLOBAL innodb_flush_log_at_trx_commit = 2")
    with open_cluster(cluster) as opened:
        source_and_replica(list(opened.nodes))[1].session.run(*relaxed)
    caught = caught_up(cluster, load, seconds)
    with open_cluster(cluster) as opened:
        durable = (each.rpartition(" ")[0] + " 1" for each in relaxed)
        source_and_replica(list(opened.nodes))[1].session.run(*durable)
    return max(1 / durable_rate - caught.seconds / caught.transactions, 0.0) / SYNCS


def new_file(cluster: ClusterFile) -> str:
    """Let the source begin a new file of its log; its path."""
    with open_cluster(cluster) as opened:
        source, _ = source_and_replica(list(opened.nodes))
        source.session.run("FLUSH BINARY LOGS")
        last = str(source.session.rows("SHOW BINARY LOGS")[-1]["Log_name"])
    member = next(member for member in cluster.members if member.role is Role.SOURCE)
    return str(Path(member.option_file).parent / "data" / last)


def caught_up(cluster: ClusterFile, load: Load, seconds: float) -> Caught:
    """A backlog of so many seconds of load, and how long the replica took for it."""
    begun: list[str] = []

    def mark(stopped: bool) -> None:
        if stopped:
            begun.append(new_file(cluster))

    found = catch_up(cluster, load, seconds, mark)
    end = new_file(cluster)
    folder = Path(end).parent
    files = sorted(str(path) for path in folder.glob(f"{Path(end).stem}.[0-9]*") if begun[0] <= str(path) < end)
    return Caught(tuple(files), found.left_behind, found.seconds)


def foretold(caught: Caught, workers: int, assumed: Assumed, scheme: Scheme) -> SchemeForecast:
    """The same backlog simulated."""
    reading = LogReading(caught.files, Wanted(keys=True))
    forecast = foretell(reading, reading.transactions(), sorted({1, workers}), assumed)
    return next(each for each in forecast.schemes if each.scheme is scheme)


def play(play: Play, workers: list[int], seconds: float) -> list[str]:
    """Every number of workers of one play; a line for each."""
    binary = next(each for each in find_servers() if each.family is play.family)
    settings = (("log_bin", "binlog"), ("binlog_format", "ROW")) if play.family is Family.MARIADB else ()
    settings += (("binlog_row_metadata", "FULL"),)
    name = f"forecast-{os.getpid()}"
    topology = find_topology("asynchronous")[0]
    request = LabRequest(topology, name, binary, 2, settings=settings, durability=play.durability)
    cluster = bring_up(request, lambda line: None)
    lines, rate, sync = [], 0.0, 0.0
    try:
        options = {"rows_per_transaction": "100"} if play.load == "insert" else {}
        load = Load(play.load, CLIENTS, ("m1",), settings=options)
        for many in workers:
            set_workers(cluster, many)
            caught = caught_up(cluster, load, seconds)
            measured = caught.transactions / caught.seconds
            if not rate:
                rate = measured
                sync = 0.0 if play.durability == "relaxed" else sync_seconds(cluster, load, seconds, measured)
            assumed = Assumed(rate, sync, SYNCS, os.cpu_count() or 1)
            lines.append(line(play, many, caught, measured, assumed))
            print(lines[-1], flush=True)
    finally:
        down.take_down(name)
    return lines


def line(play: Play, many: int, caught: Caught, measured: float, assumed: Assumed) -> str:
    """Measured and foretold, in columns."""
    begun = time.process_time()
    try:
        found = foretold(caught, many, assumed, SCHEME[play.family])
    except UsageError as error:
        return f"{play.family:8} {play.load:13} {play.durability:8} {many:3} workers {error.message} OUTSIDE"
    told = found.runs[-1].per_second
    off = told / measured - 1
    verdict = "within" if abs(off) <= TOLERANCE else "OUTSIDE"
    return (
        f"{play.family:8} {play.load:13} {play.durability:8} {many:3} workers {caught.transactions:7,} tx"
        f" {measured:8,.0f}/s measured {told:8,.0f}/s foretold {off:+6.0%} {verdict:8} {found.limit:11}"
        f" sync {assumed.sync_seconds * 1000:.2f} ms, {time.process_time() - begun:.1f} s"
    )


def main() -> None:
    """Every play, then how many runs beyond one worker were within the tolerance."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--families", default="mysql,mariadb")
    parser.add_argument("--loads", default="update_index,write_only")
    parser.add_argument("--durability", default="durable")
    parser.add_argument("--workers", default="1,2,4,8")
    parser.add_argument("--seconds", type=float, default=8.0)
    given = parser.parse_args()
    workers = [int(many) for many in given.workers.split(",")]
    if workers[0] != 1:
        sys.exit("--workers must begin with 1: its rate is what the others are foretold from")
    lines: list[str] = []
    for family in given.families.split(","):
        for durability in given.durability.split(","):
            for load in given.loads.split(","):
                lines += play(Play(Family(family), load, durability), workers, given.seconds)
    further = [each for each in lines if "   1 workers" not in each and "  1 workers" not in each]
    print(f"{sum(' within ' in each for each in further)} of {len(further)} runs with several workers within 25 %")


if __name__ == "__main__":
    main()
