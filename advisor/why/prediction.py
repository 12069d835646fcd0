"""What will the first advice give? From the rate without the cause and the next ceilings above.

`mid` is the smaller of what the cause's own formula gives and the lowest ceiling that the advice does not lift. How
much of the gain arrives before the next limit is reached is not known: `low` is half of the gain, `high` half more than
it, up to the next ceiling. For a member that falls behind, the rate is the one at which it applies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.conditions import Missing, bind
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Cause, ComputedCeiling, Prediction, Where

_HALF: Final = 0.5


def predict(
    cause: Cause, view: MemberFacts, ceilings: Sequence[ComputedCeiling], observed: float | None
) -> Prediction | None:
    """None where neither a formula nor a ceiling above the observed rate is known."""
    observed = _rate_now(cause, view, observed)
    if not observed or cause.answer != "limit":
        return None
    above = [each for each in ceilings if cause.id not in each.ceiling.lifted_by and each.per_second > observed]
    gain = bind(cause.gain_tree)(view.value) if cause.gain_tree else None
    if isinstance(gain, Missing) or not isinstance(gain, int | float):
        gain = None
    if gain is None or gain <= observed:
        return None
    nearest = min(above, key=lambda each: each.per_second, default=None)
    most = nearest.per_second if nearest else float("inf")
    mid = min(float(gain), most)
    high = min(mid + (mid - observed) * _HALF, max(most, mid))
    limit = f", up to the next limit: {nearest.ceiling.title}" if nearest and mid == most else ""
    return Prediction(observed + (mid - observed) * _HALF, mid, high, f"{cause.gain}{limit}")


def _rate_now(cause: Cause, view: MemberFacts, observed: float | None) -> float | None:
    """The rate now: the one at which the member applies, where that member is slower than the writers."""
    applied = view.get("fact.applied_per_second", None) if cause.where is Where.APPLIER else None
    if isinstance(applied, int | float) and observed and applied < observed:
        return float(applied)
    return observed


def ceiling_of(cause: Cause, ceilings: Sequence[ComputedCeiling]) -> float | None:
    """The rate that the cause's own ceiling permits."""
    return next((each.per_second for each in ceilings if each.ceiling.id == cause.ceiling), None)
