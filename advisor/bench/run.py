"""How does one run proceed? Warm up until steady, measure, stop the load, drain, summarise.

Whatever happens, the load is stopped when a run ends. The caller receives every Second as it comes, and so keeps what
was observed before an error or Ctrl-C.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import Final

from advisor.bench.load import sysbench
from advisor.bench.load.dataset import prepare
from advisor.bench.load.workloads import find_workload
from advisor.bench.measure import steady
from advisor.bench.measure.load_comparison import LoadComparison
from advisor.bench.measure.sampler import CPUS, Sampler
from advisor.bench.measure.summary import Circumstances, summarise
from advisor.bench.open_cluster import OpenCluster
from advisor.cluster_file import addresses
from advisor.collect.member.probes import fsync_ms
from advisor.errors import ServerError
from advisor.model.measurement import Load, Measurement, Phase, Run, Second
from advisor.model.record import record, replace

DRAIN_EVERY_SECONDS: Final = 0.2
_HOPELESS_MOMENTS: Final = 3
_SILENT_SECONDS: Final = 5.0  # a member that does not answer for this long is lost


@record
class RunPlan:
    """What a run does. All times in seconds, the lag limit in milliseconds.

    Warming up takes at least `warm_up_least` and at most `warm_up_most`; draining is abandoned after `drain_most`.
    `fsync_folder` is where fsync is timed before and after, None for nowhere. A run is aborted when a member was more
    than `abort_lag_ms` behind at three moments in a row: its result is known. `enough` is called every measured
    second with all seconds so far; the run ends when it returns True. With `compare_load`, a load that states
    figures of the one that it was made from is compared with these.
    """

    load: Load
    seconds: float = 30.0
    lag_bound_ms: float = 1000.0
    every_seconds: float = 1.0
    warm_up_least: float = 10.0
    warm_up_most: float = 60.0
    drain_most: float = 120.0
    fsync_folder: Path | None = None
    abort_lag_ms: float = inf
    enough: Callable[[Sequence[Second]], bool] = lambda seconds: False
    compare_load: bool = True


def measure(
    opened: OpenCluster, plan: RunPlan, on_second: Callable[[Second], None], tell: Callable[[str], None]
) -> Run:
    """Create the data set if it is missing, run, and summarise; the cluster keeps only what the load wrote.

    ServerError when a member is lost or the load ends early, LabError without a load generator.
    """
    problems = opened.module.problems(opened.nodes)
    if problems:
        raise ServerError(f"{opened.cluster.name} is not ready: {'; '.join(problems)}")
    sysbench.find_generator()  # before time is spent on a data set
    dataset = prepare(opened.cluster, plan.load, tell)
    before = _fsync("before", plan)
    running: list[sysbench.RunningLoad] = []
    with Sampler(opened.module, opened.nodes, lambda: running[0].cpu_seconds() if running else None) as sampler:
        began = time.time()
        with sysbench.start_load(plan.load, opened.cluster, dataset, sampler.take_load) as load:
            running.append(load)
            phases = _Phases(opened, plan, sampler, load, on_second)
            sampler.begin()
            unsteady = phases.warm_up()
            comparison = _comparison(opened, plan)
            phases.measure()
            if comparison:
                comparison.look()
        running.clear()
        phases.drain()
    changed = tuple(opened.module.problems(opened.nodes))
    circumstances = Circumstances(
        cluster=opened.cluster,
        load=plan.load,
        lag_bound_ms=plan.lag_bound_ms,
        latency_ms=load.latency_ms(phases.begun, phases.ended),
        host={"cpus": float(CPUS), **before, **_fsync("after", plan)},
        unsteady=unsteady,
        problems=changed,
        notes=phases.notes,
    )
    measurement = summarise(circumstances, phases.seconds)
    if comparison:
        measurement = _with_fidelity(measurement, comparison)
    return Run(measurement, tuple(phases.seconds), began, changed)


def _comparison(opened: OpenCluster, plan: RunPlan) -> LoadComparison | None:
    """What compares the load with the one it was made from, begun; None for other loads."""
    mix = find_workload(plan.load.workload).mix
    if not plan.compare_load or mix is None or not mix.observed:
        return None
    writer = addresses(opened.cluster)[plan.load.writers[0]]
    comparison = LoadComparison(writer, mix.observed, plan.load.rate_per_second > 0)
    comparison.look()
    return comparison


def _with_fidelity(measurement: Measurement, comparison: LoadComparison) -> Measurement:
    compared = comparison.compared(measurement.measured_seconds)
    if compared.fidelity:
        return replace(measurement, fidelity=compared.fidelity)
    warning = f"the load was not compared with the one it was made from: {compared.why_not}"
    return replace(measurement, warnings=(*measurement.warnings, warning))


class _Phases:
    """The phases of a run and what was observed in them."""

    def __init__(
        self,
        opened: OpenCluster,
        plan: RunPlan,
        sampler: Sampler,
        load: sysbench.RunningLoad,
        on_second: Callable[[Second], None],
    ) -> None:
        self._opened, self._plan, self._sampler, self._load = opened, plan, sampler, load
        self._on_second = on_second
        self._last_answer = dict.fromkeys((node.name for node in opened.nodes), time.monotonic())
        self.seconds: list[Second] = []
        self.notes: tuple[str, ...] = ()
        self.begun = self.ended = 0.0

    def warm_up(self) -> str:
        """Run until steady; "" or why it never was. The later half of the time is judged, 8 seconds at least."""
        begun, unsteady = time.monotonic(), ""
        for second in self._sampler.seconds(Phase.WARM_UP, self._plan.every_seconds):
            self._take(second)
            passed = second.at_seconds - begun
            since = second.at_seconds - max(passed / 2, steady.LEAST_SECONDS + self._plan.every_seconds / 2)
            unsteady = steady.unsteady_because([earlier for earlier in self.seconds if earlier.at_seconds > since])
            if self._load.rate_infeasible or passed >= self._plan.warm_up_most - self._plan.every_seconds / 2:
                break
            if self._hopeless(self.seconds):
                return "a member fell so far behind that the run was cut short"
            if not unsteady and passed >= self._plan.warm_up_least - self._plan.every_seconds / 2:
                break
        return unsteady

    def measure(self) -> None:
        """Run for as long as requested; an offered rate that fills the queue ends it early."""
        self.begun = time.monotonic()
        for second in self._sampler.seconds(Phase.MEASURE, self._plan.every_seconds):
            self._take(second)
            self.ended = time.monotonic()
            if self._load.rate_infeasible:
                self.notes = ("the load generator gave up: 100,000 offered transactions were waiting to start",)
                break
            if self.ended - self.begun >= self._plan.seconds - self._plan.every_seconds / 2:
                break
            measured = [earlier for earlier in self.seconds if earlier.phase is Phase.MEASURE]
            if self._hopeless(measured) or self._plan.enough(self.seconds):
                break

    def _hopeless(self, seconds: Sequence[Second]) -> bool:
        last = seconds[-_HOPELESS_MOMENTS:]
        lags = [max((member.lag_ms or 0.0 for member in second.members), default=0.0) for second in last]
        return len(lags) == _HOPELESS_MOMENTS and min(lags) > self._plan.abort_lag_ms

    def drain(self) -> None:
        """Wait, without load, until no member reports a backlog."""
        begun = time.monotonic()
        every = min(DRAIN_EVERY_SECONDS, self._plan.every_seconds)
        for second in self._sampler.seconds(Phase.DRAIN, every):
            self._take(second)
            if not any(member.backlog for member in second.members):
                return
            if time.monotonic() - begun >= self._plan.drain_most:
                self.notes += (
                    f"the backlog was not drained within {self._plan.drain_most:.0f} s after the load ended",
                )
                return

    def _take(self, second: Second) -> None:
        self.seconds.append(second)
        self._on_second(second)
        if second.phase is not Phase.DRAIN:
            self._load.check()
        for member in second.members:
            if not member.error:
                self._last_answer[member.member] = time.monotonic()
            elif time.monotonic() - self._last_answer[member.member] >= _SILENT_SECONDS:
                raise ServerError(f"{member.member} was lost: {member.error}")


def _fsync(when: str, plan: RunPlan) -> dict[str, float]:
    duration_ms = fsync_ms(plan.fsync_folder) if plan.fsync_folder else None
    return {} if duration_ms is None else {f"fsync_ms_{when}": duration_ms}
