"""At which rate does every member keep up, and did every member keep up within the lag limit?

Two questions about the measured phase. Does a backlog grow? Its slope's 95 % interval is compared with `TOLERANCE` of
the commit rate: wholly above, it grows; wholly below, it does not. In between the slope is inconclusive, but the final
backlog may decide: if it is smaller than growth at the tolerance would have made it since the load began, it does not
grow; otherwise the answer is unknown. Is the lag within the limit? Its 95th percentile must not exceed it. What could
not be observed in a tenth of the moments is unknown, and so is the verdict, unless another member already fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.measurement import MemberMeasurement, Sustained
from advisor.model.record import record

TOLERANCE: Final = 0.02  # of the commit rate
KNOWN_SHARE: Final = 0.9  # of the moments


@record
class ApplyingMember:
    """A member that applies others' transactions. `known_share`: in which share of moments backlog and lag were known.

    `progress_per_second` is what it completed, its own commits and what it applied; None when unknown.
    `backlog_at_end` is in transactions, when the load ended; `backlog_late` is the maximum of the last three moments,
    and `loaded_seconds` how long the load had run by then.
    """

    measured: MemberMeasurement
    known_share: float
    progress_per_second: float | None
    backlog_at_end: int | None
    backlog_late: int | None
    loaded_seconds: float


def verdict(applying: Sequence[ApplyingMember], rate_per_second: float, bound_ms: float) -> tuple[bool | None, str]:
    """Whether every member kept up within the lag limit, and why; True where no member has anything to apply."""
    if rate_per_second <= 0:
        return None, "nothing was committed"
    if not applying:
        return True, "no other member has to apply changes"
    verdicts = [_judge(member, rate_per_second, bound_ms) for member in applying]
    for worse in (False, None):
        reasons = [reason for inside, reason in verdicts if inside is worse]
        if reasons:
            return worse, "; ".join(reasons)
    lags = [member.measured.lag_ms["p95"] for member in applying if member.measured.lag_ms]
    return True, f"no backlog grows, and the worst lag p95 is {_ms(max(lags))} (limit {_ms(bound_ms)})"


def sustained_rates(
    applying: Sequence[ApplyingMember], rate_per_second: float, seconds: float, offered: float, inside: bool | None
) -> tuple[Sustained, ...]:
    """The sustained rate by every method the run allows; none is above the commit rate."""
    rates = []
    progress = [member.progress_per_second for member in applying]
    known = [rate for rate in progress if rate is not None]
    if len(known) == len(progress):
        rates.append(Sustained(min([rate_per_second, *known]), "slowest_member"))
    drained = [_drained(member, seconds) for member in applying]
    drain_rates = [rate for rate in drained if rate is not None]
    if applying and len(drain_rates) == len(drained):
        rates.append(Sustained(min([rate_per_second, *drain_rates]), "drain"))
    if offered and inside and rate_per_second >= (1 - TOLERANCE) * offered:
        rates.append(Sustained(offered, "offered"))
    return tuple(rates)


def _drained(member: ApplyingMember, seconds: float) -> float | None:
    """What was completed while measuring plus the backlog left, over the time both took."""
    measured, left = member.measured, member.backlog_at_end
    if measured.drain_seconds is None or left is None or member.progress_per_second is None or seconds <= 0:
        return None
    return (member.progress_per_second * seconds + left) / (seconds + measured.drain_seconds)


def _judge(member: ApplyingMember, rate: float, bound_ms: float) -> tuple[bool | None, str]:
    measured = member.measured
    name, lags, slope = measured.member, measured.lag_ms, measured.backlog_slope_per_second
    small = TOLERANCE * rate
    if lags and lags["p95"] > bound_ms:
        return False, f"the lag p95 of {name} is {_ms(lags['p95'])}, above the limit of {_ms(bound_ms)}"
    if slope.low is not None and slope.mid is not None and slope.low > small:
        return False, f"the backlog of {name} grows by {slope.mid:.0f} tx/s"
    if member.known_share < KNOWN_SHARE or not lags:
        return None, f"the backlog or the lag of {name} is known in only {member.known_share:.0%} of the samples"
    if member.backlog_late is not None and member.backlog_late <= small * member.loaded_seconds:
        return True, ""
    if slope.low is None or slope.high is None:
        return None, f"there are too few samples to tell whether the backlog of {name} grows"
    if slope.high > small:
        return None, (
            f"the run is too short to tell whether the backlog of {name} grows: its slope is between "
            f"{slope.low:+.0f} and {slope.high:+.0f} tx/s"
        )
    return True, ""


def _ms(value: float) -> str:
    return f"{value / 1000:.3g} s" if value >= 1000 else f"{value:.3g} ms"
