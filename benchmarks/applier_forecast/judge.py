"""Which of the foretold rates hold?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading
from advisor.model.record import record
from advisor.model.server import Family
from advisor.model.workload.appliers import Hold, Scheme, SchemeForecast
from advisor.workload.appliers.calibrate import Assumed
from advisor.workload.appliers.foretell import foretell
from benchmarks.applier_forecast.runs import Run, runs_in

TOLERANCE: Final = 0.25
SYNCS: Final = 2  # of a group commit of a durable replica with a binary log
SHORTEST_SYNC_SECONDS: Final = 20e-6  # where the difference of two rates is lost in noise
# What the lab's replicas do: 9.7 keeps the dependencies of its log, MariaDB 10.11 applies optimistically.
SCHEME: Final = {Family.MYSQL: Scheme.AS_WRITTEN, Family.MARIADB: Scheme.OPTIMISTIC}
_BUSY: Final = 0.9  # of the CPUs
_DEPENDENT: Final = "Waiting for dependent transaction to commit"  # MySQL's coordinator
_OFTEN: Final = 0.5  # of the readings
_RETRIED: Final = 0.05  # of the transactions
_NAMED_BY: Final = {
    "cpu": (Hold.CPU,),
    "rows": (Hold.ROWS, Hold.GROUP),
    "waits": (Hold.SYNC, Hold.WORKERS, Hold.COORDINATOR, Hold.LONG),
}


@record
class Judged:
    """A run with several workers, what one worker did beside it, and what was foretold from that."""

    run: Run
    beside: tuple[Run, ...]
    assumed: Assumed
    forecast: SchemeForecast

    @property
    def foretold(self) -> float:
        """Transactions per second."""
        return self.forecast.runs[-1].per_second

    @property
    def foretold_cpu(self) -> float:
        """CPU time per transaction; unlike the rate, it can be judged beside busy programs too."""
        last = self.forecast.runs[-1]
        return last.cpu_share * self.assumed.cpus / last.per_second

    @property
    def cpu_holds(self) -> bool:
        """Whether the CPU time is within the tolerance."""
        return abs(self.foretold_cpu / self.run.cpu_seconds - 1) <= TOLERANCE

    @property
    def holds(self) -> bool:
        """Whether the rate is within the tolerance."""
        return abs(self.foretold / self.run.per_second - 1) <= TOLERANCE

    @property
    def named(self) -> bool:
        """Whether the limit is the one that the run showed."""
        return self.forecast.limit in _NAMED_BY[limit_of(self.run)]


def limit_of(run: Run) -> str:
    """What kept a run from being faster, by counters and states: CPUs, the same rows, or waits."""
    if run.cpu_seconds * run.per_second / run.cpus + run.others / run.cpus >= _BUSY:
        return "cpu"
    readings = sum(run.states.values()) / (run.workers + 1)
    if run.states.get(_DEPENDENT, 0) >= _OFTEN * readings > 0 or run.retries >= _RETRIED * run.transactions:
        return "rows"
    return "waits"


def judge(folder: Path, loads: Sequence[str], most_others: float) -> int:
    """Print every forecast beside its run."""
    found = list(judged(folder, loads))
    quiet = [each for each in found if max(run.others for run in (each.run, *each.beside)) <= most_others]
    for each in found:
        print(line(each, each in quiet))
    hold = sum(each.holds for each in quiet)
    print(f"{hold} of {len(quiet)} foretold rates within {TOLERANCE:.0%} of the measured ones")
    print(f"{sum(each.cpu_holds for each in found)} of {len(found)} CPU times, also of runs left out")
    print(f"{sum(each.named for each in quiet)} of {len(quiet)} limits named")
    print(f"{len(found) - len(quiet)} of {len(found)} runs left out: other programs used over {most_others:g} CPUs")
    return 0


def judged(folder: Path, loads: Sequence[str]) -> Iterator[Judged]:
    """Every run with several workers that has one with one worker before or behind it, and one without syncs."""
    runs = [run for run in runs_in(folder) if run.load in loads]
    for run in runs:
        block = [each for each in runs if each.block == run.block]
        alone = [each for each in block if each.workers == 1 and not each.relaxed]
        beside = tuple(each for each in alone if abs(each.place - run.place) == 1)
        relaxed = [each for each in block if each.relaxed]
        if run.workers > 1 and beside and relaxed:
            assumed = assumed_from(beside, sync_seconds(alone, relaxed))
            yield Judged(run, beside, assumed, foretold(run, assumed))


def sync_seconds(alone: Sequence[Run], relaxed: Sequence[Run]) -> float:
    """How long a sync takes: a group commit has two, which one worker without syncs does not wait for."""
    with_syncs, without = (fmean(1 / each.per_second for each in runs) for runs in (alone, relaxed))
    return max((with_syncs - without) / SYNCS, SHORTEST_SYNC_SECONDS)


def assumed_from(beside: Sequence[Run], sync: float) -> Assumed:
    """What a user would state: the rate, the CPU time, the time of a sync, the number of CPUs."""
    seconds = fmean(1 / each.per_second for each in beside)
    return Assumed(1 / seconds, fmean(each.cpu_seconds for each in beside), sync, SYNCS, beside[0].cpus)


def foretold(run: Run, assumed: Assumed) -> SchemeForecast:
    """The same backlog simulated."""
    reading = LogReading(run.logs, Wanted(keys=True))
    forecast = foretell(reading, reading.transactions(), (1, run.workers), assumed)
    return next(each for each in forecast.schemes if each.scheme is SCHEME[Family(run.family)])


def line(each: Judged, counts: bool) -> str:
    """Measured and foretold, in columns."""
    run = each.run
    off = each.foretold / run.per_second - 1
    verdict = ("holds" if each.holds else "FAILS") if counts else "busy"
    used = run.cpu_seconds * run.per_second / run.cpus
    return (
        f"{run.family:8} {run.load:16} {run.workers:3} workers {run.transactions:6,} tx"
        f" {run.per_second:7,.0f}/s measured {each.foretold:7,.0f}/s foretold {off:+6.0%} {verdict:6}"
        f" {each.forecast.limit:11} {limit_of(run):5} CPUs {used:.0%}, others {run.others:.2f},"
        f" CPU {run.cpu_seconds * 1e6:,.0f} us measured {each.foretold_cpu * 1e6:,.0f} foretold"
    )
