"""Which member of one cluster stands against which of another? By name, else by role, else in order."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.evidence import Member
from advisor.model.record import record
from advisor.model.server import WRITING_ROLES


@record
class MemberPairs:
    """For each member of the first cluster, the position of its counterpart, None without one; and who is left."""

    counterparts: tuple[int | None, ...]
    unmatched: tuple[str, ...]


def pair_members(first: Sequence[Member], other: Sequence[Member]) -> MemberPairs:
    """Members of the same name, if all of the smaller cluster have one; else those of the same role, in order.

    Single servers always stand against each other. A single server stands against the member that takes the writes.
    """
    if len(first) == len(other) == 1:
        return MemberPairs((0,), ())
    names = [member.name for member in other]
    shared = {member.name for member in first} & set(names)
    if len(shared) == min(len(first), len(other)):
        found = [names.index(member.name) if member.name in shared else None for member in first]
    else:
        found = _by_role(first, other)
    left = [member.name for position, member in enumerate(other) if position not in found]
    return MemberPairs(tuple(found), tuple(left))


def _by_role(first: Sequence[Member], other: Sequence[Member]) -> list[int | None]:
    counterparts: list[int | None] = [None] * len(first)
    for writers in (True, False):
        mine = [at for at, member in enumerate(first) if _writes(member, first) is writers]
        theirs = [at for at, member in enumerate(other) if _writes(member, other) is writers]
        for own, its in zip(mine, theirs, strict=False):
            counterparts[own] = its
    return counterparts


def _writes(member: Member, members: Sequence[Member]) -> bool:
    """Whether it takes writes; where no role is known, the first member does."""
    if len(members) == 1:
        return True
    if all(each.role not in WRITING_ROLES for each in members):
        return member is members[0]
    return member.role in WRITING_ROLES
