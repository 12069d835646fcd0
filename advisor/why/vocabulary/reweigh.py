"""Which causes does a report point to if its words count as well? For reports only: a measurement always wins.

If counters were read over an interval, the wait profile and the rates decide. If people only supply one process list,
figures and sentences, the words say more than the few signs that happen to match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from advisor.model.diagnosis import SURE, RankedCause, SeenSign
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.why.facts.told.words import FREE_TEXTS
from advisor.why.members import MembersByRole
from advisor.why.rules.calibration import MOST_TOLD
from advisor.why.vocabulary.model import Vocabulary, load_vocabulary
from advisor.why.vocabulary.posterior import Seen, posterior
from advisor.why.vocabulary.report import report_lines, told_lines
from advisor.why.vocabulary.terms import terms_of

_LEAST: Final = 0.02  # causes less probable than this and without a sign are not named
_TOLD_TERMS: Final = 4
_SUPPORTED: Final = 0.1  # less than this by what somebody described: printed options and figures alone make no answer
_CANDIDATE: Final = SURE - 0.01


def reweighed(
    found: Sequence[RankedCause], cluster: Cluster, members: MembersByRole, unseen: Callable[[], Sequence[RankedCause]]
) -> list[RankedCause] | None:
    """The causes with their probability by signs and words; None if there is no report, or if something was measured.

    `unseen`: the causes that can apply here and that no sign points to.
    """
    if not _is_report(members):
        return None
    vocabulary = load_vocabulary()
    known = vocabulary.known_terms(terms_of(report_lines(cluster)))
    by_words = vocabulary.probabilities(known)
    if not by_words:
        return None
    every = {each.cause.id: each for each in (*unseen(), *found)}
    chances = posterior(
        {id_: _seen(each) for id_, each in every.items()}, by_words, vocabulary.mixture.of_report(len(known))
    )
    described = vocabulary.probabilities(vocabulary.known_terms(terms_of(told_lines(cluster))))
    told = {id_: min(chance, _most_told(every[id_], described.get(id_, 0.0))) for id_, chance in chances.items()}
    named = [id_ for id_, chance in chances.items() if every[id_].confidence > 0 or chance >= _LEAST]
    return [_told(every[id_], told[id_], by_words.get(id_, 0.0), known, vocabulary) for id_ in named]


def most_told(has_own_sign: bool, described: float) -> float:
    """An answer needs a sign of its own, or what somebody described; an option that is listed is neither."""
    return MOST_TOLD if has_own_sign or described >= _SUPPORTED else _CANDIDATE


def _most_told(each: RankedCause, described: float) -> float:
    by_sign = each.confidence >= SURE and any(sign.speaks_for and sign.separates for sign in each.signs)
    return most_told(by_sign, described)


def _is_report(members: MembersByRole) -> bool:
    """Whether people said something, and nothing was read over an interval.

    One reading by itself is no report: its counters and tables have the same names whatever is wrong.
    """
    read_twice = any(len(view.member.samples) > 1 for view in members.views)
    heads = {name.partition(".")[0] for view in members.views for name in view.member.observed}
    return not read_twice and not heads.isdisjoint(FREE_TEXTS)


def _seen(each: RankedCause) -> Seen:
    return Seen(each.confidence, prod(1 - sign.strength for sign in each.signs if not sign.speaks_for))


def _told(
    each: RankedCause, chance: float, by_words: float, known: dict[str, float], vocabulary: Vocabulary
) -> RankedCause:
    terms = vocabulary.telling_terms(each.cause.id, known, _TOLD_TERMS) if by_words >= _LEAST else ()
    quoted = ", ".join(f"“{term}”" for term in terms)
    words = (SeenSign(f"these words are typical of reports of this cause: {quoted}", by_words, ()),)
    return replace(
        each,
        confidence=chance,
        signs=(*each.signs, *(words if terms else ())),
        limited="" if chance >= SURE else each.limited,
    )
