"""What does a DBA read of a load at the terminal?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.model.workload.shape import Interval, Spread, TableLoad, Workload
from advisor.model.workload.transaction import Transaction
from advisor.report.words.amounts import duration, rate, share, whole
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table
from advisor.report.words.values import printable
from advisor.report.workload.regular_intervals import regular_intervals
from advisor.report.workload.wording import files_of, note_of, number_of, place_of, size_of, time_of

_MOST_INTERVALS: Final = 16
_MOST_TABLES: Final = 12
_MOST_LARGEST: Final = 5
_MOST_DDL: Final = 8
_BAR: Final = 20  # characters of the longest


def render(load: Workload, page: Page) -> str:
    """The load as text."""
    lines = [page.paint(line, "strong") for line in page.wrap(printable(files_of(load.files)), 0)]
    lines += page.wrap(_when(load), 2)
    for section in (_transactions, _over_time, _tables, _largest, _ddl, _hot_rows, _unknown):
        lines += section(load, page)
    return "\n".join(lines) + "\n"


def _when(load: Workload) -> str:
    per_second = f", {rate(load.transactions / load.seconds)} a second" if load.seconds >= 1 else ""
    return (
        f"{whole(load.transactions)} transactions from {time_of(load.first_seconds)} to "
        f"{time_of(load.last_seconds)} UTC{per_second}"
    )


def _transactions(load: Workload, page: Page) -> Iterator[str]:
    yield from ("", page.paint("Transactions", "strong"))
    rows: list[tuple[str, ...]] = [("", "median", "mean", "99 %", "largest")]
    rows += [_spread_row("rows", load.rows)] if load.rows.count else []
    rows += [_spread_row("bytes", load.size_bytes, size=True), _spread_row("statements", load.statements)]
    if load.groups.sizes:
        rows.append(_spread_row("committed together", load.groups.sizes))
    if load.commit_delay_ms:
        rows.append(("commit to log", *(duration(value) for value in _figures(load.commit_delay_ms))))
    yield from (f"  {line}" for line in text_table(rows))
    changed = load.inserted + load.updated + load.deleted
    if changed:
        parts = [f"{share(count / changed)} {word}" for count, word in _changes(load)]
        yield from page.labelled("rows changed", [f"{whole(changed)}: {', '.join(parts)}"])
    if load.rows.count:
        yield from page.labelled("tiny", [f"{share(load.tiny / load.rows.count)} change one row or none"])
    huge = f"{whole(load.huge)} with at least 1 MiB or 1,000 rows; {share(load.huge_bytes / load.size_bytes.total)} of "
    yield from page.labelled("huge", [huge + "all bytes" if load.huge else "none with at least 1 MiB or 1,000 rows"])
    if load.packed_bytes is not None:
        packed = share(load.packed_bytes / load.size_bytes.total)
        yield from page.labelled("compressed", [f"in the log, they take {packed} of these bytes"])


def _changes(load: Workload) -> list[tuple[int, str]]:
    return [(load.inserted, "inserted"), (load.updated, "updated"), (load.deleted, "deleted")]


def _figures(spread: Spread) -> tuple[float, float, float, float]:
    return spread.median, spread.mean, spread.p99, spread.most


def _spread_row(name: str, spread: Spread, size: bool = False) -> tuple[str, ...]:
    return (name, *(size_of(value) if size else number_of(value) for value in _figures(spread)))


def _over_time(load: Workload, page: Page) -> Iterator[str]:
    length, intervals = regular_intervals(load, _MOST_INTERVALS)
    if len(intervals) < 2:
        return
    yield from ("", page.paint(f"Over time, each line {duration(length * 1000)}", "strong"))
    most = max(interval.transactions for interval in intervals)
    rows: list[tuple[str, ...]] = [("from", "tx/s", "rows/s", "written/s", "")]
    rows += [_interval_row(interval, length, most) for interval in intervals]
    yield from (f"  {line}" for line in text_table(rows))


def _interval_row(interval: Interval, length: int, most: int) -> tuple[str, ...]:
    bar = "█" * round(_BAR * interval.transactions / most)
    return (
        time_of(interval.begin_seconds),
        rate(interval.transactions / length),
        rate(interval.rows / length),
        size_of(interval.size_bytes / length),
        bar.ljust(_BAR),
    )


def _tables(load: Workload, page: Page) -> Iterator[str]:
    if not load.tables:
        return
    yield from ("", page.paint("Tables", "strong"))
    total = sum(table.size_bytes for table in load.tables)
    rows: list[tuple[str, ...]] = [("", "bytes", "tx", "inserted", "updated", "deleted", "")]
    rows += [_table_row(table, total) for table in load.tables[:_MOST_TABLES]]
    yield from (f"  {line}" for line in text_table(rows))
    if len(load.tables) > _MOST_TABLES:
        rest = sum(table.size_bytes for table in load.tables[_MOST_TABLES:])
        yield f"  and {len(load.tables) - _MOST_TABLES} more, with {share(rest / total)}"


def _table_row(table: TableLoad, total: int) -> tuple[str, ...]:
    scanned = table.has_key is False and (table.updated or table.deleted)
    return (
        printable(table.table),
        share(table.size_bytes / total if total else None),
        whole(table.transactions),
        whole(table.inserted),
        whole(table.updated),
        whole(table.deleted),
        "scanned: no key" if scanned else "no key" if table.has_key is False else "",
    )


def _largest(load: Workload, page: Page) -> Iterator[str]:
    yield from ("", page.paint("Largest transactions", "strong"))
    yield from _listed(load.largest[:_MOST_LARGEST], page)


def _listed(transactions: Sequence[Transaction], page: Page) -> Iterator[str]:
    for each in transactions:
        rows = "rows unknown" if each.rows is None else f"{whole(each.rows)} row{'s' * (each.rows != 1)}"
        yield f"  {size_of(each.size_bytes)}, {rows}, {time_of(each.at_seconds)}, {printable(place_of(each))}"
        about = [str(each.gtid)] if each.gtid else []
        took = each.at_seconds - each.began_seconds
        about += [f"began {duration(took * 1000)} before its commit"] if took >= 2 else []
        tables = [change.table for change in each.changes]
        about += [", ".join(tables[:3]) + (f" and {len(tables) - 3} more" if len(tables) > 3 else "")] if tables else []
        about += [each.statement] if each.statement else []
        yield from (page.paint(line, "faint") for line in page.wrap(printable("; ".join(about)), 4))


def _ddl(load: Workload, page: Page) -> Iterator[str]:
    if not load.ddl_count:
        return
    yield from ("", page.paint(f"DDL: {whole(load.ddl_count)}", "strong"))
    longest = sorted(load.ddl, key=lambda each: (-(each.took_seconds or 0), each.at_seconds))[:_MOST_DDL]
    for each in sorted(longest, key=lambda each: each.at_seconds):
        took = f", took {duration(each.took_seconds * 1000)}" if each.took_seconds else ""
        yield f"  {time_of(each.at_seconds)}{took}, {printable(place_of(each))}"
        yield from (page.paint(line, "faint") for line in page.wrap(printable(each.statement), 4))


def _hot_rows(load: Workload, page: Page) -> Iterator[str]:
    if load.hot_rows is None:
        return
    yield from ("", page.paint("Rows that are changed again and again", "strong"))
    if not load.hot_rows:
        yield "  no single row has 1 % of the changes of its table"
    for row in load.hot_rows:
        times = f"at least {whole(row.changes)} times"
        yield f"  a row of {printable(row.table)}: {times}, {share(row.share)} of the changes of the table"


def _unknown(load: Workload, page: Page) -> Iterator[str]:
    """What this log does not tell, and what could not be read."""
    lines = [f"how many transactions committed together: {load.groups.unknown}"] if load.groups.unknown else []
    if load.unknown_rows:
        lines.append(f"the rows of {whole(load.unknown_rows)} transactions: statements, or not counted")
    keyless = [table.table for table in load.tables if table.has_key is None]
    if keyless:
        lines.append(f"the keys of {len(keyless)} tables: binlog_row_metadata is not FULL")
    if lines:
        yield from ("", page.paint("Unknown", "strong"))
        yield from (line for text in lines for line in page.wrap(text, 2))
    jump = load.first_clock_jump
    problems = [note_of(note) for note in load.notes]
    if jump:
        problems.append(
            f"{jump.file}:{jump.position}: the clock is {duration(jump.seconds * 1000)} behind an earlier commit "
            f"({whole(load.clock_jumps)} times)"
        )
    if problems:
        yield from ("", page.paint("Problems while reading the log", "strong"))
        yield from (line for text in problems for line in page.wrap(printable(text), 2))
