"""What do the readings of a member say about each signal over time? Rates and means are those of each interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from advisor.history.rates import gap_seconds, growth, total
from advisor.model.monitoring.history import MemberHistory, Series
from advisor.model.monitoring.timeline import SignalCurve
from advisor.timeline.signals import Form, Formula, Signal

_LEAST_READINGS = 6
Values = tuple[list[float], list[float | None]]


def curves(member: MemberHistory, signals: Sequence[Signal]) -> list[SignalCurve]:
    """The signals that this member's readings can show; the value of an interval stands at its end."""
    return [curve for signal in signals if (curve := _curve(member, signal)) is not None]


def quantities_of(signals: Sequence[Signal]) -> list[str]:
    """Every quantity that some formula needs."""
    every = chain.from_iterable(formula.quantities for signal in signals for formula in signal.formulas)
    return list(dict.fromkeys(every))


def _curve(member: MemberHistory, signal: Signal) -> SignalCurve | None:
    for formula in signal.formulas:
        if not all(quantity in member.series for quantity in formula.quantities):
            continue
        at_seconds, values = _MAKERS[formula.form](member.series, formula)
        known = [value for value in values if value is not None]
        if len(known) >= _LEAST_READINGS and (any(known) or formula.form is not Form.MEAN):
            how = f"{formula.form} of {', '.join(formula.of)}" + (
                f" per {', '.join(formula.per)}" if formula.per else ""
            )
            return SignalCurve(signal.id, signal.title, signal.unit, member.name, at_seconds, values, how)
    return None


def _all_of(series: Mapping[str, tuple[Series, ...]], quantities: Sequence[str]) -> list[Series]:
    """The series of these quantities, with every item of each: all CPUs, all channels."""
    return [one for quantity in quantities for one in series[quantity]]


def _rate(series: Mapping[str, tuple[Series, ...]], formula: Formula) -> Values:
    grown = growth(_all_of(series, formula.of))
    values = [
        None if amount is None else amount * formula.scale / (end - begin)
        for begin, end, amount in zip(grown.begins, grown.ends, grown.grown, strict=True)
    ]
    return list(grown.ends), values


def _mean(series: Mapping[str, tuple[Series, ...]], formula: Formula) -> Values:
    """Where the divisor did not grow there is no mean; it is unknown."""
    of, per = growth(_all_of(series, formula.of)), growth(_all_of(series, formula.per))
    divisors = {round(end, 2): amount for end, amount in zip(per.ends, per.grown, strict=True)}
    values: list[float | None] = []
    for end, amount in zip(of.ends, of.grown, strict=True):
        divisor = divisors.get(round(end, 2))
        values.append(amount * formula.scale / divisor if amount is not None and divisor else None)
    return list(of.ends), values


def _level(series: Mapping[str, tuple[Series, ...]], formula: Formula) -> Values:
    at_seconds, values = total(_all_of(series, formula.of))
    return _with_gaps(at_seconds, [value * formula.scale for value in values])


def _difference(series: Mapping[str, tuple[Series, ...]], formula: Formula) -> Values:
    """Never negative: positions in different files cannot be compared."""
    first, second = (series[quantity][0] for quantity in formula.of)
    others = {round(at, 2): value for at, value in zip(second.at_seconds, second.values, strict=True)}
    pairs = [
        (at, (value - others[round(at, 2)]) * formula.scale)
        for at, value in zip(first.at_seconds, first.values, strict=True)
        if round(at, 2) in others
    ]
    at_seconds, values = _with_gaps([at for at, _ in pairs], [value for _, value in pairs])
    return at_seconds, [None if value is None or value < 0 else value for value in values]


def _with_gaps(at_seconds: Sequence[float], values: Sequence[float]) -> Values:
    """With None in the middle of each gap, so that nothing is drawn or judged across it."""
    gap = gap_seconds(at_seconds)
    moments: list[float] = []
    known: list[float | None] = []
    for at, value in zip(at_seconds, values, strict=True):
        if moments and at - moments[-1] >= gap:
            moments.append((moments[-1] + at) / 2)
            known.append(None)
        moments.append(at)
        known.append(value)
    return moments, known


_MAKERS = {Form.RATE: _rate, Form.MEAN: _mean, Form.LEVEL: _level, Form.DIFFERENCE: _difference}
