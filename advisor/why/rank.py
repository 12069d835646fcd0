"""In which order are causes told? The surest first; and what lies deeper before the symptom it makes.

A member that falls behind comes before what limits the writers: nothing they write beyond its rate is sustained.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from advisor.model.diagnosis import Suspect, Where
from advisor.model.record import replace

_LIKELY: Final = 0.3  # a deeper cause less likely than this does not come before what is seen
_SURE: Final = 0.5  # and no mere candidate comes before an answer


def ranked(suspects: Sequence[Suspect], behind: Collection[str] = ()) -> tuple[Suspect, ...]:
    """Surest first; each symptom right behind the surest cause that explains it, naming all that do.

    Where a limit is sure, that nothing is wrong is no answer any more, unless it is surer still.
    `behind`: the members that apply less than arrives.
    """

    def place(one: Suspect) -> tuple[bool, float, str]:
        delays = one.confidence >= _SURE and one.cause.where is Where.APPLIER and one.member in behind
        return not delays, -one.confidence, one.cause.id

    limit = max((one.confidence for one in suspects if one.cause.answer == "limit"), default=0.0)
    fitting = [one for one in suspects if limit < _SURE or one.cause.answer == "limit" or one.confidence > limit]
    order = sorted(fitting, key=place)
    by_id = {suspect.cause.id: suspect for suspect in order}
    told: list[Suspect] = []
    for suspect in order:
        _tell(suspect, by_id, told, ())
    return tuple(told)


def _tell(suspect: Suspect, by_id: dict[str, Suspect], told: list[Suspect], above: tuple[str, ...]) -> None:
    if suspect.cause.id in above or any(one.cause.id == suspect.cause.id for one in told):
        return
    least = _SURE if suspect.confidence >= _SURE else _LIKELY
    deeper = [by_id[id_] for id_ in suspect.cause.symptom_of if id_ in by_id and by_id[id_].confidence >= least]
    deeper.sort(key=lambda one: -one.confidence)
    if deeper:
        _tell(deeper[0], by_id, told, (*above, suspect.cause.id))
    told.append(replace(suspect, deeper=tuple(one.cause.id for one in deeper)))
