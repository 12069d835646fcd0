"""How is a comparison shown in a browser? As one HTML file: the answer, the sides, and a table of each class."""

from __future__ import annotations

from advisor import __version__
from advisor.model.comparison.comparability import Comparability, ComparedQuantity
from advisor.model.comparison.quantity import Effect
from advisor.report.compare.wording import (
    HEADINGS,
    SHOWN,
    ValueGroup,
    answer,
    counts,
    groups_in_words,
    heading_of,
    not_known,
    notes_of,
    of_members,
    reason_line,
    show_value,
    shown_quantities,
    title_of,
    value_groups,
    ways_to_know,
)
from advisor.report.html.markup import Child, Safe, breakable, tag
from advisor.report.html.page import page
from advisor.report.html.tables import Column, Kind, table


def render(comparison: Comparability, *, everything: bool = False) -> str:
    """The page. `everything`: also what cannot matter, and variables that nobody judged."""
    sections = [
        _head(comparison),
        *(_differences(comparison, effect) for effect in SHOWN),
        _unknown(comparison),
        _others(comparison) if everything and comparison.others else None,
        tag(
            "footer",
            f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network.",
        ),
    ]
    labels = " and ".join(side.label for side in comparison.sides)
    return page(f"{labels} compared", [section for section in sections if section is not None])


def _head(comparison: Comparability) -> Safe:
    columns = (Column("side", Kind.NAME), Column("evidence", Kind.NAME), Column("server", Kind.PROSE))
    rows = [(side.label, side.path, heading_of(side)) for side in comparison.sides]
    texts = [f"{side.label}: {note}" for side in comparison.sides for note in notes_of(side)]
    notes = tag("ul", *(tag("li", breakable(text)) for text in texts)) if texts else None
    groups = f"Comparable with each other: {groups_in_words(comparison)}. " if len(rows) > 2 else ""
    return tag(
        "header",
        tag("p", "advisor compare", class_="eyebrow"),
        tag("h1", breakable(answer(comparison))),
        tag("p", f"{groups}{counts(comparison)}.", class_="lede"),
        tag("div", table("Sides", columns, rows, stacked=True), notes, class_="card"),
    )


def _differences(comparison: Comparability, effect: Effect) -> Safe | None:
    found = shown_quantities(comparison, effect)
    if not found:
        return None
    columns = (Column("quantity"), Column("in effect", Kind.PROSE), Column("why it matters", Kind.PROSE))
    rows = [_row(each, comparison) for each in found]
    heading = HEADINGS[effect]
    shown = table(heading, columns, rows, stacked=True)
    return tag("section", tag("h2", heading), tag("div", shown, class_="card"))


def _row(compared: ComparedQuantity, comparison: Comparability) -> list[Child]:
    """The quantity, each value with the sides that have it and its reasons, and what the difference does."""
    values = [_group(group) for group in value_groups(compared, comparison)]
    links = [tag("a", f"[{number}]", href=link) for number, link in enumerate(compared.quantity.see, 1)]
    why = tag("div", breakable(compared.quantity.why), *((" ", link) for link in links))
    return [title_of(compared), tag("div", *values), why]


def _group(group: ValueGroup) -> Safe:
    labels = ", ".join(group.labels)
    reasons = [tag("div", tag("small", breakable(reason_line(reason, group.side)))) for reason in group.value.reasons]
    return tag("div", tag("b", f"{labels}: {show_value(group.value)}"), *reasons)


def _unknown(comparison: Comparability) -> Safe | None:
    texts = [*not_known(comparison, Effect.DECIDES), *not_known(comparison, Effect.MAY_MATTER)]
    if not texts:
        return None
    items = tag("ul", *(tag("li", breakable(text)) for text in (*texts, *ways_to_know(comparison))))
    heading = tag("h2", "Unknown, which does not mean equal")
    return tag("section", heading, tag("div", items, class_="card note"))


def _others(comparison: Comparability) -> Safe:
    columns = (
        Column("variable", Kind.NAME),
        *(Column(side.label, Kind.NAME) for side in comparison.sides),
        Column("why it does not matter", Kind.PROSE),
    )
    rows = [
        (other.name + of_members(other.members), *(value or "–" for value in other.values), other.why or "not judged")
        for other in comparison.others
    ]
    shown = table("Other variables", columns, rows, stacked=True)
    return tag("section", tag("h2", "Other variables"), tag("div", shown, class_="card"))
