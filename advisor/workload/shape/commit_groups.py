"""How many transactions committed together on the source?

MariaDB writes an id for each group of two or more. MySQL with COMMIT_ORDER dependencies gives the transactions that
could commit together the same `last_committed`; WRITESET dependencies replace it, and the groups cannot be seen.
"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.server import Family
from advisor.model.workload.shape import CommitGroups
from advisor.model.workload.transaction import Transaction
from advisor.workload.shape.spread import SpreadTally

_WRITESET: Final = "the dependencies are those of write sets (WRITESET), which do not show the groups"
_ENDLESS: Final = "the log shows no group that begins and ends: its dependencies may be those of write sets"
_MOST: Final = 10_000  # no server has so many clients that commit at one moment: these dependencies are of write sets
_ABSENT: Final = "this log does not record which transactions committed together"


class GroupTally:
    """Counts transactions that follow each other with the same mark of their group."""

    def __init__(self, family: Family) -> None:
        self._family = family
        self._sizes = SpreadTally()
        self._mark: tuple[str, int] | None = None
        self._size = 0
        self._seen = False
        self.by_write_set = False

    def add(self, transaction: Transaction) -> None:
        """One more transaction, in the order of the log."""
        number = transaction.commit_id if self._family is Family.MARIADB else transaction.last_committed
        mark = None if number is None else (transaction.file, number)
        if self._family is Family.MARIADB:
            self._seen = self._seen or transaction.mariadb_flags is not None
        elif mark is not None:
            self._seen = self._seen or bool(transaction.sequence_number)
            if self._mark is not None and self._mark[0] == mark[0] and mark[1] < self._mark[1]:
                self.by_write_set = True
        if mark is not None and mark == self._mark:
            self._size += 1
            return
        self._end()
        self._mark, self._size = mark, 1

    def _end(self) -> None:
        if self._size:
            self._sizes.add(self._size)
            self.by_write_set = self.by_write_set or (self._family is not Family.MARIADB and self._size > _MOST)
            self._size = 0

    def groups(self) -> CommitGroups:
        """The sizes of the groups, or why they are unknown."""
        self._end()
        if self.by_write_set or not self._seen:
            return CommitGroups(None, None, _WRITESET if self.by_write_set else _ABSENT)
        spread = self._sizes.spread()
        if self._family is not Family.MARIADB and spread.count == 1 and spread.total > 1:
            return CommitGroups(None, None, _ENDLESS)
        alone = self._sizes.share_at_most(1)
        return CommitGroups(spread, None if alone is None else alone * spread.count / spread.total)
