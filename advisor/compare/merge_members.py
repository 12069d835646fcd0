"""What is the same for several members of a cluster? It is said once, with their names; for all members without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.model.comparison.comparability import ComparedQuantity, OtherSetting
from advisor.model.record import replace


def merged_rows(rows: Sequence[ComparedQuantity]) -> list[ComparedQuantity]:
    """Rows of one quantity, one for each member, with those merged that have the same values on every side."""
    merged: dict[Any, ComparedQuantity] = {}
    for row in rows:
        values = tuple((side.state, *(str(fact.value) for fact in side.values)) for side in row.sides)
        found = merged.setdefault((row.outcomes, values), row)
        if found is not row:
            merged[row.outcomes, values] = replace(found, members=(*found.members, *row.members))
    return [replace(row, members=() if len(merged) == 1 else row.members) for row in merged.values()]


def merged_settings(of_members: Sequence[tuple[str, Sequence[OtherSetting]]]) -> tuple[OtherSetting, ...]:
    """The differing variables of every member by name, with those merged that have the same values on every side."""
    members: dict[OtherSetting, list[str]] = {}
    for member, settings in of_members:
        for setting in settings:
            members.setdefault(setting, []).append(member)
    ordered = sorted(members.items(), key=lambda item: item[0].name)
    every = len(of_members)
    return tuple(replace(setting, members=() if len(names) == every else tuple(names)) for setting, names in ordered)
