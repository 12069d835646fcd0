"""What may MariaDB apply at the same time? By groups of the source, or optimistically with conflicts (rpl_parallel.cc).

conservative: a group of the source starts when all of the group before have reached their commit. optimistic: all
start, but DDL and changes that cannot be rolled back wait until everything before has committed; so does what waited
for a row lock on the source (not with aggressive). A transaction that changes a row of an earlier one that has not
committed is held or rolled back, and goes on when that one has committed. Domains are independent streams.
"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.workload.appliers import Costs, Hold, Job, Scheme
from advisor.model.workload.transaction import Kind, MariadbFlag, MariadbGtid, Transaction
from advisor.workload.appliers.costs import events_seconds, work_seconds

_REMEMBERED_ROWS: Final = 1 << 20


class _Domain:
    """One stream: how many transactions it has so far, and since when a new group has begun."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.count = 0
        self.group_id: int | None = None
        self.group_begin = 0
        self.barrier = 0  # everything after it waits until so many have committed
        self.last_of_row: dict[int, int] = {}


class MariadbRules:
    """Makes jobs of transactions in the order of the log. `rows_unknown`: of how many the rows are not known."""

    def __init__(self, scheme: Scheme, costs: Costs) -> None:
        self._scheme, self._costs = scheme, costs
        self._domains: dict[int, _Domain] = {}
        self.rows_unknown = 0

    def job(self, transaction: Transaction) -> Job:
        """The job that comes next."""
        gtid = transaction.gtid
        number = gtid.domain if isinstance(gtid, MariadbGtid) else 0
        domain = self._domains.setdefault(number, _Domain(len(self._domains)))
        after_committed, after_executed, hold = self._needs(transaction, domain)
        if transaction.commit_id is None or transaction.commit_id != domain.group_id:
            domain.group_begin, domain.group_id = domain.count, transaction.commit_id
        domain.count += 1
        work, events = work_seconds(transaction, self._costs), events_seconds(transaction, self._costs)
        return Job(work, domain.number, after_committed, after_executed, hold, events)

    def _needs(self, transaction: Transaction, domain: _Domain) -> tuple[int, int, Hold]:
        """How many must have committed, how many reached their commit, and why."""
        flags = transaction.mariadb_flags or 0
        alone = transaction.kind is Kind.DDL or bool(flags & MariadbFlag.DDL) or not flags & MariadbFlag.TRANSACTIONAL
        if alone and self._scheme is not Scheme.MINIMAL:
            domain.barrier = domain.count + 1
            return domain.count, domain.count, Hold.DDL
        if self._scheme is Scheme.MINIMAL:
            return domain.barrier, domain.count, Hold.GROUP
        if self._scheme is Scheme.CONSERVATIVE:
            same = transaction.commit_id is not None and transaction.commit_id == domain.group_id
            return domain.barrier, domain.group_begin if same else domain.count, Hold.GROUP
        if not flags & MariadbFlag.ALLOW_PARALLEL:
            return domain.count, domain.count, Hold.GROUP
        if flags & MariadbFlag.WAITED and self._scheme is Scheme.OPTIMISTIC:
            self._conflict_with(transaction, domain)
            return domain.count, 0, Hold.ROWS
        conflict = self._conflict_with(transaction, domain)
        return max(domain.barrier, conflict), 0, Hold.ROWS if conflict > domain.barrier else Hold.DDL

    def _conflict_with(self, transaction: Transaction, domain: _Domain) -> int:
        """The count up to the last transaction that changed one of its rows; 0 for none, or where rows are unknown."""
        after = 0
        unknown = not transaction.changes
        for change in transaction.changes:
            if change.key_hashes is None:
                unknown = True
                continue
            for row in change.key_hashes:
                after = max(after, domain.last_of_row.get(row, -1) + 1)
                domain.last_of_row[row] = domain.count
        self.rows_unknown += unknown
        if len(domain.last_of_row) > _REMEMBERED_ROWS:
            domain.last_of_row.clear()
        return after
