"""Which figures describe a load? Taken from its transactions and from the counters of the server that ran it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from advisor.annotations import Final
from advisor.binlog.read import Reading
from advisor.model.server import Family
from advisor.model.workload.appliers import Job, Scheme
from advisor.model.workload.shape import Spread
from advisor.model.workload.transaction import Transaction
from advisor.workload.appliers.costs import UNSCALED
from advisor.workload.appliers.mariadb_rules import MariadbRules
from advisor.workload.appliers.mysql_rules import MysqlRules
from advisor.workload.appliers.replica import Replica
from advisor.workload.shape.tally import WorkloadTally

_SIMULATED: Final = 20_000  # transactions
_WORKERS: Final = 64
_MOST_UNKNOWN: Final = 0.1  # of the transactions, for the width to be known
_SYNCS: Final = ("Innodb_os_log_fsyncs", "Binlog_fsyncs")  # no counter of MySQL has the syncs of the binary log
_READS: Final = "Com_select"
_EXECUTED: Final = "Com_stmt_execute"
_CHANGES: Final = ("Com_insert", "Com_update", "Com_delete", "Com_replace", "Com_insert_select", "Com_replace_select",
                   "Com_update_multi", "Com_delete_multi", "Com_load")  # fmt: skip


class FiguresTally:
    """Takes the transactions of a load in their order."""

    def __init__(self) -> None:
        self._tally: WorkloadTally | None = None
        self._width: WidthTally | None = None

    def add(self, transaction: Transaction) -> None:
        """One more transaction; its keys are needed for the width of parallel apply."""
        if self._tally is None:
            family = Family.MARIADB if transaction.mariadb_flags is not None else Family.MYSQL
            self._tally, self._width = WorkloadTally(family, with_keys=False), WidthTally(family)
        self._tally.add(transaction)
        if self._width is not None:
            self._width.add(transaction)

    def figures(self, reading: Reading, seconds: float | None = None) -> dict[str, float]:
        """What the log tells, by name of FIGURES; {} where nothing was committed.

        `seconds` is how long the load lasted, None for from the first commit to the last.
        """
        if self._tally is None or self._width is None:
            return {}
        load = self._tally.workload(reading)
        found = {**_spread("rows", load.rows), **_spread("bytes", load.size_bytes),
                 **_spread("statements", load.statements)}  # fmt: skip
        lasted = load.seconds if seconds is None else seconds
        if lasted > 0:
            found["commits_per_second"] = load.transactions / lasted
        if load.groups.sizes is not None:
            found["group_size"] = load.groups.sizes.mean
        width = self._width.width()
        if width is not None:
            found["parallel_width"] = width
        return found


def figures_of(reading: Reading, transactions: Iterable[Transaction], seconds: float | None = None) -> dict[str, float]:
    """The figures of a log that is read to its end."""
    tally = FiguresTally()
    for transaction in transactions:
        tally.add(transaction)
    return tally.figures(reading, seconds)


def counted_figures(before: Mapping[str, str], after: Mapping[str, str], transactions: int) -> dict[str, float]:
    """What two readings of SHOW GLOBAL STATUS tell, during which so many transactions were logged.

    Nothing where the server was restarted in between.
    """
    changes = {
        name: float(value) - float(before[name]) for name, value in after.items() if _are_numbers(before, name, value)
    }
    if not transactions or changes.get("Uptime", 0.0) < 0:
        return {}
    found = {}
    syncs = [changes[name] for name in _SYNCS if name in changes]
    if syncs:
        found["syncs_per_commit"] = sum(syncs) / transactions
    if "Innodb_row_lock_waits" in changes:
        found["lock_waits_per_commit"] = changes["Innodb_row_lock_waits"] / transactions
    written = sum(changes.get(name, 0.0) for name in _CHANGES)
    if _READS in changes and changes[_READS] + written > 0:
        found["read_share"] = changes[_READS] / (changes[_READS] + written)
    return {name: max(value, 0.0) for name, value in found.items()}


def are_prepared(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether counters say that most statements on tables were prepared ones; these count in both."""
    executed, *others = (counted(before, after, name) for name in (_EXECUTED, _READS, *_CHANGES))
    return 2 * executed > sum(others) > 0


def counted(before: Mapping[str, str], after: Mapping[str, str], name: str) -> int:
    """By how much a counter grew; 0 where it is unknown, or was reset."""
    if not _are_numbers(before, name, after.get(name, "")):
        return 0
    return max(int(after[name]) - int(before[name]), 0)


def _are_numbers(before: Mapping[str, str], name: str, value: str) -> bool:
    return before.get(name, "").isdecimal() and value.isdecimal()


def _spread(name: str, spread: Spread) -> dict[str, float]:
    return {f"{name}_median": spread.median, f"{name}_p99": spread.p99} if spread.count else {}


class WidthTally:
    """How much faster would 64 appliers be than one? By the dependencies in the log; MariaDB's are optimistic."""

    def __init__(self, family: Family) -> None:
        self._in_worker = family is Family.MARIADB
        self._costs = UNSCALED[family]
        self._rules = (
            MariadbRules(Scheme.OPTIMISTIC, self._costs)
            if family is Family.MARIADB
            else MysqlRules(Scheme.AS_WRITTEN, self._costs)
        )
        self._jobs: list[Job] = []

    def add(self, transaction: Transaction) -> None:
        """One more transaction; behind the first 20,000 none counts."""
        if len(self._jobs) < _SIMULATED:
            self._jobs.append(self._rules.job(transaction))

    def width(self) -> float | None:
        """The quotient of the rates; None where there is nothing, or the rows of too many are not known."""
        if not self._jobs or self._rules.rows_unknown > _MOST_UNKNOWN * len(self._jobs):
            return None
        one, many = (Replica(workers, self._costs, self._in_worker).run(self._jobs) for workers in (1, _WORKERS))
        return many.per_second / one.per_second if one.per_second else None
