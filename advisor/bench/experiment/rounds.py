"""How is an experiment run? Every cell once in each round, in turn, by the experiment's procedure."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from advisor.bench.catch_up import PATIENCE_SECONDS, catch_up
from advisor.bench.experiment.results import figures, summarise
from advisor.bench.open_cluster import default_writers, open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.model.experiment import Experiment, ExperimentResult, Figure, Procedure
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record

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
            drain_most=PATIENCE_SECONDS,
        )
        measurement = measure(opened, plan, lambda second: None, lambda line: None).measurement
    return Round(figures(measurement), measurement.warnings)


def _catch_up(experiment: Experiment, cluster: ClusterFile) -> Round:
    found = catch_up(cluster, _load(experiment, cluster), experiment.load.seconds)
    rate = found.left_behind / found.seconds if found.seconds else None
    return Round({
        "left_behind": float(found.left_behind), "catch_up_seconds": found.seconds, "catch_up_per_second": rate
    })  # fmt: skip


def _short(value: Figure) -> str:
    if value is None or isinstance(value, bool):
        return {None: "?", True: "yes", False: "no"}[value]
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


_PROCEDURES: Final[Mapping[Procedure, Callable[[Experiment, ClusterFile], Round]]] = {
    Procedure.MEASURE: _measure,
    Procedure.CATCH_UP: _catch_up,
}
