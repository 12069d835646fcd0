"""Which member gets which value? A configuration has one value per knob; members have roles and may differ.

Where a configuration keeps a knob at its current value, every member keeps its own. Members of a group change roles,
so writers and appliers are distinguished only between a source and its replicas. Of members of different size the value
is that of the smallest; what is a share of the memory is set in proportion to it on the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.model.lab import ClusterMember
from advisor.model.server import Role
from advisor.model.tuning import Knob, Members, SearchSpace, Settings
from advisor.units import parse_size

ValuesByMember = Mapping[str, Mapping[str, str]]
_WRITES_ONLY: Final = Role.SOURCE
_APPLIES_ONLY: Final = Role.REPLICA
_FINEST: Final = 16.0  # parts of a value in proportion to the memory
_DECIMALS: Final = re.compile(r"\d+\.\d+")
LEADING: Final = (Role.SOURCE, Role.PRIMARY, Role.STANDALONE)


def applies_to_role(knob: Knob, role: Role) -> bool:
    """Whether a knob is set on members of a role."""
    if knob.members is Members.WRITERS:
        return role is not _APPLIES_ONLY
    return not (knob.members is Members.APPLIERS and role is _WRITES_ONLY)


def left_alone(members: Sequence[ClusterMember], replicas_only: bool) -> tuple[str, ...]:
    """The members that keep what they have: where only replicas may change (`--not-primary`), those that lead."""
    return tuple(member.name for member in members if replicas_only and member.role in LEADING)


def running_settings(space: SearchSpace, members: Sequence[ClusterMember], values: ValuesByMember) -> dict[str, str]:
    """The running configuration: for each knob the value of the first member it applies to.

    Of a knob that is a share of the memory it is the value of the smallest of these members.
    """
    running = {}
    for knob in space.knobs:
        names = [member.name for member in members if applies_to_role(knob, member.role)] or [members[0].name]
        if knob.by_memory:
            names.sort(key=lambda name: space.memory_shares.get(name, 1.0))
        running[knob.name] = as_digits(values[names[0]][knob.name])
    return running


def on_member(space: SearchSpace, knob: Knob, value: str, member: str) -> str:
    """A value of a configuration on one member: in proportion to its memory where the knob is a share of that.

    Rounded down, to whole steps and a sixteenth or less: 6.5G, not 6.74G. A pinned value is the same everywhere.
    """
    share = space.memory_shares.get(member, 1.0)
    if not knob.by_memory or knob.choices or value in knob.special or share <= 1.0:
        return value
    wanted = float(value) * share
    unit = knob.step * 2.0 ** max(0, math.floor(math.log2(wanted / knob.step / _FINEST)))
    return str(int(wanted // unit * unit))


def as_digits(text: str) -> str:
    """A number as digits alone: without the zeros of SHOW VARIABLES (90.000000) or a provider's suffix (128M)."""
    if (size := parse_size(text)) is not None:
        return str(size)
    return text.rstrip("0").rstrip(".") if _DECIMALS.fullmatch(text) else text


def place_settings(
    space: SearchSpace,
    members: Sequence[ClusterMember],
    originals: ValuesByMember,
    settings: Settings,
    untouched: Sequence[str] = (),
) -> dict[str, dict[str, str]]:
    """Member → knob → value of a configuration; `untouched` members keep what they have."""
    running = running_settings(space, members, originals)
    wanted: dict[str, dict[str, str]] = {}
    for member in members:
        own = originals[member.name]
        wanted[member.name] = {
            knob.name: on_member(space, knob, settings[knob.name], member.name)
            if settings[knob.name] != running[knob.name]
            and member.name not in untouched
            and applies_to_role(knob, member.role)
            else own[knob.name]
            for knob in space.knobs
        }
    return wanted
