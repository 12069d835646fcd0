"""How is a table laid out on the page? On a phone it scrolls by itself, or each of its rows becomes a list."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from advisor.model.record import record
from advisor.report.html.markup import Child, Safe, breakable, tag


class Kind(StrEnum):
    """What a column holds, which decides how it is set."""

    TEXT = "text"
    NAME = "name"  # of a setting, a member, a configuration: never broken but after an underscore
    NUMBER = "n"
    PROSE = "prose"  # sentences: gets the room that is left


@record
class Column:
    """A column by its title."""

    title: str
    kind: Kind = Kind.TEXT


def table(label: str, columns: Sequence[Column], rows: Sequence[Sequence[Child]], stacked: bool = False) -> Safe:
    """A table; `stacked`: on a phone each row is a list of title and value, for tables that are read row by row.

    The roles repeat what the elements mean, because browsers forget it where the style sheet stacks them.
    """
    titles = [tag("th", column.title, scope="col", class_=_class(column), role="columnheader") for column in columns]
    head = tag("thead", tag("tr", *titles, role="row"), role="rowgroup")
    body = tag("tbody", *(_row(columns, row, stacked) for row in rows), role="rowgroup")
    whole = tag("table", head, body, role="table", class_="stacked" if stacked else None)
    return tag("div", whole, class_="wide", tabindex="0", role="region", aria_label=label)


def _row(columns: Sequence[Column], cells: Sequence[Child], stacked: bool) -> Safe:
    """The first cell names the row."""
    made = []
    for position, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        element, role, scope = ("td", "cell", None) if position else ("th", "rowheader", "row")
        shown = _content(column, cell, in_box=stacked and position > 0)
        made.append(tag(element, shown, scope=scope, class_=_class(column), role=role, data_title=column.title))
    return tag("tr", *made, role="row")


def _content(column: Column, cell: Child, in_box: bool) -> Child:
    """What is in a cell; several parts in one box, or each would get a line of its own where rows are stacked."""
    if isinstance(cell, str) and not isinstance(cell, Safe):
        if column.kind is Kind.NUMBER:
            return cell
        cell = breakable(cell)
    return tag("div", cell) if in_box and cell else cell


def _class(column: Column) -> str | None:
    return None if column.kind is Kind.TEXT else str(column.kind)
