"""How fast does a replica apply one backlog? Made on the source while the appliers are stopped, then applied."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.errors import LabError
from advisor.lab.state import read_state
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record
from advisor.model.server import Family, Role
from advisor.nodes import Node
from advisor.topologies import ProgressMonitor
from benchmarks.applier_forecast.counters import COORDINATOR, REST, WORKER, Counted, count, thread_kinds
from benchmarks.applier_forecast.plan import Block
from benchmarks.applier_forecast.runs import Run

CLIENTS: Final = 16
_POLL_SECONDS: Final = 0.1
_LOAD_SECONDS: Final = 90.0
_PATIENCE_SECONDS: Final = 240.0
_SYNCS: Final = (
    "SELECT COALESCE(SUM(COUNT_MISC), 0) AS count, COALESCE(SUM(SUM_TIMER_MISC), 0) / 1e12 AS seconds"
    " FROM performance_schema.file_summary_by_event_name WHERE EVENT_NAME IN"
    " ('wait/io/file/sql/binlog', 'wait/io/file/innodb/innodb_log_file')"
)
_STATES: Final = (
    "SELECT COALESCE(STATE, '') AS state FROM {}"
    " WHERE USER = 'system user' AND STATE NOT LIKE '%source to send%' AND STATE NOT LIKE '%master to send%'"
)


@record
class Reading:
    """One moment of catching up."""

    backlog: int
    counted: Counted
    states: Sequence[str]


def apply_backlog(cluster: ClusterFile, block: Block, place: int, workers: int, folder: Path) -> Run:
    """Make a backlog, apply it with so many workers, and keep its log in the folder."""
    options = {"rows_per_transaction": "100"} if block.load == "insert" else {}
    load = Load(block.load, CLIENTS, ("m1",), settings=options)
    dataset = prepare(cluster, load, lambda line: None)
    with open_cluster(cluster) as opened, ProgressMonitor(opened.module, opened.nodes) as monitor:
        source, replica = source_and_replica(opened)
        _until_empty(monitor)
        stop, start = (
            ("STOP REPLICA", "START REPLICA") if block.family is Family.MYSQL else ("STOP SLAVE", "START SLAVE")
        )
        durable = int(not block.is_relaxed(place))
        replica.session.run(
            f"SET GLOBAL sync_binlog = {durable}",
            f"SET GLOBAL innodb_flush_log_at_trx_commit = {2 - durable}",
            stop,
            f"SET GLOBAL {replica.dialect.workers} = {workers}",
            f"{start} IO_THREAD",
        )  # MariaDB changes its pool only while the receiver has stopped too
        first = new_log(source)
        with start_load(load, cluster, dataset, lambda second: None) as running:
            until = time.monotonic() + _LOAD_SECONDS
            while _backlog(monitor) < block.backlog and time.monotonic() < until:
                time.sleep(_POLL_SECONDS)
                running.check()
        end = new_log(source)
        before = _status(replica)
        begun = time.monotonic()
        replica.session.run(replica.dialect.start_applier)
        readings = _readings(monitor, replica, cluster, workers)
        after = _status(replica)
    member = next(each for each in cluster.members if each.role is Role.SOURCE)
    data = Path(member.option_file).parent / "data"
    logs = _keep(data, first, end, folder, f"{block.key}-{place}") if workers > 1 else ()  # one is not foretold
    return _run(block, place, workers, begun, readings, [b - a for a, b in zip(before, after, strict=True)], logs)


def source_and_replica(opened: OpenCluster) -> tuple[Node, Node]:
    """The two members."""
    nodes = opened.nodes
    return next(n for n in nodes if n.role is Role.SOURCE), next(n for n in nodes if n.role is Role.REPLICA)


def new_log(source: Node) -> str:
    """Let the source begin a new file of its log; its name."""
    source.session.run("FLUSH BINARY LOGS")
    return str(source.session.rows("SHOW BINARY LOGS")[-1]["Log_name"])


def _readings(monitor: ProgressMonitor, replica: Node, cluster: ClusterFile, workers: int) -> list[Reading]:
    processes = read_state(cluster.name).processes
    source_pid, replica_pid = processes["m1"].pid, processes["m2"].pid
    kinds: dict[str, str] = {}
    readings: list[Reading] = []
    until = time.monotonic() + _PATIENCE_SECONDS
    while not readings or readings[-1].backlog:
        if len(kinds) < workers + 1:
            kinds = thread_kinds(replica.dialect.family, replica_pid, replica.session)
        readings.append(Reading(_backlog(monitor), count(replica_pid, source_pid, kinds), _states(replica)))
        if time.monotonic() > until:
            raise LabError(f"{cluster.name} has not caught up after {_PATIENCE_SECONDS:.0f} s")
        time.sleep(_POLL_SECONDS)
    return readings


def _run(
    block: Block, place: int, workers: int, begun: float, readings: Sequence[Reading], grown: Sequence[float],
    logs: tuple[str, ...],
) -> Run:  # fmt: skip
    most = readings[0].backlog
    under_way = [each for each in readings if 0 < each.backlog < most]
    if len(under_way) < 3:
        raise LabError(f"{block.key}: {most} transactions were applied too fast to be measured")
    first, last = under_way[0], under_way[-1]
    applied, a, b = first.backlog - last.backlog, first.counted, last.counted
    cpu = {kind: (b.ran[kind] - a.ran[kind]) / applied for kind in (WORKER, COORDINATOR, REST)}
    seconds = b.at - a.at
    return Run(
        block.key, str(block.family), block.load, block.repeat, place, workers, block.is_relaxed(place), most,
        applied / seconds, a.at - begun, cpu[WORKER], cpu[COORDINATOR], cpu[REST],
        (b.waited[WORKER] - a.waited[WORKER]) / applied,
        max(0.0, (b.busy - a.busy) - (b.own - a.own)) / seconds, os.cpu_count() or 1, *grown,
        dict(Counter(state for each in under_way for state in each.states)), logs,
    )  # fmt: skip


def _states(replica: Node) -> list[str]:
    """What the coordinator and the workers are doing."""
    table = "performance_schema.processlist"
    if replica.dialect.family is Family.MARIADB:
        table = "information_schema.PROCESSLIST"
    return [str(row["state"]) for row in replica.session.rows(_STATES.format(table))]


def _status(replica: Node) -> tuple[float, float, float, float]:
    """Group commits and retries (MariaDB), syncs and their seconds (MySQL)."""
    if replica.dialect.family is Family.MYSQL:
        row = replica.session.rows(_SYNCS)[0]
        return 0.0, 0.0, float(str(row["count"])), float(str(row["seconds"]))
    names = "'Binlog_group_commits', 'Slave_retried_transactions', 'Innodb_os_log_fsyncs'"
    rows = replica.session.rows(f"SHOW GLOBAL STATUS WHERE Variable_name IN ({names})")
    values = {str(row["Variable_name"]).lower(): float(str(row["Value"])) for row in rows}
    return (
        values.get("binlog_group_commits", 0.0),
        values.get("slave_retried_transactions", 0.0),
        values.get("innodb_os_log_fsyncs", 0.0),
        0.0,
    )


def _backlog(monitor: ProgressMonitor) -> int:
    return max(member.backlog or 0 for member in monitor.look())


def _until_empty(monitor: ProgressMonitor) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while _backlog(monitor):
        if time.monotonic() > until:
            raise LabError("the replica does not catch up")
        time.sleep(_POLL_SECONDS)


def _keep(data: Path, first: str, end: str, folder: Path, name: str) -> tuple[str, ...]:
    kept = []
    for path in sorted(data.glob(f"{first.rpartition('.')[0]}.[0-9]*")):
        if first <= path.name < end:
            kept.append(f"{name}.{path.name.rpartition('.')[2]}")
            shutil.copyfile(path, folder / kept[-1])
    return tuple(kept)
