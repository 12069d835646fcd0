"""What will the first advice give? From the rate without the cause and the next ceilings above.

The cause's own formula, or the lowest ceiling that the advice does not lift, says what is left without the cause;
without a formula, the wait profile does. Something else then waits longer, so that not all of the gain arrives: `mid`
is what usually did, `low` and `high` are as far apart as it was measured. For a member that falls behind, the rate is
the one at which it applies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.conditions import bind
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Cause, ComputedCeiling, Prediction, Where
from advisor.why.causes import CauseAssessment
from advisor.why.rate_without_wait import is_pure_wait, rates_with_less_cpu, rates_without

_HALF: Final = 0.5
_ARRIVES: Final = 0.65  # of the gain by a formula: half of 11 effects of the open gym reached more, half less
# Of the gain: of 11 effects of the open gym that a formula predicted, 9 reached a third of it and 7 half. This little
# makes the intervals hold 32 of 37 measured rates there.
_LEAST_GAIN: Final = 0.1
# So far the interval is widened: then it holds 21 of 22 measured rates of the open gym whose cause was named first.
_PROFILE_ERROR: Final = (0.7, 3.0)
# The same where the cause is a wait. (0.6, 2.2) hold 16 of 17 there, but two rates fewer on plays that nobody has read.
_WAIT_ERROR: Final = (0.5, 3.0)
_CATCHES_UP: Final = 3.0  # times what arrives: how fast a member applies a backlog is seen only once it can; 2.6 was


def predict(
    assessment: CauseAssessment, ceilings: Sequence[ComputedCeiling], observed: float | None
) -> Prediction | None:
    """None where neither a formula, nor the share of time it explains, nor the observed rate is known."""
    cause, view = assessment.cause, assessment.view
    observed = _rate_now(cause, view, observed)
    if observed is None or cause.answer != "limit":
        return None
    above = [each for each in ceilings if cause.id not in each.ceiling.lifted_by and each.per_second > observed]
    gain = bind(cause.gain_tree)(view.value) if cause.gain_tree else None
    if not isinstance(gain, int | float):
        return _by_profile(assessment, observed)
    if gain <= observed:
        return None
    nearest = min(above, key=lambda each: each.per_second, default=None)
    most = nearest.per_second if nearest else float("inf")
    left = min(float(gain), most)
    high = min(left + (left - observed) * _HALF, max(most, left))
    limit = f", up to the next limit: {nearest.ceiling.title}" if nearest and left == most else ""
    arrives = 1.0 if cause.where is Where.APPLIER else _ARRIVES  # what more workers bring was measured as it arrives
    low, mid = (observed + (left - observed) * share for share in (_LEAST_GAIN, arrives))
    return Prediction(low, mid, high, f"{cause.gain}{limit}", observed)


def _by_profile(assessment: CauseAssessment, observed: float) -> Prediction | None:
    """What is left without the waits that the cause explains; a member that applies late has to apply all that arrives.

    The middle is the mean of the two rates. Where threads that run are part of what is explained, it is the higher one,
    at which the CPU time that the cause takes goes with it.
    """
    if assessment.cause.where is Where.APPLIER:
        arriving = assessment.view.get("fact.arriving_per_second", None)
        if not isinstance(arriving, int | float) or arriving <= observed:
            return None
        low, high = observed + (arriving - observed) * _HALF, arriving * _CATCHES_UP
        return Prediction(low, arriving, high, "what arrives", observed)
    left = bind(assessment.cause.cpu_left_tree)(assessment.view.value) if assessment.cause.cpu_left_tree else None
    if assessment.time and isinstance(left, int | float):
        return _with_less_cpu(rates_with_less_cpu(assessment.view, assessment.time, left), observed)
    rates = rates_without(assessment.view, assessment.time) if assessment.time else None
    if rates is None or rates[1] <= observed:
        return None
    pure = is_pure_wait(assessment.time) if assessment.time else False
    mid = sum(rates) / len(rates) if pure else rates[1]
    least, most = _WAIT_ERROR if pure else _PROFILE_ERROR
    low, high = max(observed, rates[0] * least), rates[1] * most
    return Prediction(low, max(low, mid), high, "the rest of the wait profile", observed)


def _with_less_cpu(rates: tuple[float, float, float] | None, observed: float) -> Prediction | None:
    if rates is None or rates[1] <= observed:
        return None
    low, mid, high = rates
    return Prediction(low, mid, high, "CPU time without what the cause takes of it", observed)


def _rate_now(cause: Cause, view: MemberFacts, observed: float | None) -> float | None:
    """The rate now: the one at which the member applies, where that member is slower than the writers."""
    applied = view.get("fact.applied_per_second", None) if cause.where is Where.APPLIER else None
    if isinstance(applied, int | float) and observed and applied < observed:
        return float(applied)
    return observed


def ceiling_of(cause: Cause, ceilings: Sequence[ComputedCeiling]) -> float | None:
    """The rate that the cause's own ceiling permits."""
    return next((each.per_second for each in ceilings if each.ceiling.id == cause.ceiling), None)
