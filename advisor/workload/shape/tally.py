"""What do the transactions of a log make together? One pass, in memory that does not grow with the log."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from advisor.annotations import Final
from advisor.binlog.read import Reading
from advisor.errors import InputError
from advisor.model.server import Family
from advisor.model.workload.shape import ClockJump, Workload
from advisor.model.workload.transaction import Kind, MariadbGtid, Transaction
from advisor.workload.shape.commit_groups import GroupTally
from advisor.workload.shape.over_time import RateTally
from advisor.workload.shape.spread import SpreadTally
from advisor.workload.shape.tables import TableTallies

HUGE_BYTES: Final = 1 << 20
HUGE_ROWS: Final = 1_000
_KEPT_LARGEST: Final = 10
_KEPT_DDL: Final = 100
_JUMP_SECONDS: Final = 2.0  # commits of one moment may be logged in another order


class WorkloadTally:
    """Adds transactions up. `with_keys`: they have the keys of their rows."""

    def __init__(self, family: Family, with_keys: bool) -> None:
        self._family, self._with_keys = family, with_keys
        self._count = 0
        self._first_seconds, self._last_seconds = float("inf"), 0.0
        self._rates, self._tables, self._groups = RateTally(), TableTallies(), GroupTally(family)
        self._rows, self._sizes, self._statements = SpreadTally(), SpreadTally(), SpreadTally()
        self._delays_us = SpreadTally()
        self._is_replicas = False  # some transaction committed elsewhere first
        self._saved_bytes: int | None = None
        self._unknown_rows = self._tiny = self._huge = self._huge_bytes = self._ddl_count = self._jumps = 0
        self._kinds: dict[Kind, int] = dict.fromkeys(Kind, 0)
        self._largest: list[tuple[int, int, Transaction]] = []
        self._ddl: list[Transaction] = []
        self._domains: set[int] = set()
        self._first_jump: ClockJump | None = None

    def add(self, transaction: Transaction) -> None:
        """One more transaction, in the order of the log."""
        self._count += 1
        rows, size = transaction.rows, transaction.size_bytes
        self._kinds[transaction.kind] += 1
        self._take_time(transaction)
        self._rates.add(transaction.at_seconds, rows or 0, size)
        self._sizes.add(size)
        self._groups.add(transaction)
        self._tables.add(transaction.changes)
        if transaction.statements:
            self._statements.add(transaction.statements)
        if transaction.kind is Kind.DDL:
            self._take_ddl(transaction)
        elif rows is None:
            self._unknown_rows += 1
        else:
            self._rows.add(rows)
            self._tiny += rows <= 1
        if size >= HUGE_BYTES or (rows or 0) >= HUGE_ROWS:
            self._huge += 1
            self._huge_bytes += size
        if transaction.packed_bytes is not None:
            self._saved_bytes = (
                (self._saved_bytes or 0) + transaction.size_bytes - (transaction.end - transaction.position)
            )
        if len(self._largest) < _KEPT_LARGEST:
            heapq.heappush(self._largest, (size, self._count, without_keys(transaction)))
        elif size > self._largest[0][0]:
            heapq.heapreplace(self._largest, (size, self._count, without_keys(transaction)))

    def workload(self, reading: Reading) -> Workload:
        """Everything together; InputError where there was no transaction."""
        if not self._count:
            place = reading.paths[0] if len(reading.paths) == 1 else f"{len(reading.paths)} files"
            raise InputError("there is no transaction in this log, or none in this time", file=place)
        inserted, updated, deleted = self._tables.changed_rows
        sizes = self._sizes.spread()
        return Workload(
            family=self._family,
            files=tuple(reading.files),
            notes=tuple(reading.notes),
            transactions=self._count,
            first_seconds=self._first_seconds,
            last_seconds=self._last_seconds,
            interval_seconds=self._rates.interval_seconds,
            intervals=self._rates.intervals(),
            rows=self._rows.spread(),
            unknown_rows=self._unknown_rows,
            size_bytes=sizes,
            statements=self._statements.spread(),
            packed_bytes=None if self._saved_bytes is None else int(sizes.total) - self._saved_bytes,
            tiny=self._tiny,
            huge=self._huge,
            huge_bytes=self._huge_bytes,
            inserted=inserted,
            updated=updated,
            deleted=deleted,
            by_kind={str(kind): many for kind, many in self._kinds.items() if many},
            tables=self._tables.loads(reading.has_key),
            largest=tuple(each for _, _, each in sorted(self._largest, reverse=True)),
            ddl=tuple(self._ddl),
            ddl_count=self._ddl_count,
            groups=self._groups.groups(),
            commit_delay_ms=self._delays_us.spread(0.001) if self._is_replicas else None,
            hot_rows=self._tables.hot_rows() if self._with_keys else None,
            domains=tuple(sorted(self._domains)),
            clock_jumps=self._jumps,
            first_clock_jump=self._first_jump,
        )

    def _take_time(self, transaction: Transaction) -> None:
        at_seconds = transaction.at_seconds
        if at_seconds < self._last_seconds - _JUMP_SECONDS:
            self._jumps += 1
            if self._first_jump is None:
                back = self._last_seconds - at_seconds
                self._first_jump = ClockJump(transaction.file, transaction.position, back)
        self._first_seconds = min(self._first_seconds, at_seconds)
        self._last_seconds = max(self._last_seconds, at_seconds)
        if transaction.original_us is not None and transaction.immediate_us is not None:
            self._is_replicas = self._is_replicas or transaction.original_us != transaction.immediate_us
            self._delays_us.add(max(transaction.immediate_us - transaction.original_us, 0))
        if isinstance(transaction.gtid, MariadbGtid):
            self._domains.add(transaction.gtid.domain)

    def _take_ddl(self, transaction: Transaction) -> None:
        self._ddl_count += 1
        if len(self._ddl) < _KEPT_DDL:
            self._ddl.append(transaction)


def without_keys(transaction: Transaction) -> Transaction:
    """A transaction that is kept, without the keys of its rows."""
    return transaction._replace(changes=tuple(change._replace(key_hashes=()) for change in transaction.changes))


def workload_of(reading: Reading, transactions: Iterable[Transaction], with_keys: bool) -> Workload:
    """The load of a log that is read to its end."""
    tally: WorkloadTally | None = None
    for transaction in transactions:
        if tally is None:
            family = Family.MARIADB if transaction.mariadb_flags is not None else Family.MYSQL
            tally = WorkloadTally(family, with_keys)
        tally.add(transaction)
    return (tally or WorkloadTally(Family.MYSQL, with_keys)).workload(reading)
