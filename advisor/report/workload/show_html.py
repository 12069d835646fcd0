"""What does the page of a load show? Rates over time, sizes of transactions, tables, the largest transactions."""

from __future__ import annotations

from typing import Final

from advisor.model.workload.shape import Spread, Workload
from advisor.report.charts.figure import figure
from advisor.report.html.chart import Chart, Curve
from advisor.report.html.markup import Safe, tag
from advisor.report.html.page import page
from advisor.report.html.tables import Column, Kind, table
from advisor.report.words.amounts import duration, share, whole
from advisor.report.workload.regular_intervals import regular_intervals
from advisor.report.workload.wording import files_of, note_of, number_of, place_of, size_of, time_of

_MOST_INTERVALS: Final = 600
_SIZES: Final = ("", "median", "mean", "99 %", "largest")
_TABLES: Final = ("table", "bytes", "transactions", "inserted", "updated", "deleted")
_LARGEST: Final = ("place", "committed (UTC)", "bytes", "rows")


def render(load: Workload) -> str:
    """The page as HTML, with everything it needs inside."""
    length, intervals = regular_intervals(load, _MOST_INTERVALS)
    charts = []
    if len(intervals) > 1:
        begin = intervals[0].begin_seconds
        moments = tuple(float(at * length) for at in range(len(intervals) + 1))
        about = f"Means over {duration(length * 1000)}, starting at {time_of(begin)} UTC."
        for id_, title, unit, counts in (
            ("transactions", "Transactions", "per second", [i.transactions for i in intervals]),
            ("rows", "Rows changed", "per second", [i.rows for i in intervals]),
            ("written", "Written to the log", "KiB per second", [i.size_bytes / 1024 for i in intervals]),
        ):
            curve = Curve(title, "", moments, tuple(count / length for count in counts), steps=True)
            charts.append(Chart(id_, title, unit, about, (curve,)))
    head = tag(
        "section",
        tag("h1", "The load in binary logs"),
        tag("p", f"{files_of(load.files)}."),
        tag("p", f"{whole(load.transactions)} transactions from {time_of(load.first_seconds)} to "
            f"{time_of(load.last_seconds)} UTC."),
    )  # fmt: skip
    sections = [head, *(_section(chart.title, figure(chart)) for chart in charts), _sizes(load), _tables(load)]
    return page("The load in binary logs", [*sections, _largest(load), _not_read(load)], charts)


def _section(heading: str, *content: Safe) -> Safe:
    return tag("section", tag("h2", heading), tag("div", *content, class_="card"))


def _columns(titles: tuple[str, ...]) -> tuple[Column, ...]:
    return (Column(titles[0], Kind.NAME), *(Column(title, Kind.NUMBER) for title in titles[1:]))


def _sizes(load: Workload) -> Safe:
    rows = [["rows", *map(number_of, _figures(load.rows))]] if load.rows.count else []
    rows.append(["bytes", *map(size_of, _figures(load.size_bytes))])
    rows.append(["statements", *map(number_of, _figures(load.statements))])
    if load.groups.sizes:
        rows.append(["committed together", *map(number_of, _figures(load.groups.sizes))])
    unknown = load.groups.unknown
    note = tag("p", f"How many transactions committed together is unknown: {unknown}.") if unknown else Safe("")
    return _section("Transactions", table("Transactions", _columns(_SIZES), rows), note)


def _figures(spread: Spread) -> tuple[float, float, float, float]:
    return spread.median, spread.mean, spread.p99, spread.most


def _tables(load: Workload) -> Safe:
    total = sum(each.size_bytes for each in load.tables)
    rows = [
        [each.table, share(each.size_bytes / total if total else None)]
        + [whole(count) for count in (each.transactions, each.inserted, each.updated, each.deleted)]
        for each in load.tables
    ]
    keyless = [each.table for each in load.tables if each.has_key is False]
    note = tag("p", f"Without a primary key: {', '.join(keyless)}.") if keyless else Safe("")
    return _section("Tables", table("Tables", _columns(_TABLES), rows), note)


def _largest(load: Workload) -> Safe:
    rows = [
        [place_of(each), time_of(each.at_seconds), size_of(each.size_bytes), whole(each.rows)] for each in load.largest
    ]
    return _section("Largest transactions", table("Largest transactions", _columns(_LARGEST), rows))


def _not_read(load: Workload) -> Safe:
    if not load.notes:
        return Safe("")
    return _section("Problems while reading the log", tag("ul", *(tag("li", note_of(note)) for note in load.notes)))
