"""What will the first advice give? From the rate without the cause and the next ceilings above.

`mid` is the smaller of what the cause's own formula gives and the lowest ceiling the advice does not lift. Nobody knows
how much of a gain arrives before the next limit is felt: `low` is half of the gain, `high` half more than it, as far
as the next ceiling permits. Of a member that only falls behind, it is the rate it applies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.conditions import Missing, bind
from advisor.evidence.view import View
from advisor.model.diagnosis import Cause, Prediction, Rung, Where

_HALF: Final = 0.5


def predict(cause: Cause, view: View, ladder: Sequence[Rung], observed: float | None) -> Prediction | None:
    """None where neither a formula nor a ceiling above the observed rate is known."""
    observed = _now(cause, view, observed)
    if not observed or cause.answer != "limit":
        return None
    above = [rung for rung in ladder if cause.id not in rung.ceiling.lifted_by and rung.per_second > observed]
    gain = bind(cause.gain_tree)(view.value) if cause.gain_tree else None
    if isinstance(gain, Missing) or not isinstance(gain, int | float):
        gain = None
    if gain is None or gain <= observed:
        return None
    nearest = min(above, key=lambda rung: rung.per_second, default=None)
    most = nearest.per_second if nearest else float("inf")
    mid = min(float(gain), most)
    high = min(mid + (mid - observed) * _HALF, max(most, mid))
    limit = f", held by the next limit: {nearest.ceiling.title}" if nearest and mid == most else ""
    return Prediction(observed + (mid - observed) * _HALF, mid, high, f"{cause.gain}{limit}")


def _now(cause: Cause, view: View, observed: float | None) -> float | None:
    """The rate now: what the member applies, where it is the one that is slow and the writers are faster."""
    applied = view.get("fact.applied_per_second", None) if cause.where is Where.APPLIER else None
    if isinstance(applied, int | float) and observed and applied < observed:
        return float(applied)
    return observed


def ceiling_of(cause: Cause, ladder: Sequence[Rung]) -> float | None:
    """The rate that the cause's own ceiling permits."""
    return next((rung.per_second for rung in ladder if rung.ceiling.id == cause.ceiling), None)
