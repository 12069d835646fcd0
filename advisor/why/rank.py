"""In which order are causes reported? The most likely first, and a deeper cause before its symptom.

A member that falls behind comes before what limits the writers: whatever they write beyond its rate is not sustained.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from advisor.model.diagnosis import SURE, RankedCause, Where
from advisor.model.record import replace

_LIKELY: Final = 0.3  # a deeper cause less likely than this does not come before its symptom
_NEARLY_AS_LIKELY: Final = 0.1  # nor does one that is so much less likely than the symptom, where neither is an answer


def rank(causes: Sequence[RankedCause], behind: Collection[str] = ()) -> tuple[RankedCause, ...]:
    """Most likely first; each symptom right after the likeliest cause that explains it, naming all that do.

    With a limit of at least one half, a cause that means "nothing to fix" is left out unless it is likelier still.
    `behind`: the members that apply less than arrives.
    """

    def place(candidate: RankedCause) -> tuple[bool, float, str]:
        applier = candidate.cause.where is Where.APPLIER
        delays = candidate.confidence >= SURE and applier and candidate.member in behind
        return not delays, -candidate.confidence, candidate.cause.id

    limit = max((each.confidence for each in causes if each.cause.answer == "limit"), default=0.0)
    fitting = [c for c in causes if limit < SURE or c.cause.answer == "limit" or c.confidence > limit]
    order = sorted(fitting, key=place)
    by_id = {candidate.cause.id: candidate for candidate in order}
    ranked: list[RankedCause] = []
    for candidate in order:
        _append(candidate, by_id, ranked, ())
    return tuple(ranked)


def _append(
    candidate: RankedCause, by_id: dict[str, RankedCause], ranked: list[RankedCause], symptoms: tuple[str, ...]
) -> None:
    """Append the likeliest deeper cause first; `symptoms` are those it is being appended for."""
    if candidate.cause.id in symptoms or any(each.cause.id == candidate.cause.id for each in ranked):
        return
    least = SURE if candidate.confidence >= SURE else max(_LIKELY, candidate.confidence - _NEARLY_AS_LIKELY)
    deeper = [by_id[id_] for id_ in candidate.cause.symptom_of if id_ in by_id and by_id[id_].confidence >= least]
    deeper.sort(key=lambda each: -each.confidence)
    if deeper:
        _append(deeper[0], by_id, ranked, (*symptoms, candidate.cause.id))
    ranked.append(replace(candidate, deeper=tuple(each.cause.id for each in deeper)))
