"""Where does a signal of a member move to another level, or climb to it? Change points → shifts in words."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from advisor.model.monitoring.timeline import Shift, SignalCurve
from advisor.model.record import replace
from advisor.timeline.change_points import ChangePoint, change_points
from advisor.timeline.signals import Signal

_MOST_READINGS: Final = 2400
_RAMP_SECONDS: Final = 120.0  # steps up that follow each other within it are one climb
_STARTED: Final = 0.02  # of a climb: below it, it had not begun
_SLOPE_READINGS: Final = 20
_NOISE: Final = 3 * 1.4826  # three standard deviations, from the median deviation


def shifts(curve: SignalCurve, signal: Signal) -> list[Shift]:
    """Every shift of this curve that matters, in order of time."""
    moments, values = _thinned(*_known(curve))
    found: list[Shift] = []
    previous = 0
    for point in change_points(values, signal.size):
        begin = _begin(values, previous, point, signal.piles_up)
        previous = point.at
        early, late = min(point.first, begin), max(point.last, begin)
        shift = Shift(
            signal=signal.id,
            member=curve.member,
            part=signal.part,
            rank=signal.rank,
            at_seconds=_between(moments, begin),
            earliest_seconds=moments[max(0, early - 1)],
            latest_seconds=moments[min(late, len(moments) - 1)],
            before=point.before,
            after=point.after,
            words="",
            load=signal.load,
        )
        if found and signal.piles_up and _climbs_on(found[-1], shift):
            found[-1] = replace(found[-1], after=shift.after)
        else:
            found.append(shift)
    return [replace(shift, words=words(signal, shift)) for shift in found]


def words(signal: Signal, shift: Shift) -> str:
    """The shift as a clause; "" where the signal says nothing in this direction."""
    template = signal.rises if shift.after > shift.before else signal.falls
    before, after = (figure(value, signal.unit) for value in (shift.before, shift.after))
    return template.format(member=shift.member, before=before, after=after)


def figure(value: float, unit: str) -> str:
    """Three figures; shares in percent."""
    if unit == "share":
        return f"{value:.0%}"
    if abs(value) >= 99.5:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value == round(value) else f"{value:.2g}" if abs(value) < 9.95 else f"{value:.0f}"


def _known(curve: SignalCurve) -> tuple[list[float], list[float]]:
    pairs = [(at, value) for at, value in zip(curve.at_seconds, curve.values, strict=True) if value is not None]
    return [at for at, _ in pairs], [value for _, value in pairs]


def _thinned(moments: Sequence[float], values: Sequence[float]) -> tuple[list[float], list[float]]:
    """Means of neighbours where there are very many readings."""
    width = -(-len(values) // _MOST_READINGS)
    if width <= 1:
        return list(moments), list(values)
    starts = range(0, len(values) - width + 1, width)
    return [moments[at + width - 1] for at in starts], [sum(values[at : at + width]) / width for at in starts]


def _begin(values: Sequence[float], previous: int, point: ChangePoint, piles_up: bool) -> int:
    """The reading at which a shift began: the ones before were within the noise of the old level.

    What piles up was on its way while it was still within the noise: its slope tells how long.
    """
    level = values[previous : point.at]
    noise = _NOISE * median(abs(value - point.before) for value in level)
    least = max(_STARTED * abs(point.after - point.before), noise)
    earliest = previous + len(level) // 2
    began = point.at
    while began > earliest and abs(values[began - 1] - point.before) > least:
        began -= 1
    if not piles_up:
        return began
    climb = values[began : began + _SLOPE_READINGS]
    slope = (climb[-1] - climb[0]) / max(1, len(climb) - 1)
    gone = values[began] - point.before
    if slope * gone <= 0:
        return began
    return max(earliest, began - round(min(gone / slope, least / abs(slope) + 1)))


def _between(moments: Sequence[float], at: int) -> float:
    """The middle between the last reading of the old level and the first of the new one."""
    return (moments[at - 1] + moments[at]) / 2 if at else moments[0]


def _climbs_on(earlier: Shift, later: Shift) -> bool:
    same_way = (earlier.after - earlier.before) * (later.after - later.before) > 0
    return same_way and later.at_seconds - earlier.latest_seconds <= _RAMP_SECONDS
