"""What may MySQL apply at the same time? LOGICAL_CLOCK, by the dependencies in the log or by recomputed write sets.

A transaction is handed out when all up to its `last_committed` have committed (sql/rpl_mta_submode.cc). A new file
numbers anew, so the replica waits for everything before it. Write sets as the source would compute them
(sql/rpl_trx_tracking.cc): the last transaction that changed one of the rows, within a history of so many rows.
"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.workload.appliers import Costs, Hold, Job, Scheme
from advisor.model.workload.transaction import Kind, Transaction
from advisor.workload.appliers.costs import events_seconds, work_seconds

HISTORY_ROWS: Final = 25_000  # binlog_transaction_dependency_history_size up to 8.4


class MysqlRules:
    """Makes jobs of transactions in the order of the log.

    `rows_unknown`: of how many transactions the write set could not be computed.
    """

    def __init__(self, scheme: Scheme, costs: Costs, history_rows: int = HISTORY_ROWS) -> None:
        self._scheme, self._costs, self._history_rows = scheme, costs, history_rows
        self._number = 0
        self._file = ""
        self._offset = 0
        self._last_of_row: dict[int, int] = {}
        self._history_begin = 0
        self._after_ddl = 0
        self.rows_unknown = 0

    def job(self, transaction: Transaction) -> Job:
        """The job that comes next."""
        job = self._job(transaction)
        self._number += 1
        return job

    def _job(self, transaction: Transaction) -> Job:
        work, events = work_seconds(transaction, self._costs), events_seconds(transaction, self._costs)
        if transaction.file != self._file or not transaction.sequence_number:
            self._file = transaction.file
            self._offset = self._number - (transaction.sequence_number or 0)
            self._history_begin = self._number
            self._last_of_row.clear()
            if self._number:
                return Job(work, 0, self._number, 0, Hold.FILE_END, events)
        # `last_committed` is a number of this file; + 1 makes a count of the transaction it names
        written = max((transaction.last_committed or 0) + self._offset + 1, 0)
        after = min(written, self._number)
        if self._scheme is Scheme.WRITE_SETS:
            after = min(after, self._by_write_set(transaction, after))
        return Job(work, 0, after, 0, self._hold(transaction, after), events)

    def _hold(self, transaction: Transaction, after: int) -> Hold:
        if transaction.kind is Kind.DDL:
            self._after_ddl = self._number + 1
            return Hold.DDL
        if after == self._after_ddl:
            return Hold.DDL
        if any(change.key_hashes is None for change in transaction.changes):
            return Hold.KEYLESS
        return Hold.ROWS if self._scheme is Scheme.WRITE_SETS else Hold.GROUP

    def _by_write_set(self, transaction: Transaction, written: int) -> int:
        """The count up to the last transaction that changed one of the rows; as written where rows are not known."""
        keys = [change.key_hashes for change in transaction.changes]
        if not keys or None in keys or transaction.kind is not Kind.ROWS or transaction.unread:
            self.rows_unknown += 1
            if transaction.kind is Kind.DDL:
                self._last_of_row.clear()
                self._history_begin = self._number + 1
            return written
        after = self._history_begin
        rows = [key for hashes in keys for key in hashes or ()]
        for row in rows:
            after = max(after, self._last_of_row.get(row, -1) + 1)
        if len(self._last_of_row) + len(rows) > self._history_rows:
            self._last_of_row.clear()
            self._history_begin = self._number + 1
        for row in rows:
            self._last_of_row[row] = self._number
        return after
