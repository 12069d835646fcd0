"""Are these sides comparable, and in which quantities do they differ? All quantities on all members, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.compare.equality import outcome_of
from advisor.compare.member_pairs import MemberPairs, pair_members
from advisor.compare.merge_members import merged_rows, merged_settings
from advisor.compare.other_settings import other_settings
from advisor.compare.reasons import reasons_of, remarks_of
from advisor.compare.side_value import side_value
from advisor.compare.sides import Side
from advisor.evidence.member_facts import MemberFacts
from advisor.model.comparison.comparability import (
    Comparability,
    ComparedQuantity,
    Outcome,
    SideValue,
    ValueState,
)
from advisor.model.comparison.quantity import Effect, Quantity
from advisor.model.record import record, replace

_NO_COUNTERPART = SideValue(ValueState.NOT_APPLICABLE)


@record
class _Place:
    """A member of the first side, and its counterpart on every side (the first included); None without one."""

    member: str
    views: tuple[tuple[MemberFacts, ...] | None, ...]


def compare(sides: Sequence[Side], quantities: Sequence[Quantity]) -> Comparability:
    """Every side against the first. `sides` are two at least."""
    pairs = [pair_members(sides[0].cluster.members, side.cluster.members) for side in sides]
    places = list(_places(sides, pairs))
    compared = tuple(
        row for quantity in quantities for row in merged_rows([_compared(quantity, place) for place in places])
    )
    others = merged_settings([(place.member, list(other_settings(quantities, place.views))) for place in places])
    described = tuple(
        side.described(pair.unmatched if position else ())
        for position, (side, pair) in enumerate(zip(sides, pairs, strict=True))
    )
    verdicts = tuple(
        None if (verdict := _comparable(compared, 0, position)) and not _is_complete(pair) and position else verdict
        for position, pair in enumerate(pairs)
    )
    return Comparability(described, compared, others, verdicts, _groups(compared, len(sides)))


def _places(sides: Sequence[Side], pairs: Sequence[MemberPairs]) -> Iterator[_Place]:
    members = sides[0].cluster.members
    for position, member in enumerate(members):
        counterparts = [pair.counterparts[position] for pair in pairs]
        counterparts[0] = position
        views = tuple(None if at is None else side.views[at] for side, at in zip(sides, counterparts, strict=True))
        yield _Place(member.name if len(members) > 1 else "", views)


def _compared(quantity: Quantity, place: _Place) -> ComparedQuantity:
    """The quantity on every side; with reasons where a side differs from the first, or may."""
    values = [side_value(quantity, views) if views else _NO_COUNTERPART for views in place.views]
    outcomes = tuple(outcome_of(quantity, values[0], value) for value in values)
    if any(outcome in (Outcome.DIFFERS, Outcome.UNKNOWN) for outcome in outcomes[1:]):
        values = [
            replace(value, reasons=(reasons_of if value.values else remarks_of)(quantity, views[-1]))
            if views
            else value
            for value, views in zip(values, place.views, strict=True)
        ]
    return ComparedQuantity(quantity, tuple(values), (Outcome.ALIKE, *outcomes[1:]), (place.member,))


def _is_complete(pair: MemberPairs) -> bool:
    """Whether every member stands against another one."""
    return not pair.unmatched and None not in pair.counterparts


def _comparable(compared: Sequence[ComparedQuantity], one: int, two: int) -> bool | None:
    """Whether two sides are comparable; None where what is unknown could decide against it."""
    if one == two:
        return True
    outcomes = {
        outcome_of(each.quantity, each.sides[one], each.sides[two])
        for each in compared
        if each.quantity.effect is Effect.DECIDES
    }
    if Outcome.DIFFERS in outcomes:
        return False
    return None if Outcome.UNKNOWN in outcomes else True


def _groups(compared: Sequence[ComparedQuantity], count: int) -> tuple[tuple[int, ...], ...]:
    """Each side joins the first group in which nothing known makes it incomparable with any member."""
    groups: list[list[int]] = []
    for position in range(count):
        fitting = (g for g in groups if all(_comparable(compared, other, position) is not False for other in g))
        group = next(fitting, None)
        if group is None:
            groups.append([position])
        else:
            group.append(position)
    return tuple(map(tuple, groups))
