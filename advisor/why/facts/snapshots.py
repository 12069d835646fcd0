"""How much did a column of a table grow between its first and its last reading?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from advisor.conditions import Missing
from advisor.evidence.view import NeedsError, View
from advisor.model.evidence import Row, TableSnapshot


def cell(row: Row, name: str) -> float | None:
    """The number in a column, whatever the case of its name; None when it is none."""
    value = next((value for key, value in row.items() if key.lower() == name), None)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def moments(e: View, tables: Sequence[str]) -> list[TableSnapshot]:
    """Every reading of the first of these tables that was read at all, by time."""
    for table in tables:
        found = [snapshot for snapshot in e.member.tables if snapshot.table == table]
        if found:
            return sorted(found, key=lambda snapshot: snapshot.at_seconds)
    return []


def growth_per_second(e: View, tables: Sequence[str], number: Callable[[Row], float | None]) -> float:
    """Change per second of a sum over rows between the first and the last reading of a table.

    `number` gives what a row adds, None for a row that does not count. NeedsError when there are no two readings, no
    such row, or when it fell: then the server was restarted or the table was emptied.
    """
    read = moments(e, tables)
    seconds = read[-1].at_seconds - read[0].at_seconds if len(read) > 1 else 0
    first, last = (total(snapshot.rows, number) for snapshot in (read[0], read[-1])) if seconds > 0 else (None, None)
    if first is None or last is None or last < first:
        raise NeedsError(Missing((f"tables.{tables[0]}",)))
    return (last - first) / seconds


def total(rows: Sequence[Row], number: Callable[[Row], float | None]) -> float | None:
    """The sum over rows, None when no row has the number."""
    found = [value for row in rows if (value := number(row)) is not None]
    return sum(found) if found else None
