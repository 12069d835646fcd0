"""Which tables are changed, how, and are there rows that are changed again and again?"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.annotations import Final
from advisor.model.workload.shape import HotRow, TableLoad
from advisor.model.workload.transaction import TableChange

_COUNTERS: Final = 4096  # of rows that may be hot
_SHOWN_HOT_ROWS: Final = 10
_LEAST_SHARE: Final = 0.01  # of the changes of its table, for a row to be hot


class TableTallies:
    """Adds up what transactions change, table by table."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = {}  # transactions, inserted, updated, deleted, bytes, unknown
        self._hot = HotRows()

    def add(self, changes: tuple[TableChange, ...]) -> None:
        """One more transaction."""
        for change in changes:
            counts = self._counts.get(change.table)
            if counts is None:
                counts = self._counts[change.table] = [0, 0, 0, 0, 0, 0]
            counts[0] += 1
            counts[4] += change.size_bytes
            if change.inserted is None or change.updated is None or change.deleted is None:
                counts[5] += 1
            else:
                counts[1] += change.inserted
                counts[2] += change.updated
                counts[3] += change.deleted
            if change.key_hashes and change.inserted != change.rows:  # a row that is inserted is not hot
                self._hot.add(change.table, change.key_hashes)

    @property
    def changed_rows(self) -> tuple[int, int, int]:
        """Rows inserted, updated and deleted in all tables, as far as they were counted."""
        columns = [sum(counts[at] for counts in self._counts.values()) for at in (1, 2, 3)]
        return columns[0], columns[1], columns[2]

    def loads(self, has_key: Mapping[str, bool | None]) -> tuple[TableLoad, ...]:
        """Every table, the one with most bytes first."""
        found = []
        for table, (many, inserted, updated, deleted, size, unknown) in self._counts.items():
            if unknown:
                found.append(TableLoad(table, many, None, None, None, size, has_key.get(table)))
            else:
                found.append(TableLoad(table, many, inserted, updated, deleted, size, has_key.get(table)))
        return tuple(sorted(found, key=lambda each: (-each.size_bytes, each.table)))

    def hot_rows(self) -> tuple[HotRow, ...]:
        """Rows with at least 1 % of the changes of their table, the hottest first."""
        return self._hot.found()


class HotRows:
    """Finds frequent rows in memory that does not grow (Misra and Gries 1982); each count is a lower bound.

    A row with more than 1/4096 of all changes cannot be missed.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], int] = {}
        self._by_table: dict[str, int] = {}

    def add(self, table: str, key_hashes: tuple[int, ...]) -> None:
        """One more change of each of these rows."""
        self._by_table[table] = self._by_table.get(table, 0) + len(key_hashes)
        for key_hash in key_hashes:
            row = (table, key_hash)
            self._counts[row] = self._counts.get(row, 0) + 1
        if len(self._counts) > 2 * _COUNTERS:
            self._forget()

    def found(self) -> tuple[HotRow, ...]:
        """The hottest rows."""
        rows = [
            HotRow(table, changes, changes / self._by_table[table])
            for (table, _), changes in self._counts.items()
            if changes > 1 and changes >= _LEAST_SHARE * self._by_table[table]
        ]
        return tuple(sorted(rows, key=lambda row: (-row.changes, row.table))[:_SHOWN_HOT_ROWS])

    def _forget(self) -> None:
        """Lower all counts by that of the row in the middle, so that half of them go."""
        least = sorted(self._counts.values(), reverse=True)[_COUNTERS]
        self._counts = {row: count - least for row, count in self._counts.items() if count > least}
