"""At which rate does every member keep up, and did it, inside the lag bound?

Two questions of the measured phase. Does a backlog grow? Its slope's 95 % interval is compared with `TOLERANCE` of the
commit rate: wholly above, it grows; wholly below, it does not. In between the slope cannot tell, but what is left at
the end may: a backlog that had all the time since the load began to grow, and is smaller than that tolerance would have
made it, does not grow; else it is unknown. Is the lag inside? Its 95th percentile is at most the bound. What could not
be seen in a tenth of the moments is unknown, and so is the verdict, unless another member already says no.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.measurement import MemberMeasurement, Sustained
from advisor.model.record import record

TOLERANCE: Final = 0.02  # of the commit rate
KNOWN_SHARE: Final = 0.9  # of the moments


@record
class Applying:
    """A member that has others' transactions to apply. `known_share`: of the moments its backlog and lag were known.

    `progress_per_second` is what it got done, its own commits and what it applied; None when unknown.
    `backlog_at_end` is in transactions, when the load ended; `backlog_late` the greatest of the last three moments, and
    `loaded_seconds` how long the load had run then.
    """

    measured: MemberMeasurement
    known_share: float
    progress_per_second: float | None
    backlog_at_end: int | None
    backlog_late: int | None
    loaded_seconds: float


def verdict(applying: Sequence[Applying], rate_per_second: float, bound_ms: float) -> tuple[bool | None, str]:
    """Whether every member kept up inside the bound, and why; True where nobody has anything to apply."""
    if rate_per_second <= 0:
        return None, "nothing was committed"
    if not applying:
        return True, "no other member has to keep up"
    judged = [_judge(one, rate_per_second, bound_ms) for one in applying]
    for wanted in (False, None):
        reasons = [why for inside, why in judged if inside is wanted]
        if reasons:
            return wanted, "; ".join(reasons)
    lags = [one.measured.lag_ms["p95"] for one in applying if one.measured.lag_ms]
    return True, f"no backlog grows, and 95 % of the lags are at most {_ms(max(lags))} of {_ms(bound_ms)}"


def ways(
    applying: Sequence[Applying], rate_per_second: float, seconds: float, offered: float, inside: bool | None
) -> tuple[Sustained, ...]:
    """The sustained rate by every method the run allows; none is above the commit rate."""
    found = []
    progress = [one.progress_per_second for one in applying]
    known = [rate for rate in progress if rate is not None]
    if len(known) == len(progress):
        found.append(Sustained(min([rate_per_second, *known]), "slowest_member"))
    drained = [_drained(one, seconds) for one in applying]
    drain_rates = [rate for rate in drained if rate is not None]
    if applying and len(drain_rates) == len(drained):
        found.append(Sustained(min([rate_per_second, *drain_rates]), "drain"))
    if offered and inside and rate_per_second >= (1 - TOLERANCE) * offered:
        found.append(Sustained(offered, "offered"))
    return tuple(found)


def _drained(one: Applying, seconds: float) -> float | None:
    """What was done while measuring and what was left, over the time both took."""
    measured, left = one.measured, one.backlog_at_end
    if measured.drain_seconds is None or left is None or one.progress_per_second is None or seconds <= 0:
        return None
    return (one.progress_per_second * seconds + left) / (seconds + measured.drain_seconds)


def _judge(one: Applying, rate: float, bound_ms: float) -> tuple[bool | None, str]:
    name, lags, slope = one.measured.member, one.measured.lag_ms, one.measured.backlog_slope_per_second
    small = TOLERANCE * rate
    if lags and lags["p95"] > bound_ms:
        return False, f"{name} lags: 5 % of the time by more than {_ms(lags['p95'])}, the bound is {_ms(bound_ms)}"
    if slope.low is not None and slope.mid is not None and slope.low > small:
        return False, f"the backlog of {name} grows by {slope.mid:.0f} tx/s"
    if one.known_share < KNOWN_SHARE or not lags:
        return None, f"the backlog or the lag of {name} is known for only {one.known_share:.0%} of the moments"
    if one.backlog_late is not None and one.backlog_late <= small * one.loaded_seconds:
        return True, ""
    if slope.low is None or slope.high is None:
        return None, f"too few moments to say whether the backlog of {name} grows"
    if slope.high > small:
        return None, (
            f"whether the backlog of {name} grows cannot be told yet: between {slope.low:+.0f} and "
            f"{slope.high:+.0f} tx/s"
        )
    return True, ""


def _ms(value: float) -> str:
    return f"{value / 1000:.3g} s" if value >= 1000 else f"{value:.3g} ms"
