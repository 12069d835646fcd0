"""What does a DBA read of a comparison at the terminal?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

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
from advisor.report.words.layout import Page
from advisor.report.words.values import place, printable

_LONGEST_VALUE: Final = 40  # characters, of a variable that nobody judged
_STYLES: Final = {Effect.DECIDES: "critical", Effect.MAY_MATTER: "warning", Effect.OUTCOME: "info"}


def render(comparison: Comparability, page: Page, *, everything: bool = False) -> str:
    """The comparison as text. `everything`: also what cannot matter, and variables that nobody judged."""
    style = "critical" if False in comparison.comparable else "strong"
    lines = [page.paint(line, style) for line in page.wrap(answer(comparison), 0)]
    lines += ["", *_sides(comparison, page)]
    for effect in SHOWN:
        lines += _section(comparison, effect, page)
    lines += _unknown(comparison, page)
    lines += _others(comparison, page) if everything else []
    hint = "" if everything or not comparison.others else "; --all lists them"
    return "\n".join([*lines, "", *page.wrap(counts(comparison) + hint, 0)]) + "\n"


def _sides(comparison: Comparability, page: Page) -> Iterator[str]:
    width = max(len(side.label) for side in comparison.sides)
    for side in comparison.sides:
        first, *rest = page.wrap(f"{place(side.path)}: {heading_of(side)}", width + 2)
        yield page.paint(side.label, "strong") + first[len(side.label) :]
        yield from rest
        yield from (line for text in notes_of(side) for line in page.wrap(text, width + 4))
    if len(comparison.sides) > 2:
        yield from page.wrap(f"comparable with each other: {groups_in_words(comparison)}", 0)


def _section(comparison: Comparability, effect: Effect, page: Page) -> Iterator[str]:
    found = shown_quantities(comparison, effect)
    if found:
        yield ""
        yield page.paint(HEADINGS[effect], "strong")
    for compared in found:
        yield from _quantity(compared, comparison, page)


def _quantity(compared: ComparedQuantity, comparison: Comparability, page: Page) -> Iterator[str]:
    """The title, then each value with the sides that have it, its reasons, and what the difference does."""
    yield ""
    yield "  " + page.paint(title_of(compared), _STYLES[compared.quantity.effect])
    groups = value_groups(compared, comparison)
    width = max(len(", ".join(group.labels)) for group in groups)
    for group in groups:
        yield from _group(group, width, page)
    if compared.quantity.effect is Effect.DECIDES:
        yield from page.wrap(compared.quantity.why, 4)


def _group(group: ValueGroup, width: int, page: Page) -> Iterator[str]:
    """The value with its reason on one line if that fits, else the reasons below it."""
    head = f"    {', '.join(group.labels).ljust(width)}  {show_value(group.value)}"
    reasons = [reason_line(reason, group.side) for reason in group.value.reasons]
    if len(reasons) == 1 and len(head) + 3 + len(reasons[0]) <= page.width:
        yield f"{head}   {page.paint(reasons[0], 'faint')}"
        return
    yield head
    for reason in reasons:
        yield from (page.paint(line, "faint") for line in page.wrap(reason, width + 8))


def _unknown(comparison: Comparability, page: Page) -> Iterator[str]:
    lines = [*not_known(comparison, Effect.DECIDES)]
    more = [*not_known(comparison, Effect.MAY_MATTER)]
    if not lines and not more:
        return
    yield ""
    yield page.paint("Unknown, which does not mean equal", "strong")
    for text in lines:
        yield from page.wrap(text, 2)
    if more:
        yield "  among what may matter:"
        yield from (line for text in more for line in page.wrap(text, 4))
    for text in ways_to_know(comparison):
        yield from page.wrap(printable(text), 2)


def _cut(text: str) -> str:
    """A value that fits a line; JSON and Markdown have the whole of it."""
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _others(comparison: Comparability, page: Page) -> Iterator[str]:
    labels = [side.label for side in comparison.sides]
    for heading, judged in (("Not judged", False), (HEADINGS[Effect.NONE], True)):
        found = [other for other in comparison.others if bool(other.why) is judged]
        if found:
            yield ""
            yield page.paint(heading, "strong")
        for other in found:
            values = ", ".join(
                f"{label} {_cut(value or '–')}" for label, value in zip(labels, other.values, strict=True)
            )
            why = f" ({other.why})" if other.why else ""
            yield from page.wrap(printable(f"{other.name}{of_members(other.members)}: {values}{why}"), 2)
