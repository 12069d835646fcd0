"""What do the readings of a table say, and how fast did a column grow between the first and the last?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row, TableSnapshot


def cell(row: Row, name: str) -> float | None:
    """The number in a column, whatever the case of its name; None when it is not a number."""
    value = next((value for key, value in row.items() if key.lower() == name), None)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def readings(e: MemberFacts, tables: Sequence[str]) -> list[TableSnapshot]:
    """Every reading, by time, of the first of these tables that was read at all."""
    for table in tables:
        snapshots = [snapshot for snapshot in e.member.tables if snapshot.table == table]
        if snapshots:
            return sorted(snapshots, key=lambda snapshot: snapshot.at_seconds)
    return []


def growth_per_second(e: MemberFacts, tables: Sequence[str], number: Callable[[Row], float | None]) -> float:
    """Change per second of a sum over rows between the first and the last reading of a table.

    `number` gives what a row adds, None for a row that does not count. NeedsError without two readings or such a row,
    or when the sum fell: then the server was restarted or the table was emptied.
    """
    read = readings(e, tables)
    seconds = read[-1].at_seconds - read[0].at_seconds if len(read) > 1 else 0
    first, last = (total(snapshot.rows, number) for snapshot in (read[0], read[-1])) if seconds > 0 else (None, None)
    if first is None or last is None or last < first:
        raise NeedsError(Missing((f"tables.{tables[0]}",)))
    return (last - first) / seconds


def total(rows: Sequence[Row], number: Callable[[Row], float | None]) -> float | None:
    """The sum over rows; None when no row has the number."""
    numbers = [value for row in rows if (value := number(row)) is not None]
    return sum(numbers) if numbers else None
