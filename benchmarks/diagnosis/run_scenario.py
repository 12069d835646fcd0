"""What does `advisor why` say about a real cluster with a known bottleneck, and what does removing that give?"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from advisor.bench.compare_settings import Apply, applier
from advisor.bench.load.dataset import Dataset, prepare
from advisor.bench.load.sysbench import start_load
from advisor.bench.load.workloads import DATABASE
from advisor.bench.measure.steady import LEAST_SECONDS, SMALL, change_in
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.collect.bundle.pack import pack
from advisor.collect.bundle.read_back import complete, read_back
from advisor.collect.bundle.save import save
from advisor.collect.gather import gather
from advisor.collect.login import Login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import of_cluster_file
from advisor.errors import AdvisorError, LabError
from advisor.lab import down, processes
from advisor.lab.fault_injection import inject
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from advisor.model.diagnosis import Diagnosis
from advisor.model.lab import ServerBinary
from advisor.model.progress import Progress
from advisor.model.record import record
from advisor.model.server import Role
from advisor.report.why.document import render
from advisor.topologies import ProgressMonitor, find_topology
from advisor.why import diagnose
from benchmarks.diagnosis.scenarios import LabSpec, Scenario

Tell = Callable[[str], None]
UndoStack = list[Mapping[str, Mapping[str, str]]]  # what settings were, the last ones last
_WARM_UP_SECONDS: Final = 5.0
_OBSERVED_SECONDS: Final = 10.0
_STATES_SECONDS: Final = 0.1
_SETTLING_SECONDS: Final = 3.0
_MOST_SETTLING_SECONDS: Final = 60  # a group's quota grows by half each second, then 25,000 transactions may queue up
_WINDOW_SECONDS: Final = 15  # means over 8 s of one and the same state lay up to a fifth apart
_GROWS: Final = 0.1  # of what is committed, from where on a backlog is said to grow
_FEW_QUEUED: Final = 20
_DRAIN_SECONDS: Final = 60.0
_APPLYING: Final = (Role.REPLICA, Role.SECONDARY, Role.NODE)


@record
class Rates:
    """Transactions per second the writers committed and the slowest other member applied."""

    committed: float
    applied: float


@record
class ScenarioRun:
    """One scenario as it ran. `after` is None if nothing was undone under load; `document` is the report of why."""

    scenario: str
    seconds: float
    diagnosing_seconds: float
    before: Rates
    after: Rates | None
    document: dict[str, Any]


@contextmanager
def running_lab(wanted: LabSpec, name: str, tell: Tell) -> Iterator[OpenCluster]:
    """The lab of a file, which is always removed afterwards; LabError without a server for it."""
    request = LabRequest(
        topology=wanted.topology,
        name=name,
        binary=_binary(wanted),
        members=wanted.members,
        settings=wanted.settings,
        durability=wanted.durability,
        options=wanted.options,
        rtt_ms=wanted.rtt_ms,
    )
    cluster = bring_up(request, tell)
    try:
        with open_cluster(cluster) as opened:
            yield opened
    finally:
        with processes.undisturbed():
            down.take_down(name)


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
        document, rates, seconds = _diagnose_live(opened, bundle, _OBSERVED_SECONDS)
        return ScenarioRun(scenario.name, time.monotonic() - began, seconds, rates, None, document)
    after = None
    with start_load(scenario.load, opened.cluster, data, lambda second: None) as load:
        time.sleep(_WARM_UP_SECONDS)
        document, rates, seconds = _diagnose_live(opened, bundle, _OBSERVED_SECONDS)
        load.check()
        if scenario.effect:
            take_back()
            time.sleep(_SETTLING_SECONDS)
            with ProgressMonitor(opened.module, opened.nodes) as monitor:
                after = _steady_rates(monitor, scenario)
            load.check()
    return ScenarioRun(scenario.name, time.monotonic() - began, seconds, rates, after, document)


def _diagnose_live(opened: OpenCluster, bundle: Path, observed_seconds: float) -> tuple[dict[str, Any], Rates, float]:
    """The diagnosis of the next seconds, the rates meanwhile, and how long the diagnosis took after them."""
    wanted = of_cluster_file(opened.cluster, Login())
    with ProgressMonitor(opened.module, opened.nodes) as monitor:
        monitor.look()
        gathered = gather(wanted.members, ReadingSchedule(observed_seconds, states_every_seconds=_STATES_SECONDS))
        rates = _summed(monitor.look())
    begun = time.monotonic()
    files = complete(pack(gathered, wanted, redacted=False), wanted)
    found = diagnose(read_back(files, wanted.path))
    seconds = time.monotonic() - begun
    bundle.unlink(missing_ok=True)
    save(files, bundle)
    return as_document(found), rates, seconds


def as_document(found: Diagnosis) -> dict[str, Any]:
    """The JSON report as data."""
    document: dict[str, Any] = json.loads(render(found))
    return document


def _steady_rates(monitor: ProgressMonitor, scenario: Scenario) -> Rates:
    """Means over the first seconds in which the rate that counts no longer changes, else over the last ones.

    What a member applies counts as long as something waits on it: afterwards it applies what arrives. A rate is
    sustained when no backlog grows.
    """
    monitor.look()
    seconds: list[Rates] = []
    backlogs: list[int] = []
    while len(seconds) < _MOST_SETTLING_SECONDS:
        time.sleep(1.0)
        seen = monitor.look()
        backlog = max((each.backlog or 0 for each in seen), default=0)
        if scenario.effect == "applied" and backlog <= _FEW_QUEUED and len(seconds) >= LEAST_SECONDS:
            break
        seconds.append(_summed(seen))
        backlogs.append(backlog)
        if _is_steady(seconds[-_WINDOW_SECONDS:], backlogs[-_WINDOW_SECONDS:], scenario):
            break
    last = seconds[-_WINDOW_SECONDS:]
    return Rates(*(sum(getattr(one, name) for one in last) / len(last) for name in ("committed", "applied")))


def _is_steady(seconds: Sequence[Rates], backlogs: Sequence[int], scenario: Scenario) -> bool:
    """Whether these are as many seconds as count, and the rate of the effect stays what it is in them."""
    if len(seconds) < _WINDOW_SECONDS:
        return False
    counted = [float(getattr(one, scenario.counted)) for one in seconds]
    grown = backlogs[-1] - backlogs[0]
    if scenario.effect == "sustained" and grown > _GROWS * sum(one.committed for one in seconds):
        return False
    return change_in(counted, SMALL * sum(counted) / len(counted)) is None


def _summed(seen: Sequence[Progress]) -> Rates:
    applied = [each.applied_per_second for each in seen if each.role in _APPLYING]
    return Rates(
        committed=sum(each.committed_per_second or 0.0 for each in seen if each.role not in _APPLYING[:2]),
        applied=min((rate for rate in applied if rate is not None), default=0.0),
    )


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


def settle(opened: OpenCluster) -> None:
    """Until every member is well and has applied all; LabError when that takes too long."""
    until = time.monotonic() + _DRAIN_SECONDS
    writer = next(node for node in opened.nodes if node.role not in _APPLYING[:2])
    with ProgressMonitor(opened.module, opened.nodes) as monitor:
        while True:
            try:
                # A source that no longer waits for acknowledgements begins again with the next transaction.
                writer.session.run(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
                wrong = [
                    *opened.module.problems(opened.nodes),
                    *(e.member for e in monitor.look() if e.error or e.backlog),
                ]
            except AdvisorError as error:
                wrong = [error.message]
            if not wrong:
                return
            if time.monotonic() > until:
                raise LabError(f"{opened.cluster.name}, {_DRAIN_SECONDS:.0f} s later: {'; '.join(wrong)}")
            time.sleep(0.2)


def _binary(wanted: LabSpec) -> ServerBinary:
    module = find_topology(wanted.topology)[1]
    for binary in find_servers():
        if binary.family is wanted.family and not module.why_not(binary):
            return binary
    raise LabError(f"no server for {wanted.topology} on {wanted.family}", hint="`advisor lab install`")
