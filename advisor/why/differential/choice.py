"""Which observation separates the hypotheses most, for what it costs? The one with the most expected bits per cost.

The observation of a cause asks a yes-or-no question. The answer is also yes if the cause is a symptom of another
hypothesis that is true, or if another hypothesis is true that the same look cannot tell from this cause. If nothing
was read over an interval, collecting evidence competes with these questions, because a collection can name any cause
that counters and waits show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.diagnosis import Cause, Differential, NextObservation
from advisor.model.record import record, replace
from advisor.why.differential.asking import Asking, load_kinds
from advisor.why.differential.information import expected_bits

_COLLECTION: Final = NextObservation(
    "what every member counts, and what its sessions wait for, over a minute",
    "advisor collect --for 60s -o bundle.tar.gz   # while the load runs",
)


@record
class _Question:
    """An observation that can be made, how it is asked, and the groups of hypotheses that it tells apart.

    `says_yes_for`: the group that a yes-or-no question is about.
    """

    observation: NextObservation
    asking: Asking
    told_apart: tuple[frozenset[int], ...]
    says_yes_for: frozenset[int] = frozenset()


def best_observation(differential: Differential, *, collected: bool) -> NextObservation | None:
    """The observation with the most bits per cost; None where no hypothesis can be looked into.

    `collected`: something was read over an interval, so collecting is not asked for.
    """
    causes = [each.ranked.cause for each in differential.hypotheses]
    questions = [_question(cause, causes) for cause in causes if cause.settles]
    shown = [place for place, cause in enumerate(causes) if cause.id not in load_kinds().blind_to]
    if shown and not collected:
        questions.append(_Question(_COLLECTION, load_kinds().collection, tuple(frozenset((n,)) for n in shown)))
    probabilities = [*(each.probability for each in differential.hypotheses), differential.rest]
    told = [(question, expected_bits(probabilities, question.told_apart, question.asking)) for question in questions]
    if not told:
        return None
    best, bits = max(told, key=lambda pair: pair[1] / pair[0].asking.cost)
    names = [cause.id for cause in causes]
    return replace(
        best.observation,
        between=tuple(names) if len(names) > 1 else (),
        yes_for=tuple(names[place] for place in sorted(best.says_yes_for)),
        bits=bits,
        doubt_bits=differential.doubt_bits,
        takes=best.asking.takes,
    )


def _question(cause: Cause, causes: Sequence[Cause]) -> _Question:
    same = frozenset(place for place, other in enumerate(causes) if other is cause or says_yes_too(cause, other))
    return _Question(NextObservation(cause.settles, cause.command), load_kinds().of(cause), (same,), same)


def says_yes_too(cause: Cause, other: Cause) -> bool:
    """Whether the observation that settles a cause says yes where another one is at work.

    It does for the deeper causes of a symptom, for a cause that is looked into with the same command, and for one that
    makes threads wait in the very same classes, unless one of the two is a symptom of the other.
    """
    if other.id in cause.symptom_of:
        return True
    if cause.id in other.symptom_of:
        return False
    return bool(cause.command and cause.command == other.command) or bool(
        _waits(cause) and _waits(cause) == _waits(other)
    )


def _waits(cause: Cause) -> tuple[set[tuple[str, str]], ...]:
    """The classes of waits by which it is known, and those that it makes as others do; () for none."""
    classes = (cause.explains, cause.may_explain)
    return tuple({(group, name) for group, names in each.items() for name in names} for each in classes if any(classes))
