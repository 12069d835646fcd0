"""How is an experiment run? Every cell once in each round, in turn, by the procedure the experiment names."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from advisor.bench.experiment.results import figures, summarise
from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start
from advisor.bench.open_cluster import Field, default_writers, opened
from advisor.bench.run import Plan, measure
from advisor.errors import LabError
from advisor.model.experiment import Experiment, ExperimentResult, Figure, Procedure
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load
from advisor.model.record import record
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies import Watch

_POLL_SECONDS: Final = 0.1
_PATIENCE_SECONDS: Final = 600.0
_WARM_UP_SECONDS: Final = (5.0, 20.0)  # a cell that falls behind has to drain whatever it was given, every round


@record
class Round:
    """What one cell gave in one round, and what limits its worth."""

    figures: Mapping[str, Figure]
    warnings: tuple[str, ...] = ()


def run(
    experiment: Experiment, clusters: Mapping[str, ClusterFile], rounds: int, tell: Callable[[str], None]
) -> ExperimentResult:
    """Run the rounds on one ready cluster per cell, by the cells' names; errors of servers and labs as they come.

    The order turns round by round (1 2 3, 2 3 1, …), so that no cell is always the first on a machine grown cold.
    """
    began = time.time()
    found: dict[str, list[Mapping[str, Figure]]] = {cell.name: [] for cell in experiment.cells}
    warnings: list[str] = []
    for number in range(rounds):
        turn = number % len(experiment.cells)
        for cell in (*experiment.cells[turn:], *experiment.cells[:turn]):
            one = _PROCEDURES[experiment.procedure](experiment, clusters[cell.name])
            found[cell.name].append(one.figures)
            warnings += (f"{cell.name}: {warning}" for warning in one.warnings)
            shown = ", ".join(f"{name} {_short(one.figures[name])}" for name in experiment.figures)
            tell(f"round {number + 1} of {rounds}, {cell.name}: {shown}")
    servers = {name: cluster.server for name, cluster in clusters.items()}
    return summarise(experiment, servers, found, began, warnings)


def _load(experiment: Experiment, cluster: ClusterFile) -> Load:
    wanted = experiment.load
    return Load(
        workload=wanted.workload,
        threads=wanted.threads,
        writers=default_writers(cluster),
        tables=wanted.tables,
        rows_per_table=wanted.rows_per_table,
        settings=wanted.options,
    )


def _measured(experiment: Experiment, cluster: ClusterFile) -> Round:
    with opened(cluster) as field:
        plan = Plan(
            load=_load(experiment, cluster),
            seconds=experiment.load.seconds,
            lag_bound_ms=experiment.lag_bound_ms,
            warm_up_least=_WARM_UP_SECONDS[0],
            warm_up_most=_WARM_UP_SECONDS[1],
            drain_most=_PATIENCE_SECONDS,
        )
        found = measure(field, plan, lambda second: None, lambda line: None).measurement
    return Round(figures(found), found.warnings)


def _caught_up(experiment: Experiment, cluster: ClusterFile) -> Round:
    """Stop the appliers, leave a load behind, start them: transactions and the seconds until none is left."""
    load = _load(experiment, cluster)
    dataset = prepare(cluster, load, lambda line: None)
    with opened(cluster) as field, Watch(field.module, field.nodes) as watch:
        _to_appliers(field, lambda node: node.dialect.stop_applier)
        try:
            with start(load, cluster, dataset, lambda second: None) as running:
                until = time.monotonic() + experiment.load.seconds
                while time.monotonic() < until:
                    time.sleep(_POLL_SECONDS)
                    running.check()
            behind = max(each.backlog or 0 for each in watch.look())
        finally:
            begun = time.monotonic()
            _to_appliers(field, lambda node: node.dialect.start_applier)
        seconds = _empty_after(watch, begun, cluster.name)
    rate = behind / seconds if seconds else None
    return Round({"left_behind": float(behind), "catch_up_seconds": seconds, "catch_up_per_second": rate})


def _empty_after(watch: Watch, begun: float, name: str) -> float:
    """Seconds from `begun` until a look at which nothing was left anywhere."""
    while True:
        left = [each.backlog for each in watch.look()]
        now = time.monotonic() - begun
        if not any(left):
            return now
        if now > _PATIENCE_SECONDS:
            raise LabError(f"{name} has not caught up after {_PATIENCE_SECONDS:.0f} s")
        time.sleep(_POLL_SECONDS)


def _to_appliers(field: Field, statement: Callable[[Node], str]) -> None:
    for node in field.nodes:
        if node.role is Role.REPLICA:
            node.session.run(statement(node))


def _short(value: Figure) -> str:
    if value is None or isinstance(value, bool):
        return {None: "?", True: "yes", False: "no"}[value]
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


_PROCEDURES: Final[Mapping[Procedure, Callable[[Experiment, ClusterFile], Round]]] = {
    Procedure.MEASURE: _measured,
    Procedure.CATCH_UP: _caught_up,
}
