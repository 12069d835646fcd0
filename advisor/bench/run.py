"""One run: warm up until steady, measure, stop the load, drain; and what it comes to.

Whatever happens, the load is stopped when a run ends. The caller hears of every Second as it comes, so what was seen
before an error or Ctrl-C is the caller's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import Final

from advisor.bench.load import sysbench
from advisor.bench.load.dataset import prepare
from advisor.bench.measure import steady
from advisor.bench.measure.sampler import CPUS, Sampler
from advisor.bench.measure.summary import Circumstances, summarise
from advisor.bench.open_cluster import Field
from advisor.collect.member.fsync import fsync_ms
from advisor.errors import ServerError
from advisor.model.measurement import Load, Phase, Run, Second
from advisor.model.record import record

DRAIN_EVERY_SECONDS: Final = 0.2
_HOPELESS_MOMENTS: Final = 3
_SILENT_SECONDS: Final = 5.0  # a member that does not answer for so long is lost


@record
class Plan:
    """What a run does. All times in seconds, the lag bound in milliseconds.

    Warming up takes at least `warm_up_least` and at most `warm_up_most`; draining is given up after `drain_most`.
    `fsync_folder` is where fsync is timed before and after, None for nowhere. A run is ended early when a member was
    more than `hopeless_lag_ms` behind at three moments in a row: what it would come to is known. `enough` is asked
    every measured second, with all seconds so far, whether that will do.
    """

    load: Load
    seconds: float = 30.0
    lag_bound_ms: float = 1000.0
    every_seconds: float = 1.0
    warm_up_least: float = 10.0
    warm_up_most: float = 60.0
    drain_most: float = 120.0
    fsync_folder: Path | None = None
    hopeless_lag_ms: float = inf
    enough: Callable[[Sequence[Second]], bool] = lambda seconds: False


def measure(field: Field, plan: Plan, on_second: Callable[[Second], None], tell: Callable[[str], None]) -> Run:
    """Make the data set if it is not there, run, and sum up; the cluster is as it was, but for what was written.

    ServerError when a member is lost or the load breaks off, LabError without a load generator.
    """
    problems = field.module.problems(field.nodes)
    if problems:
        raise ServerError(f"{field.cluster.name} is not ready: {'; '.join(problems)}")
    sysbench.find()  # before a data set is made in vain
    dataset = prepare(field.cluster, plan.load, tell)
    before = _fsync("before", plan)
    running: list[sysbench.Running] = []
    with Sampler(field.module, field.nodes, lambda: running[0].cpu_seconds() if running else None) as sampler:
        began = time.time()
        with sysbench.start(plan.load, field.cluster, dataset, sampler.heard) as load:
            running.append(load)
            course = _Course(field, plan, sampler, load, on_second)
            sampler.begin()
            unsteady = course.warm_up()
            course.measure()
        running.clear()
        course.drain()
    changed = tuple(field.module.problems(field.nodes))
    circumstances = Circumstances(
        cluster=field.cluster,
        load=plan.load,
        lag_bound_ms=plan.lag_bound_ms,
        latency_ms=load.latency_ms(course.begun, course.ended),
        host={"cpus": float(CPUS), **before, **_fsync("after", plan)},
        unsteady=unsteady,
        problems=changed,
        notes=course.notes,
    )
    return Run(summarise(circumstances, course.seconds), tuple(course.seconds), began, changed)


class _Course:
    """A run on its way: what was seen, and how to go on."""

    def __init__(
        self, field: Field, plan: Plan, sampler: Sampler, load: sysbench.Running, on_second: Callable[[Second], None]
    ) -> None:
        self._field, self._plan, self._sampler, self._load = field, plan, sampler, load
        self._on_second = on_second
        self._heard_from = dict.fromkeys((node.name for node in field.nodes), time.monotonic())
        self.seconds: list[Second] = []
        self.notes: tuple[str, ...] = ()
        self.begun = self.ended = 0.0

    def warm_up(self) -> str:
        """Run until steady; "" or why it never was. The later half of the time is looked at, 8 seconds at least."""
        begun, unsteady = time.monotonic(), ""
        for second in self._sampler.seconds(Phase.WARM_UP, self._plan.every_seconds):
            self._take(second)
            passed = second.at_seconds - begun
            since = second.at_seconds - max(passed / 2, steady.LEAST_SECONDS + self._plan.every_seconds / 2)
            unsteady = steady.unsteady_because([one for one in self.seconds if one.at_seconds > since])
            if self._load.rate_infeasible or passed >= self._plan.warm_up_most - self._plan.every_seconds / 2:
                break
            if self._hopeless(self.seconds):
                return "a member fell so far behind that the run was cut short"
            if not unsteady and passed >= self._plan.warm_up_least - self._plan.every_seconds / 2:
                break
        return unsteady

    def measure(self) -> None:
        """Run for as long as is asked; an offered rate that filled the queue ends it early."""
        self.begun = time.monotonic()
        for second in self._sampler.seconds(Phase.MEASURE, self._plan.every_seconds):
            self._take(second)
            self.ended = time.monotonic()
            if self._load.rate_infeasible:
                self.notes = ("the offered rate left 100,000 transactions waiting, and the load generator gave up",)
                break
            if self.ended - self.begun >= self._plan.seconds - self._plan.every_seconds / 2:
                break
            measured = [one for one in self.seconds if one.phase is Phase.MEASURE]
            if self._hopeless(measured) or self._plan.enough(self.seconds):
                break

    def _hopeless(self, seconds: Sequence[Second]) -> bool:
        last = seconds[-_HOPELESS_MOMENTS:]
        lags = [max((one.lag_ms or 0.0 for one in second.members), default=0.0) for second in last]
        return len(lags) == _HOPELESS_MOMENTS and min(lags) > self._plan.hopeless_lag_ms

    def drain(self) -> None:
        """Wait, without load, until no member has anything left that it knows of."""
        begun = time.monotonic()
        every = min(DRAIN_EVERY_SECONDS, self._plan.every_seconds)
        for second in self._sampler.seconds(Phase.DRAIN, every):
            self._take(second)
            if not any(member.backlog for member in second.members):
                return
            if time.monotonic() - begun >= self._plan.drain_most:
                self.notes += (f"the backlog was not gone {self._plan.drain_most:.0f} s after the load",)
                return

    def _take(self, second: Second) -> None:
        self.seconds.append(second)
        self._on_second(second)
        if second.phase is not Phase.DRAIN:
            self._load.check()
        for member in second.members:
            if not member.error:
                self._heard_from[member.member] = time.monotonic()
            elif time.monotonic() - self._heard_from[member.member] >= _SILENT_SECONDS:
                raise ServerError(f"{member.member} was lost: {member.error}")


def _fsync(when: str, plan: Plan) -> dict[str, float]:
    taken = fsync_ms(plan.fsync_folder) if plan.fsync_folder else None
    return {} if taken is None else {f"fsync_ms_{when}": taken}
