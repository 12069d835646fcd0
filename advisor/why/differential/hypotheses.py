"""If no cause is an answer, which are possible? Those with signs, or else those that the evidence does not exclude.

A wait that several causes explain is not a sign of any of them. If no cause is an answer, such a wait makes each of
these causes a hypothesis. If the words of a report match no cause, the hypotheses are the causes to check first on this
kind of server. Only if the evidence says nothing are there no hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.conditions import bind, decide, names
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Cause, RankedCause, SeenSign, Sign
from advisor.model.server import Topology
from advisor.why.causes import concerns
from advisor.why.differential.unsigned_waits import explaining
from advisor.why.members import MembersByRole
from advisor.why.rank import rank

LEAST: Final = 0.05  # a cause less likely than this is not worth a look, unless there is no other
_REPORTED_OF: Final = "fact.reported_of"


def candidates(
    ranked: Sequence[RankedCause], causes: Sequence[Cause], members: MembersByRole
) -> tuple[RankedCause, ...]:
    """The causes worth a look, the most likely first and a deeper one before its symptom."""
    pointed_to = [each for each in ranked if each.confidence >= LEAST]
    named = {each.cause.id for each in pointed_to}
    waits = [each for each in explaining(causes, members) if each.confidence >= LEAST and each.cause.id not in named]
    found = [*pointed_to, *waits]
    return rank(found or list(_looked_at_first(causes, members)) or ranked)


def _looked_at_first(causes: Sequence[Cause], members: MembersByRole) -> Iterator[RankedCause]:
    """The causes to look at first on this kind of server, where something was reported of it or waits were sampled."""
    for cause in causes:
        for view in members.deciding(cause.where):
            sign = next((each for each in cause.signs if _is_of_its_kind(each, view)), None)
            if sign is not None and concerns(cause, view) and _says_something(view):
                seen = SeenSign(sign.says, sign.strength, ())
                likely = sign.strength
                yield RankedCause(cause, view.member.name, likely, (seen,), holds_for=(members.label,), by_signs=likely)
                break


def _is_of_its_kind(sign: Sign, view: MemberFacts) -> bool:
    """Whether a sign says nothing but: this is looked at first with this topology."""
    topology = str(view.topology or Topology.STANDALONE).partition("_m")[0]  # "async" for both families
    if set(names(sign.tree)) != {_REPORTED_OF}:
        return False
    return decide(bind(sign.tree), lambda name: topology) is True


def _says_something(view: MemberFacts) -> bool:
    return bool(view.get("fact.report_lines", ()) or view.get("fact.thread_profiles", ()))
