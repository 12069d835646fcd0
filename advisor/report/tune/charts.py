"""What is drawn of a tuning run? Its trials in order and against their lag, and its finalists with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.recommendation import Contender, Recommendation, TriedSetting
from advisor.report.html.chart import Axis, Group, Mark, Point, Scatter
from advisor.report.words.amounts import duration, rate, ratio

_LEAST_LAG_MS: Final = 1.0  # a logarithmic axis has no zero
_RATE: Final = Axis("transactions per second")
_BASELINE: Final = "baseline"


def charts_of(found: Recommendation) -> list[Scatter]:
    """Those for which enough was measured."""
    return [chart for chart in (finalists(found), trials(found), against_lag(found)) if chart is not None]


def finalists(found: Recommendation) -> Scatter | None:
    """The ratio of each finalist to the baseline, with its interval."""
    names: list[str] = []
    points: list[tuple[Contender, Point]] = []
    for one in found.contenders:
        if one.ratio is not None and one.ratio.mid is not None:
            label = f"{one.name}: {ratio(one.ratio)} times the baseline"
            points.append((one, Point(one.ratio.mid, float(len(names)), label, one.ratio.low, one.ratio.high)))
            names.append(one.name)
    if not points:
        return None
    groups = [
        Group(name, colour, mark, tuple(point for one, point in points if _standing(one, found) == name))
        for name, (colour, mark) in _STANDINGS.items()
    ]
    return Scatter(
        "finalists", "Finalists against the baseline",
        "Sustained rate of each finalist as a multiple of the baseline's, with 95 % intervals over the blocks.",
        Axis("times the baseline's sustained rate"), Axis("", rows=tuple(names)), _shown(groups), (1.0, _BASELINE),
    )  # fmt: skip


_STANDINGS: Final = {
    "recommended": ("c3", Mark.DIAMOND),
    "accepted": ("c2", Mark.DOT),
    "not accepted": ("c1", Mark.RING),
}


def _standing(one: Contender, found: Recommendation) -> str:
    if one.name == found.chosen:
        return "recommended"
    return "accepted" if one.accepted else "not accepted"


def trials(found: Recommendation) -> Scatter | None:
    """The rate of every trial in the order they were run, and the best so far inside the lag limit."""
    if sum(one.rate is not None for one in found.trials) < 2:
        return None
    best: list[Point] = []
    for one in sorted(found.trials, key=lambda one: one.number):
        before = best[-1].y if best else 0.0
        if one.within and (one.rate or 0.0) > 0:
            y = max(before, one.rate or 0.0)
            best.append(Point(_order(one), y, f"best so far: {rate(y)} tx/s"))
    if best:
        best.append(Point(float(max(one.number for one in found.trials) + 1), best[-1].y, best[-1].label))
    groups = [
        *_by_verdict(found.trials, _in_order),
        Group("best so far within the lag limit", "c2", Mark.STEPS, tuple(best)),
    ]
    return Scatter(
        "trials", "Sustained rate of every trial",
        "In the order they were run. Single measurements: only the blocks decide. Failed trials are marked at 0.",
        Axis("trial", whole=True), _RATE, _shown(groups),
    )  # fmt: skip


def against_lag(found: Recommendation) -> Scatter | None:
    """Rate against lag of every trial that has both; of the baseline and the recommended one also the blocks."""
    both = [one for one in found.trials if one.rate is not None and one.lag_ms is not None]
    if len(both) < 2:
        return None
    groups = [*_by_verdict(both, _by_lag), *_chosen(found)]
    return Scatter(
        "lag", "Throughput against lag",
        "Up is more transactions, left is less lag; what lies right of the dashed line broke the lag limit.",
        Axis("lag, 95th percentile, ms (logarithmic)", logarithmic=True), _RATE, _shown(groups),
        (max(found.lag_bound_ms, _LEAST_LAG_MS), f"lag limit {duration(found.lag_bound_ms)}"),
    )  # fmt: skip


def _by_verdict(trials: Sequence[TriedSetting], point: Callable[[TriedSetting], Point]) -> list[Group]:
    """Trials by what came of them; the baseline apart, for it is what everything is compared with."""
    members: dict[str, list[Point]] = {name: [] for name in _VERDICTS}
    for one in trials:
        members[_verdict(one)].append(point(one))
    return [Group(name, colour, mark, tuple(members[name])) for name, (colour, mark) in _VERDICTS.items()]


_VERDICTS: Final = {
    _BASELINE: ("c0", Mark.SQUARE),
    "within the limits": ("c2", Mark.DOT),
    "outside a limit": ("c1", Mark.RING),
    "failed": ("c7", Mark.CROSS),
}


def _verdict(one: TriedSetting) -> str:
    if one.rate is None:
        return "failed"
    if one.kind == _BASELINE or not one.changed:
        return _BASELINE
    return "within the limits" if one.within else "outside a limit"


def _in_order(one: TriedSetting) -> Point:
    return Point(_order(one), one.rate or 0.0, _label(one))


def _by_lag(one: TriedSetting) -> Point:
    return Point(max(one.lag_ms or 0.0, _LEAST_LAG_MS), one.rate or 0.0, _label(one))


def _order(one: TriedSetting) -> float:
    return float(one.number + 1)


def _label(one: TriedSetting) -> str:
    measured = one.because or "nothing was measured" if one.rate is None else f"{rate(one.rate)} tx/s"
    lag = "" if one.lag_ms is None else f", lag {duration(one.lag_ms)}"
    return f"trial {one.number + 1}, {one.kind}: {measured}{lag}"


def _chosen(found: Recommendation) -> list[Group]:
    """The recommended configuration as the blocks measured it."""
    best = next((one for one in found.contenders if one.name == found.chosen), None)
    mean = mean_rate(best) if best else None
    if best is None or mean is None or best.lag_ms is None:
        return []
    label = f"{best.name}, mean of the blocks: {rate(mean)} tx/s, lag {duration(best.lag_ms)}"
    point = Point(max(best.lag_ms, _LEAST_LAG_MS), mean, label)
    return [Group("recommended (mean of the blocks)", "c3", Mark.DIAMOND, (point,))]


def mean_rate(one: Contender) -> float | None:
    """Over the blocks that were measured."""
    known = [value for value in one.rates if value is not None]
    return sum(known) / len(known) if known else None


def _shown(groups: Sequence[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.points)
