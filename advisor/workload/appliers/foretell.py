"""What could replicas apply of a log with 1, 2, 4 … workers, and what keeps them from more?"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from advisor.annotations import Final
from advisor.binlog.read import Reading
from advisor.errors import InputError
from advisor.model.record import replace
from advisor.model.server import Family
from advisor.model.workload.appliers import (
    AppliedRun,
    ApplierForecast,
    Blocking,
    Costs,
    Hold,
    Job,
    Scheme,
    SchemeForecast,
)
from advisor.model.workload.transaction import Transaction
from advisor.workload.appliers.calibrate import Assumed, calibrated, scaled_jobs
from advisor.workload.appliers.costs import UNSCALED, UNSYNCED, work_seconds
from advisor.workload.appliers.mariadb_rules import MariadbRules
from advisor.workload.appliers.mysql_rules import MysqlRules
from advisor.workload.appliers.replica import Replica

MOST_TRANSACTIONS: Final = 200_000
SCHEMES: Final = {
    Family.MYSQL: (Scheme.AS_WRITTEN, Scheme.WRITE_SETS),
    Family.MARIADB: (Scheme.CONSERVATIVE, Scheme.OPTIMISTIC, Scheme.AGGRESSIVE),
}
_ENOUGH: Final = 0.95  # of the highest rate
_BUSY: Final = 0.9  # of the CPUs, for these to be the limit
_KEPT_LONGEST: Final = 5
_TRIAL: Final = 20_000  # jobs with which costs are scaled to a stated rate


def foretell(
    reading: Reading, transactions: Iterable[Transaction], workers: Sequence[int], assumed: Assumed
) -> ApplierForecast:
    """Read the log, at most so many transactions of it, and simulate every scheme of its family.

    InputError where there is nothing to apply.
    """
    gathered = _Gathered(assumed)
    for transaction in transactions:
        gathered.add(transaction)
    if not gathered.rules:
        raise InputError("there is no transaction in this log, or none in this time", file=reading.paths[0])
    first = next(iter(gathered.jobs.values()))
    costs, factor = calibrated(first[:_TRIAL], gathered.costs, assumed, gathered.in_worker)
    keyless = tuple(sorted(table for table, known in reading.has_key.items() if known is False))
    return ApplierForecast(
        files=tuple(reading.files),
        notes=tuple(reading.notes),
        transactions=gathered.count,
        left_out=gathered.left_out,
        costs=costs,
        schemes=tuple(
            _scheme(scheme, scaled_jobs(jobs, factor), workers, costs, gathered)
            for scheme, jobs in gathered.jobs.items()
        ),
        longest=tuple(_blocking(each, seconds * factor) for seconds, _, each in sorted(gathered.longest, reverse=True)),
        keyless_tables=keyless,
    )


class _Gathered:
    """The jobs of every scheme, made in one pass."""

    def __init__(self, assumed: Assumed) -> None:
        self.assumed = assumed
        self.rules: dict[Scheme, MysqlRules | MariadbRules] = {}
        self.jobs: dict[Scheme, list[Job]] = {}
        self.longest: list[tuple[float, int, Transaction]] = []
        self.count = self.left_out = 0
        self.costs = UNSCALED[Family.MYSQL]
        self.in_worker = False
        self._last: tuple[str, int] = ("", 0)

    def add(self, transaction: Transaction) -> None:
        """One more transaction, unless there are too many."""
        if self.count == MOST_TRANSACTIONS:
            self.left_out += 1
            return
        if not self.rules:
            self._choose(Family.MARIADB if transaction.mariadb_flags is not None else Family.MYSQL)
        self.count += 1
        place = (transaction.file, transaction.last_committed or 0)
        if place[0] == self._last[0] and place < self._last:  # the log has write sets already: nothing to recompute
            self.rules.pop(Scheme.WRITE_SETS, None)
            self.jobs.pop(Scheme.WRITE_SETS, None)
        self._last = place
        for scheme, rules in self.rules.items():
            self.jobs[scheme].append(rules.job(transaction))
        seconds = work_seconds(transaction, self.costs)
        if len(self.longest) < _KEPT_LONGEST or seconds > self.longest[0][0]:
            bare = transaction._replace(changes=tuple(c._replace(key_hashes=()) for c in transaction.changes))
            push = heapq.heappush if len(self.longest) < _KEPT_LONGEST else heapq.heapreplace
            push(self.longest, (seconds, self.count, bare))

    def _choose(self, family: Family) -> None:
        given = self.assumed
        group = UNSCALED[family].group_seconds * (1.0 if given.sync_seconds else UNSYNCED)
        self.costs = replace(
            UNSCALED[family], group_seconds=group, sync_seconds=given.sync_seconds, syncs=given.syncs, cpus=given.cpus
        )
        self.in_worker = family is Family.MARIADB
        for scheme in SCHEMES[family]:
            make = MariadbRules if family is Family.MARIADB else MysqlRules
            self.rules[scheme] = make(scheme, self.costs)
            self.jobs[scheme] = []


def _scheme(
    scheme: Scheme, jobs: Sequence[Job], workers: Sequence[int], costs: Costs, gathered: _Gathered
) -> SchemeForecast:
    runs = [Replica(many, costs, gathered.in_worker, gathered.assumed.in_order).run(jobs) for many in workers]
    most = max(run.per_second for run in runs)
    enough = next(run.workers for run in runs if run.per_second >= _ENOUGH * most)
    limit, share = _limit(runs[-1], costs)
    return SchemeForecast(scheme, tuple(runs), enough, limit, share, tuple(_caveats(scheme, gathered)))


def _limit(run: AppliedRun, costs: Costs) -> tuple[Hold, float]:
    """What takes most of the time of a run, and its share."""
    if costs.cpus and run.cpu_share >= _BUSY:
        return Hold.CPU, run.cpu_share
    hold = max(run.held_seconds, key=lambda each: run.held_seconds[each])
    return hold, run.held_seconds[hold] / run.seconds


def _caveats(scheme: Scheme, gathered: _Gathered) -> list[str]:
    unknown = gathered.rules[scheme].rows_unknown
    if not unknown:
        return []
    share = f"{unknown:,} of {gathered.count:,} transactions"
    if scheme is Scheme.WRITE_SETS:
        return [f"the rows of {share} are not known; for these, the dependencies in the log are used"]
    if scheme in (Scheme.OPTIMISTIC, Scheme.AGGRESSIVE):
        return [f"the rows of {share} are not known; their conflicts are left out"]
    return []


def _blocking(transaction: Transaction, seconds: float) -> Blocking:
    return Blocking(
        f"{transaction.file}:{transaction.position}",
        str(transaction.gtid or ""),
        tuple(change.table for change in transaction.changes),
        transaction.rows,
        transaction.size_bytes,
        seconds,
    )
