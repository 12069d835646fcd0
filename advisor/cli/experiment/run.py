"""How does `advisor experiment run` proceed? Starts the labs, runs the rounds, and always removes the labs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from advisor.bench.experiment.rounds import run_rounds
from advisor.cli.experiment.labs import faults_of, request_for
from advisor.cli.shared.formats import ReportFormat
from advisor.cli.shared.terminal import Colour, page_for
from advisor.lab import down, state
from advisor.lab.fault_injection import inject
from advisor.lab.up import bring_up
from advisor.model.experiment import Experiment, ExperimentResult
from advisor.model.lab import ClusterFile


def conduct(experiment: Experiment, rounds: int, tell: Callable[[str], None]) -> ExperimentResult:
    """Run an experiment on its own labs; none is left, however it ends."""
    names = {cell.name: f"experiment-{os.getpid()}-{number}" for number, cell in enumerate(experiment.cells, 1)}
    requests = {cell.name: request_for(experiment, cell, names[cell.name]) for cell in experiment.cells}
    faults = {cell.name: faults_of(experiment, cell) for cell in experiment.cells}
    clusters: dict[str, ClusterFile] = {}
    try:
        for cell, request in requests.items():
            tell(f"starting the lab of cell {cell}")
            clusters[cell] = bring_up(request, lambda line: None)
            for fault in faults[cell]:
                inject.apply(clusters[cell], fault.name, fault.member, fault.strength)
        return run_rounds(experiment, clusters, rounds, tell)
    finally:
        for name in set(names.values()) & set(state.names()):
            down.take_down(name)


def render(experiment: Experiment, result: ExperimentResult, form: ReportFormat) -> str:
    """The result in a format."""
    from advisor.report.bench import experiment_text

    if form is ReportFormat.HTML:
        from advisor.report.bench import experiment_html

        return experiment_html.render(experiment, result)
    if form is ReportFormat.JSON:
        import json
        from dataclasses import asdict

        return json.dumps({"schema": "1", **asdict(result)}, indent=2) + "\n"
    if form is ReportFormat.MARKDOWN:
        return experiment_text.as_markdown(experiment, result)
    return experiment_text.as_text(experiment, result, page_for(sys.stdout, Colour.AUTO, 0))
