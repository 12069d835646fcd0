"""Are two values of a quantity alike? Words without regard to case, numbers within the quantity's tolerance."""

from __future__ import annotations

from advisor.model.comparison.comparability import Outcome, SideValue, ValueState
from advisor.model.comparison.quantity import Quantity

_ON, _OFF = frozenset({"on", "1", "true", "yes"}), frozenset({"off", "0", "false", "no"})


def outcome_of(quantity: Quantity, first: SideValue, other: SideValue) -> Outcome:
    """The other side against the first. Where several values are possible, only what holds for all of them counts."""
    states = (first.state, other.state)
    if ValueState.NOT_APPLICABLE in states:
        same = first.state is other.state
        return Outcome.ALIKE if same else Outcome.NOT_COMPARED
    if ValueState.UNKNOWN in states:
        return Outcome.UNKNOWN
    pairs = [alike(quantity, one.value, two.value) for one in first.values for two in other.values]
    if not any(pairs):
        return Outcome.DIFFERS
    return Outcome.ALIKE if all(pairs) else Outcome.UNKNOWN


def alike(quantity: Quantity, one: object, two: object) -> bool:
    """Whether the quantity counts the two values as equal."""
    if isinstance(one, bool) or isinstance(two, bool):
        return _as_switch(one) == _as_switch(two)
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(one - two) <= quantity.tolerance * max(abs(one), abs(two))
    return _word(quantity, one) == _word(quantity, two)


def _as_switch(value: object) -> object:
    word = str(value).lower()
    return True if word in _ON else False if word in _OFF else word


def _word(quantity: Quantity, value: object) -> str:
    """The word itself, or the first of those that mean the same."""
    word = str(value).strip().lower()
    for words in quantity.same:
        if word in [each.lower() for each in words]:
            return words[0].lower()
    return word
