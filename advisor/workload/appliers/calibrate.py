"""How are costs made those of the replica that the user measured? With one worker: its rate, and its CPU time.

The rate alone says how long a transaction takes, not how much of that is CPU time, which more workers compete for, and
how much waiting, which they share. With the CPU time of the server too, CPU times are scaled to it, and the rest is
waiting: for syncs as far as their time is stated, else in the worker.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.annotations import Final
from advisor.errors import UsageError
from advisor.model.record import record, replace
from advisor.model.workload.appliers import Costs, Job
from advisor.workload.appliers.costs import scaled_to
from advisor.workload.appliers.replica import Replica

_ROUNDED: Final = 1.02  # of the CPUs' time, as figures are rounded


@record
class Assumed:
    """What the user says of the replica.

    `apply_rate`: transactions per second with one worker, 0 where that is not known; `cpu_seconds`: CPU time of the
    whole server for each of these. `sync_seconds`, `syncs`, `cpus` as in `Costs`. `in_order`: commits keep the source's
    order.
    """

    apply_rate: float = 0.0
    cpu_seconds: float = 0.0
    sync_seconds: float = 0.0
    syncs: int = 2
    cpus: int = 0
    in_order: bool = True


def calibrated(jobs: Sequence[Job], costs: Costs, assumed: Assumed, in_worker: bool) -> tuple[Costs, float]:
    """The costs, and by what the work of jobs is multiplied; unchanged where no rate is stated.

    UsageError where the rate is higher than syncs or CPU time allow.
    """
    if not assumed.apply_rate:
        return costs, 1.0
    if not assumed.cpu_seconds:
        factor = _factor(jobs, costs, assumed, in_worker)
        return replace(scaled_to(costs, factor), rate_stated=True), factor
    if assumed.cpus and assumed.cpu_seconds * assumed.apply_rate > _ROUNDED * assumed.cpus:
        raise UsageError(
            f"--cpu-time: at {assumed.apply_rate:g} transactions a second, that is more than {assumed.cpus} CPUs",
            hint="measure both at the same time, with one worker",
        )
    work = sum(job.work_seconds * (1 + costs.background_share) + job.events_seconds for job in jobs) / len(jobs)
    used = work + costs.dispatch_seconds + costs.group_seconds
    factor = assumed.cpu_seconds / used
    scaled = replace(scaled_to(costs, factor), rate_stated=True, cpu_stated=True)
    waits = 1 / assumed.apply_rate - _alone(jobs, factor, replace(scaled, sync_seconds=0.0), assumed, in_worker)
    if waits < 0:
        # threads overlap more than simulated, or the rate and the CPU time are not of the same time
        factor *= (1 / assumed.apply_rate) / (1 / assumed.apply_rate - waits)
        return replace(scaled_to(costs, factor), sync_seconds=0.0, rate_stated=True, cpu_stated=True), factor
    syncing = min(scaled.syncs * scaled.sync_seconds, waits)
    sync = syncing / scaled.syncs if scaled.sync_seconds else 0.0
    return replace(scaled, sync_seconds=sync, wait_seconds=waits - syncing), factor


def _alone(jobs: Sequence[Job], factor: float, costs: Costs, assumed: Assumed, in_worker: bool) -> float:
    """Seconds that one worker takes for a transaction."""
    return Replica(1, costs, in_worker, assumed.in_order).run(scaled_jobs(jobs, factor)).seconds / len(jobs)


def _factor(jobs: Sequence[Job], costs: Costs, assumed: Assumed, in_worker: bool) -> float:
    """By what CPU times are multiplied for one worker to reach the stated rate; the time of syncs stays."""
    wanted = 1 / assumed.apply_rate
    half, whole = (_alone(jobs, each, scaled_to(costs, each), assumed, in_worker) for each in (0.5, 1.0))
    slope = (whole - half) / 0.5
    factor = (wanted - whole) / slope + 1.0
    if factor <= 0:
        fastest = 1 / (whole - slope)
        raise UsageError(
            f"--apply-rate {assumed.apply_rate:g}: with syncs this long, one worker applies at most "
            f"{fastest:,.0f} transactions a second",
            hint="state a shorter --sync, or one sync per commit with --syncs 1",
        )
    return factor


def scaled_jobs(jobs: Sequence[Job], factor: float) -> list[Job]:
    """The same jobs with their CPU times multiplied."""
    return [
        Job(
            each.work_seconds * factor,
            each.stream,
            each.after_committed,
            each.after_executed,
            each.hold,
            each.events_seconds * factor,
        )
        for each in jobs
    ]
