"""Which causes explain what threads wait for, although no sign points to them? A class of waits is divided among them.

Time between statements and unexplained time are not used here, because any cause could explain them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import prod
from typing import Final

from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Cause, ClassShare, RankedCause, SeenSign, WaitGroup
from advisor.why.causes import concerns, matters, speaking_against
from advisor.why.confidence import UNDECIDED
from advisor.why.explained_time import LEAST_SHARE, OF_OTHERS, ExplainedTime, explained_time, in_words, strength_of
from advisor.why.members import MembersByRole

_SAY_NOTHING: Final = (WaitGroup.CLIENT, WaitGroup.UNEXPLAINED)


def explaining(causes: Sequence[Cause], members: MembersByRole) -> list[RankedCause]:
    """Each cause that explains waits, on the member where it explains most, with its part of them as confidence."""
    likeliest: dict[str, RankedCause] = {}
    for view in members.views:
        explained = list(_explained(causes, view, members))
        for cause, time in explained:
            rivals = [_waits(other) for _, other in explained if other.group is time.group]
            found = _as_hypothesis(cause, time, rivals, view)
            known = likeliest.get(cause.id)
            if found is not None and (known is None or found.confidence > known.confidence):
                likeliest[cause.id] = found
    return list(likeliest.values())


def _explained(
    causes: Sequence[Cause], view: MemberFacts, members: MembersByRole
) -> Iterator[tuple[Cause, ExplainedTime]]:
    for cause in causes:
        if cause.answer == "limit" and view in members.deciding(cause.where) and concerns(cause, view):
            time = explained_time(cause, view) if matters(cause, view) else None
            if time is not None and time.classes:
                yield cause, time


def _as_hypothesis(
    cause: Cause, time: ExplainedTime, rivals: Sequence[Collection[ClassShare]], view: MemberFacts
) -> RankedCause | None:
    """`rivals`: the waits of every cause that explains some of the same threads' time; None where it is too little."""
    waits = _waits(time)
    scale = time.share / sum(each.share for each in time.classes)  # of appliers only the time with work counts
    share = scale * sum(each.share for each in waits)
    if share < LEAST_SHARE:
        return None
    part = scale * sum(_weight(each, time) / sum(each in rival for rival in rivals) for each in waits)
    against = speaking_against(cause, view)
    likely = min(UNDECIDED, strength_of(part)) * prod(1 - sign.strength for sign in against)
    sign = SeenSign(in_words(time, share, waits), strength_of(part), ())
    return RankedCause(
        cause, view.member.name, likely, (sign, *against),
        holds_for=(view.release.label,), by_signs=likely, time_share=time.share,
    )  # fmt: skip


def _waits(time: ExplainedTime) -> list[ClassShare]:
    return [each for each in time.classes if each.about not in _SAY_NOTHING]


def _weight(share: ClassShare, time: ExplainedTime) -> float:
    return share.share * (1 if share in time.own else OF_OTHERS)
