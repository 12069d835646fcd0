"""What should a reader know about each hypothesis? The strongest evidence for it, and what would prove it wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.diagnosis import (
    SURE,
    Diagnosis,
    NextObservation,
    Prediction,
    RankedCause,
    SeenSign,
    ThreadProfile,
    Threads,
    Where,
)
from advisor.model.record import record
from advisor.report.why.profile_groups import explained_shares, in_a_sentence, percent

LEAST: Final = 0.1  # a cause less likely than this is not worth a line
MOST_SIGNS: Final = 3
_WORTH_NAMING: Final = 0.08


@record
class Refutation:
    """What would prove a cause wrong: what to find out and how, what speaks against it, what it leaves unexplained."""

    find_out: str = ""
    command: str = ""
    against: str = ""
    left: str = ""

    def __bool__(self) -> bool:
        return bool(self.find_out or self.against or self.left)


def first_cause(diagnosis: Diagnosis) -> RankedCause | None:
    """The cause that a report shows in full; None where there is no candidate."""
    return next(iter(_listed(diagnosis)), None)


def further_causes(diagnosis: Diagnosis) -> list[RankedCause]:
    """The other hypotheses, in their order."""
    return _listed(diagnosis)[1:]


def _listed(diagnosis: Diagnosis) -> list[RankedCause]:
    if diagnosis.differential is not None:
        return [each.ranked for each in diagnosis.differential.hypotheses]
    return [cause for cause in diagnosis.causes if cause.confidence >= LEAST]


def probability(ranked: RankedCause, diagnosis: Diagnosis) -> float:
    """How probable a hypothesis is. If no cause is an answer, all hypotheses and "something else" add up to 1."""
    known = diagnosis.differential.hypotheses if diagnosis.differential is not None else ()
    return next((each.probability for each in known if each.ranked.cause.id == ranked.cause.id), ranked.confidence)


def something_else(diagnosis: Diagnosis) -> str:
    """How probable it is that no hypothesis is right, in percent; "" where a cause is an answer."""
    return f"{diagnosis.differential.rest * 100:.0f} %" if diagnosis.differential is not None else ""


def worth(observation: NextObservation) -> str:
    """What an observation costs and how much it settles, as a sentence; "" if this is unknown."""
    if not observation.doubt_bits:
        return ""
    bits = f"{observation.bits:.2g} of {observation.doubt_bits:.2g} bits"
    told = f"It takes {observation.takes}, and would settle {observation.settles * 100:.0f} % of the doubt ({bits})."
    if len(observation.yes_for) > 1:
        told += f" A yes points to {' or '.join(observation.yes_for)}."
    return told


def strongest(signs: Sequence[SeenSign]) -> list[SeenSign]:
    """Signs, strongest first."""
    return sorted(signs, key=lambda sign: -sign.strength)


def speaking_for(ranked: RankedCause) -> list[SeenSign]:
    """The signs for a cause, strongest first."""
    return strongest([sign for sign in ranked.signs if sign.speaks_for])


def speaking_against(ranked: RankedCause) -> list[SeenSign]:
    """The signs against a cause, strongest first."""
    return strongest([sign for sign in ranked.signs if not sign.speaks_for])


def refutation(ranked: RankedCause, diagnosis: Diagnosis) -> Refutation:
    """What would prove this cause wrong."""
    against = speaking_against(ranked)
    is_next = diagnosis.differential is not None and diagnosis.next is not None and _is_told(ranked, diagnosis.next)
    return Refutation(
        find_out="" if is_next else ranked.cause.settles,
        command="" if is_next else ranked.cause.command.strip(),
        against=against[0].says if against else "",
        left=_left(ranked, diagnosis),
    )


def other_observation(diagnosis: Diagnosis) -> NextObservation | None:
    """The observation that decides, unless it is the one that would prove the first cause wrong.

    If no cause is an answer, it is always shown, with the share of the doubt that it settles.
    """
    first = first_cause(diagnosis)
    told = first is not None and diagnosis.next is not None and _is_told(first, diagnosis.next)
    return None if told and diagnosis.differential is None else diagnosis.next


def _is_told(ranked: RankedCause, observation: NextObservation) -> bool:
    return observation.need == ranked.cause.settles


def _left(ranked: RankedCause, diagnosis: Diagnosis) -> str:
    """How much of its threads' time a cause explains, and what the rest is; "" without a profile."""
    profile = _profile_of(ranked, diagnosis)
    if profile is None:
        return ""
    classes = _explains(ranked, profile.group)
    parts = []
    if classes:
        explained = sum(map(profile.share, classes))
        parts.append(f"{percent(explained)} is explained by this cause")
    others = [share for share in explained_shares(profile) if share.wait_class not in classes]
    if others and others[0].share >= _WORTH_NAMING:
        parts.append(f"{percent(others[0].share)} is “{in_a_sentence(others[0].title)}”")
    parts.append(f"{percent(profile.unexplained)} is unexplained")
    return f"of the time of the {profile.group} of {profile.member}, " + ", ".join(parts)


def _profile_of(ranked: RankedCause, diagnosis: Diagnosis) -> ThreadProfile | None:
    """The group of threads that the cause is about: of those it explains the one with the largest share."""
    groups = {profile.group: profile for profile in diagnosis.profile if profile.member == ranked.member}
    named = [profile for group, profile in groups.items() if _explains(ranked, group)]
    if named:
        return max(named, key=lambda profile: sum(map(profile.share, _explains(ranked, profile.group))))
    return groups.get(Threads.APPLIERS if ranked.cause.where is Where.APPLIER else Threads.WRITERS)


def _explains(ranked: RankedCause, group: Threads) -> tuple[str, ...]:
    """The classes of waits that the cause makes a group of threads spend its time in."""
    cause, name = ranked.cause, str(group)
    return tuple(dict.fromkeys((*cause.explains.get(name, ()), *cause.may_explain.get(name, ()))))


def expected(prediction: Prediction, written: Callable[[float], str]) -> tuple[str, str]:
    """The range of expected rates and the likeliest one; ("about 77", "") where all read the same."""
    low, mid, high = (written(rate) for rate in (prediction.low, prediction.mid, prediction.high))
    return (f"about {mid}", "") if low == high else (f"{low} to {high}", mid)


def corrected(prediction: Prediction) -> str:
    """What corrected a prediction; "" for nothing."""
    return f"calibrated on {prediction.verified} verified changes on this machine" if prediction.verified else ""


def is_answer(ranked: RankedCause | None) -> bool:
    """Whether a cause is likely enough to be an answer."""
    return ranked is not None and ranked.confidence >= SURE
