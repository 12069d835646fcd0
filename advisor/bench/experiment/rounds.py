"""How is an experiment run? Every cell once in each round, in turn, by the experiment's procedure."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from advisor.bench.experiment.results import figures, summarise
from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.open_cluster import OpenCluster, default_writers, open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.errors import LabError
from advisor.model.experiment import Experiment, ExperimentResult, Figure, Procedure
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies import ProgressMonitor

_POLL_SECONDS: Final = 0.1
_PATIENCE_SECONDS: Final = 600.0
_WARM_UP_SECONDS: Final = (5.0, 20.0)  # a cell that falls behind must drain its whole backlog in every round


@record
class Round:
    """The figures of one cell in one round, and what makes them less reliable."""

    figures: Mapping[str, Figure]
    warnings: tuple[str, ...] = ()


def run_rounds(
    experiment: Experiment, clusters: Mapping[str, ClusterFile], rounds: int, tell: Callable[[str], None]
) -> ExperimentResult:
    """Run the rounds on one ready cluster per cell, by the cells' names; errors of servers and labs as they come.

    The order rotates from round to round (1 2 3, 2 3 1, …), so that no cell is always the first on a cold machine.
    """
    began = time.time()
    results: dict[str, list[Mapping[str, Figure]]] = {cell.name: [] for cell in experiment.cells}
    warnings: list[str] = []
    for number in range(rounds):
        first = number % len(experiment.cells)
        for cell in (*experiment.cells[first:], *experiment.cells[:first]):
            result = _PROCEDURES[experiment.procedure](experiment, clusters[cell.name])
            results[cell.name].append(result.figures)
            warnings += (f"{cell.name}: {warning}" for warning in result.warnings)
            shown = ", ".join(f"{name} {_short(result.figures[name])}" for name in experiment.figures)
            tell(f"round {number + 1} of {rounds}, {cell.name}: {shown}")
    servers = {name: cluster.server for name, cluster in clusters.items()}
    return summarise(experiment, servers, results, began, warnings)


def _load(experiment: Experiment, cluster: ClusterFile) -> Load:
    return Load(
        workload=experiment.load.workload,
        threads=experiment.load.threads,
        writers=default_writers(cluster),
        tables=experiment.load.tables,
        rows_per_table=experiment.load.rows_per_table,
        settings=experiment.load.options,
    )


def _measure(experiment: Experiment, cluster: ClusterFile) -> Round:
    with open_cluster(cluster) as opened:
        plan = RunPlan(
            load=_load(experiment, cluster),
            seconds=experiment.load.seconds,
            lag_bound_ms=experiment.lag_bound_ms,
            warm_up_least=_WARM_UP_SECONDS[0],
            warm_up_most=_WARM_UP_SECONDS[1],
            drain_most=_PATIENCE_SECONDS,
        )
        measurement = measure(opened, plan, lambda second: None, lambda line: None).measurement
    return Round(figures(measurement), measurement.warnings)


def _catch_up(experiment: Experiment, cluster: ClusterFile) -> Round:
    """Stop the appliers, run the load, start them: the backlog then, and the seconds until it is gone."""
    load = _load(experiment, cluster)
    dataset = prepare(cluster, load, lambda line: None)
    with open_cluster(cluster) as opened, ProgressMonitor(opened.module, opened.nodes) as monitor:
        _to_appliers(opened, lambda node: node.dialect.stop_applier)
        try:
            with start_load(load, cluster, dataset, lambda second: None) as running:
                until = time.monotonic() + experiment.load.seconds
                while time.monotonic() < until:
                    time.sleep(_POLL_SECONDS)
                    running.check()
            behind = max(member.backlog or 0 for member in monitor.look())
        finally:
            begun = time.monotonic()
            _to_appliers(opened, lambda node: node.dialect.start_applier)
        seconds = _seconds_until_empty(monitor, begun, cluster.name)
    rate = behind / seconds if seconds else None
    return Round({"left_behind": float(behind), "catch_up_seconds": seconds, "catch_up_per_second": rate})


def _seconds_until_empty(monitor: ProgressMonitor, begun: float, name: str) -> float:
    """Seconds from `begun` until no member has a backlog."""
    while True:
        backlogs = [member.backlog for member in monitor.look()]
        now = time.monotonic() - begun
        if not any(backlogs):
            return now
        if now > _PATIENCE_SECONDS:
            raise LabError(f"{name} has not caught up after {_PATIENCE_SECONDS:.0f} s")
        time.sleep(_POLL_SECONDS)


def _to_appliers(opened: OpenCluster, statement: Callable[[Node], str]) -> None:
    for node in opened.nodes:
        if node.role is Role.REPLICA:
            node.session.run(statement(node))


def _short(value: Figure) -> str:
    if value is None or isinstance(value, bool):
        return {None: "?", True: "yes", False: "no"}[value]
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


_PROCEDURES: Final[Mapping[Procedure, Callable[[Experiment, ClusterFile], Round]]] = {
    Procedure.MEASURE: _measure,
    Procedure.CATCH_UP: _catch_up,
}
