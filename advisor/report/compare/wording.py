"""What does a comparison say in words? The answer in one sentence, values, and what is not known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.masking import MASK, is_secret
from advisor.model.comparison.comparability import (
    Comparability,
    ComparedQuantity,
    ComparedSide,
    Outcome,
    Reason,
    ReasonKind,
    SideValue,
    ValueState,
)
from advisor.model.comparison.quantity import Effect
from advisor.model.evidence import Fact
from advisor.model.record import record
from advisor.model.server import join_labels
from advisor.report.words.values import printable
from advisor.units import show

HEADINGS: Final = {
    Effect.DECIDES: "Makes them not comparable",
    Effect.MAY_MATTER: "May matter for the write rate",
    Effect.NONE: "Does not matter for the write rate",
    Effect.OUTCOME: "Measured",
}
SHOWN: Final = (Effect.OUTCOME, Effect.DECIDES, Effect.MAY_MATTER)
_MOST_IN_ANSWER: Final = 4  # differences in the first sentence
_MOST_RELEASES: Final = 3


@record
class ValueGroup:
    """The sides that have a quantity in the same value; `value` is that of the first of them, `side`."""

    labels: tuple[str, ...]
    value: SideValue
    side: ComparedSide


def answer(comparison: Comparability) -> str:
    """The answer in one sentence."""
    verdicts = comparison.comparable[1:]
    decided = comparison.of(Effect.DECIDES, Outcome.DIFFERS)
    if decided:
        differences = [_difference(each, comparison) for each in decided]
        return f"{_who_is_not(comparison)}: {_first(differences)}."
    unknown = sorted(comparison.of(Effect.DECIDES, Outcome.UNKNOWN), key=_is_on_no_side)
    if None in verdicts:
        titles = list(dict.fromkeys(each.quantity.title for each in unknown)) or ["members without a counterpart"]
        return f"Comparable as far as is known; unknown: {_first(titles)}."
    return "Comparable: the sides do not differ in anything that determines the write rate."


def value_groups(compared: ComparedQuantity, comparison: Comparability) -> list[ValueGroup]:
    """The sides by value, in the order of the sides."""
    groups: list[tuple[list[str], SideValue, ComparedSide]] = []
    for side, value, outcome in zip(comparison.sides, compared.sides, compared.outcomes, strict=True):
        text = show_value(value)
        like_first = groups[0] if groups and outcome is Outcome.ALIKE else None
        found = like_first or next((group for group in groups if show_value(group[1]) == text), None)
        if found is None:
            groups.append(([side.label], value, side))
        else:
            found[0].append(side.label)
    return [ValueGroup(tuple(labels), value, side) for labels, value, side in groups]


def show_value(value: SideValue) -> str:
    """The value as people read it; "unknown" or "–" where there is none."""
    if value.state is ValueState.NOT_APPLICABLE:
        return "–"
    if value.state is ValueState.UNKNOWN:
        return "unknown"
    shown = list(dict.fromkeys(_shown(fact) for fact in value.values))
    return " or ".join(shown) + (", by release" if len(shown) > 1 else "")


def title_of(compared: ComparedQuantity) -> str:
    """The quantity, with the member where the sides are clusters."""
    return compared.quantity.title + of_members(compared.members)


def of_members(members: Sequence[str]) -> str:
    """Which members something holds for: " [db2, db3]", "" for all."""
    return f" [{printable(', '.join(members))}]" if members else ""


def heading_of(side: ComparedSide) -> str:
    """What the side is: release, topology, members."""
    labels = list(side.releases)
    releases = join_labels(labels) if len(labels) <= _MOST_RELEASES else f"{len(labels)} releases are possible"
    words = [releases, side.topology.replace("_", " "), f"{len(side.members)} members" if side.members else ""]
    return ", ".join(filter(None, words))


def notes_of(side: ComparedSide) -> Iterator[str]:
    """What a reader must know of a side: how its release was found, whether it starts, what could not be used."""
    if side.inferred:
        yield side.inferred
    if side.starts is False:
        yield "the server does not start with these options"
    if side.unmatched:
        yield f"members without a counterpart on the first side: {printable(', '.join(side.unmatched))}"
    yield from (f"note: {printable(without_folders(problem, side))}" for problem in side.problems)


def shown_quantities(comparison: Comparability, effect: Effect) -> tuple[ComparedQuantity, ...]:
    """The quantities of a section: those that differ; of what was measured, all that a side shows."""
    if effect is not Effect.OUTCOME:
        return comparison.of(effect, Outcome.DIFFERS)
    found = (each for each in comparison.quantities if each.quantity.effect is effect)
    return tuple(each for each in found if any(value.values for value in each.sides))


def not_known(comparison: Comparability, effect: Effect) -> Iterator[str]:
    """A line for each combination of sides that do not say: "A does not show: CPUs, clients"."""
    by_sides: dict[tuple[str, ...], list[str]] = {}
    for compared in sorted(comparison.of(effect, Outcome.UNKNOWN), key=_is_on_no_side):
        silent = tuple(
            side.label
            for side, value in zip(comparison.sides, compared.sides, strict=True)
            if value.state in (ValueState.UNKNOWN, ValueState.SEVERAL)
        )
        known = [
            f"{side.label}: {show_value(value)}"
            for side, value in zip(comparison.sides, compared.sides, strict=True)
            if value.values
        ]
        title = title_of(compared) + (f" ({', '.join(known)})" if known else "")
        by_sides.setdefault(silent, []).append(title)
    for silent, titles in by_sides.items():
        yield f"{_silent(silent, len(comparison.sides))}: {', '.join(titles)}"


def ways_to_know(comparison: Comparability) -> list[str]:
    """What would settle what is not known, as far as that is not said by its name; each sentence once."""
    values = [
        (side, value)
        for compared in comparison.quantities
        for side, value in zip(comparison.sides, compared.sides, strict=True)
    ]
    said = [
        f"{side.label}: {value.doubt}; SHOW GLOBAL VARIABLES would show them" for side, value in values if value.doubt
    ]
    by_release = dict.fromkeys(side.label for side, value in values if value.state is ValueState.SEVERAL)
    if by_release:
        said.append(f"use --server to settle what depends on the release: {', '.join(by_release)}")
    return list(dict.fromkeys(said))


def counts(comparison: Comparability) -> str:
    """How many quantities differ, and how many other variables."""
    of = {effect: len(comparison.of(effect, Outcome.DIFFERS)) for effect in (Effect.DECIDES, Effect.MAY_MATTER)}
    alike = sum(
        all(outcome is Outcome.ALIKE for outcome in each.outcomes) and each.sides[0].state is ValueState.KNOWN
        for each in comparison.quantities
    )
    judged = sum(bool(other.why) for other in comparison.others)
    parts = [
        f"{of[Effect.DECIDES]} decide{'s' if of[Effect.DECIDES] == 1 else ''}",
        f"{of[Effect.MAY_MATTER]} may matter",
        f"{alike} alike",
        f"{len(comparison.others) - judged} differ but are not judged",
        f"{judged} differ but do not matter",
    ]
    return ", ".join(parts)


def reason_line(reason: Reason, side: ComparedSide) -> str:
    """A reason with its source, files without their folders: `innodb_log_file_size = 2 GiB (a.cnf:26)`."""
    source = without_folders(reason.source, side)
    return printable(f"{reason.text} ({source})" if source else reason.text)


def without_folders(text: str, side: ComparedSide) -> str:
    """A text that names files of a side, without the folders they are in: the heading names these."""
    for path in (side.path, *side.path.split(" ")):
        for folder in (path, os.path.dirname(path)):
            text = text.replace(os.path.join(folder, ""), "") if folder else text
    return text


def groups_in_words(comparison: Comparability) -> str:
    """Which sides are comparable with each other: "A, C | B"."""
    return " | ".join(", ".join(comparison.sides[at].label for at in group) for group in comparison.groups)


def _first(words: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    more = len(words) - _MOST_IN_ANSWER
    return ", ".join(words[:_MOST_IN_ANSWER]) + (f", and {more} more" if more > 0 else "")


def _who_is_not(comparison: Comparability) -> str:
    if len(comparison.sides) == 2:
        return "Not comparable"
    wrong = [
        side.label for side, verdict in zip(comparison.sides, comparison.comparable, strict=True) if verdict is False
    ]
    verb = "is" if len(wrong) == 1 else "are"
    return f"{', '.join(wrong)} {verb} not comparable with {comparison.sides[0].label}"


def _difference(compared: ComparedQuantity, comparison: Comparability) -> str:
    """`redo 2 GiB against 4 GiB (MariaDB ignores …)`."""
    groups = value_groups(compared, comparison)
    values = list(dict.fromkeys(show_value(group.value) for group in groups if group.value.values))
    ignored = [r for value in compared.sides for r in value.reasons if r.kind is ReasonKind.IGNORED]
    why = f" ({ignored[0].text})" if ignored else ""
    return f"{title_of(compared)} {' against '.join(values)}{why}"


def _is_on_no_side(compared: ComparedQuantity) -> bool:
    return not any(value.values for value in compared.sides)


def _silent(labels: Sequence[str], sides: int) -> str:
    if len(labels) == sides:
        return "no side shows" if sides > 2 else "neither side shows"
    return f"{', '.join(labels)} {'does' if len(labels) == 1 else 'do'} not show"


def _shown(fact: Fact) -> str:
    if is_secret(fact.name) and fact.value not in ("", None):
        return MASK
    text = "none" if fact.value == "" else show(fact.value, fact.unit)
    text = text.replace("_", " ") if fact.name == "topology" else text
    return printable(text)
