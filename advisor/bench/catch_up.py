"""How fast do replicas apply? Their appliers are stopped, a load runs, they are started: how long is the backlog there?

Unlike a load that replicas follow, this shows what they can do, not what the source asks of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.errors import LabError
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies import ProgressMonitor

PATIENCE_SECONDS: Final = 600.0
_POLL_SECONDS: Final = 0.1


@record
class CatchUp:
    """`left_behind`: transactions that the slowest replica had to apply; `seconds`: until no replica had a backlog."""

    left_behind: int
    seconds: float

    @property
    def per_second(self) -> float | None:
        """Transactions applied per second; None where nothing had been left behind."""
        return self.left_behind / self.seconds if self.left_behind and self.seconds else None


def catch_up(
    cluster: ClusterFile, load: Load, load_seconds: float, on_stopped: Callable[[bool], None] = lambda stopped: None
) -> CatchUp:
    """Stop the appliers, run the load for so many seconds, start them, and wait until everything is applied.

    `on_stopped` hears True before the appliers are stopped and False after they were started; they are started however
    the load ends. LabError if a replica has not caught up after `PATIENCE_SECONDS`, ServerError from servers.
    """
    dataset = prepare(cluster, load, lambda line: None)
    with open_cluster(cluster) as opened, ProgressMonitor(opened.module, opened.nodes) as monitor:
        on_stopped(True)
        try:
            _to_appliers(opened, lambda node: node.dialect.stop_applier)
            with start_load(load, cluster, dataset, lambda second: None) as running:
                until = time.monotonic() + load_seconds
                while time.monotonic() < until:
                    time.sleep(_POLL_SECONDS)
                    running.check()
            left_behind = max(member.backlog or 0 for member in monitor.look())
        finally:
            begun = time.monotonic()
            start_appliers(opened)
            on_stopped(False)
        return CatchUp(left_behind, _seconds_until_empty(monitor, begun, cluster.name))


def start_appliers(opened: OpenCluster) -> None:
    """On every replica; where they run already, that changes nothing."""
    _to_appliers(opened, lambda node: node.dialect.start_applier)


def _seconds_until_empty(monitor: ProgressMonitor, begun: float, name: str) -> float:
    """Seconds from `begun` until no member has a backlog."""
    while True:
        backlogs = [member.backlog for member in monitor.look()]
        now = time.monotonic() - begun
        if not any(backlogs):
            return now
        if now > PATIENCE_SECONDS:
            raise LabError(f"{name} has not caught up after {PATIENCE_SECONDS:.0f} s")
        time.sleep(_POLL_SECONDS)


def _to_appliers(opened: OpenCluster, statement: Callable[[Node], str]) -> None:
    for node in opened.nodes:
        if node.role is Role.REPLICA:
            node.session.run(statement(node))
