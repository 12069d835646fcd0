"""What does `advisor why` say about a real cluster with a known bottleneck, and what does removing that give?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from advisor.bench.compare_settings import Apply, applier
from advisor.bench.load.dataset import Dataset, prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.open_cluster import OpenCluster
from advisor.lab import processes
from advisor.lab.fault_injection import inject
from advisor.model.record import record
from advisor.topologies import ProgressMonitor
from benchmarks.diagnosis.observation import (
    OBSERVED_SECONDS,
    SETTLING_SECONDS,
    WARM_UP_SECONDS,
    Rates,
    diagnose_live,
    steady_rates,
)
from benchmarks.diagnosis.running_lab import Tell
from benchmarks.diagnosis.scenarios import Scenario

UndoStack = list[Mapping[str, Mapping[str, str]]]  # what settings were, the last ones last


@record
class ScenarioRun:
    """One scenario as it ran. `after` is None if nothing was undone under load; `document` is the report of why."""

    scenario: str
    seconds: float
    diagnosing_seconds: float
    before: Rates
    after: Rates | None
    document: dict[str, Any]


def run_scenario(scenario: Scenario, opened: OpenCluster, bundle: Path, tell: Tell) -> ScenarioRun:
    """Inject, load, diagnose, undo, measure. Everything is undone; `settle` waits until the lab has recovered."""
    began = time.monotonic()
    dataset = prepare(opened.cluster, scenario.load, tell) if scenario.load else None  # an idle cluster gets none
    apply = applier(opened)
    undo: UndoStack = []
    try:
        if scenario.settings:
            undo.append(apply(scenario.settings))
        for one in scenario.faults:
            inject.apply(opened.cluster, one.fault, one.member, one.strength)
        return _loaded(scenario, opened, bundle, dataset, began, lambda: _remove(scenario, opened, apply, undo))
    finally:
        with processes.undisturbed():
            _take_back(opened, apply, undo)


def _loaded(
    scenario: Scenario,
    opened: OpenCluster,
    bundle: Path,
    data: Dataset | None,
    began: float,
    take_back: Callable[[], None],
) -> ScenarioRun:
    if scenario.load is None or data is None:
        document, rates, seconds = diagnose_live(opened, bundle, OBSERVED_SECONDS)
        return ScenarioRun(scenario.name, time.monotonic() - began, seconds, rates, None, document)
    after = None
    with start_load(scenario.load, opened.cluster, data, lambda second: None) as load:
        time.sleep(WARM_UP_SECONDS)
        document, rates, seconds = diagnose_live(opened, bundle, OBSERVED_SECONDS)
        load.check()
        if scenario.effect:
            take_back()
            time.sleep(SETTLING_SECONDS)
            with ProgressMonitor(opened.module, opened.nodes) as monitor:
                after = steady_rates(monitor, scenario.effect)
            load.check()
    return ScenarioRun(scenario.name, time.monotonic() - began, seconds, rates, after, document)


def _remove(scenario: Scenario, opened: OpenCluster, apply: Apply, undo: UndoStack) -> None:
    """Set what cures it, take back the faults whose effect is measured, or all that was done."""
    if scenario.cures:
        undo.append(apply(scenario.cures))
        return
    for fault in scenario.removes:
        inject.clear(opened.cluster, fault)
    if not scenario.removes:
        _take_back(opened, apply, undo)


def _take_back(opened: OpenCluster, apply: Apply, undo: UndoStack) -> None:
    if inject.applied(opened.cluster):
        inject.clear(opened.cluster)
    while undo:
        apply(undo.pop())
