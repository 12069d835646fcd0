"""Which rate does each resource permit? The ceilings that can be computed for this cluster, lowest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.check.message import fill
from advisor.conditions import Missing, bind, names
from advisor.errors import RuleError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Ceiling, ComputedCeiling
from advisor.model.evidence import Fact
from advisor.why.causes import concerns
from advisor.why.members import MembersByRole


def compute_ceilings(members: MembersByRole, ceilings: Sequence[Ceiling]) -> tuple[ComputedCeiling, ...]:
    """Each ceiling whose facts are known; of several members the one that permits least."""
    lowest = []
    for ceiling in ceilings:
        of_members = [each for view in members.deciding(ceiling.where) for each in _computed(ceiling, view)]
        if of_members:
            lowest.append(min(of_members, key=lambda computed: computed.per_second))
    return tuple(sorted(lowest, key=lambda computed: computed.per_second))


def _computed(ceiling: Ceiling, view: MemberFacts) -> Iterator[ComputedCeiling]:
    if not concerns(ceiling, view):
        return
    rate = bind(ceiling.tree)(view.value)
    if isinstance(rate, Missing):
        return
    if isinstance(rate, bool) or not isinstance(rate, int | float):
        raise RuleError(f"per_second gives {rate!r}, which is not a number", file=ceiling.file)
    facts = [view.fact(name) for name in dict.fromkeys(names(ceiling.tree))]
    known = tuple(view.explained(fact) for fact in facts if isinstance(fact, Fact))
    if rate > 0:
        yield ComputedCeiling(ceiling, view.member.name, float(rate), fill(ceiling.finding, view), known)
