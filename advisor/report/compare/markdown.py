"""What goes under a published benchmark? The comparison as Markdown: the answer, the sides, a table of each class."""

from __future__ import annotations

from advisor.model.comparison.comparability import Comparability, ComparedQuantity, OtherSetting
from advisor.model.comparison.quantity import Effect
from advisor.report.compare.wording import (
    HEADINGS,
    SHOWN,
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
    ways_to_know,
)
from advisor.report.words.table import escape, markdown_table


def render(comparison: Comparability, *, everything: bool = False) -> str:
    """The comparison as Markdown. `everything`: also what cannot matter, and variables that nobody judged."""
    labels = [f"`{side.label}`" for side in comparison.sides]
    sides = [(label, f"`{side.path}`", heading_of(side)) for label, side in zip(labels, comparison.sides, strict=True)]
    lines = [f"**{escape(answer(comparison))}**", "", *markdown_table(("Side", "Evidence", "Server"), sides)]
    notes = [f"- {escape(f'{side.label}: {note}')}" for side in comparison.sides for note in notes_of(side)]
    lines += ["", *notes] if notes else []
    if len(comparison.sides) > 2:
        lines += ["", f"Comparable with each other: {escape(groups_in_words(comparison))}."]
    for effect in SHOWN:
        found = shown_quantities(comparison, effect)
        if found:
            rows = [_row(each, comparison) for each in found]
            lines += ["", f"## {HEADINGS[effect]}", "", *markdown_table(("", *labels, "Why it matters"), rows)]
    unknown = [*not_known(comparison, Effect.DECIDES), *not_known(comparison, Effect.MAY_MATTER)]
    if unknown:
        lines += ["", "## Unknown, which does not mean equal", ""]
        lines += [f"- {escape(text)}" for text in (*unknown, *ways_to_know(comparison))]
    if everything and comparison.others:
        rows = [_other(other) for other in comparison.others]
        lines += ["", "## Other variables", "", *markdown_table(("", *labels, ""), rows)]
    return "\n".join([*lines, "", f"{escape(counts(comparison))}."]) + "\n"


def _other(other: OtherSetting) -> tuple[str, ...]:
    values = (escape(value or "–") for value in other.values)
    return f"`{other.name}`{escape(of_members(other.members))}", *values, other.why or "not judged"


def _row(compared: ComparedQuantity, comparison: Comparability) -> tuple[str, ...]:
    cells = []
    for side, value in zip(comparison.sides, compared.sides, strict=True):
        reasons = "<br>".join(escape(reason_line(reason, side)) for reason in value.reasons)
        cells.append(escape(show_value(value)) + (f"<br>{reasons}" if reasons else ""))
    see = " ".join(f"[{number}]({link})" for number, link in enumerate(compared.quantity.see, 1))
    return escape(title_of(compared)), *cells, f"{escape(compared.quantity.why)} {see}"
