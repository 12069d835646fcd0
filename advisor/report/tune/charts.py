"""What is drawn of a tuning run? Its trials in order and against their lag, and its finalists with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.recommendation import Contender, Recommendation, TriedSetting, contender_label
from advisor.report.html.chart import Axis, Group, Mark, Point, Scatter
from advisor.report.tune.sentences import mean_rate
from advisor.report.words.amounts import duration, rate, ratio

_LEAST_LAG_MS: Final = 1.0  # a logarithmic axis has no zero
_RATE: Final = Axis("transactions per second")
_BASELINE: Final = "baseline"


def charts_of(recommendation: Recommendation) -> list[Scatter]:
    """Those for which enough was measured."""
    return [
        chart
        for chart in (finalists(recommendation), trials(recommendation), against_lag(recommendation))
        if chart is not None
    ]


def finalists(recommendation: Recommendation) -> Scatter | None:
    """The ratio of each finalist to the baseline, with its interval."""
    compared = [
        contender
        for contender in recommendation.contenders
        if contender.ratio is not None and contender.ratio.mid is not None
    ]
    if not compared:
        return None
    points: dict[str, list[Point]] = {name: [] for name in _STANDINGS}
    for row, contender in enumerate(compared):
        points[_standing(contender, recommendation)] += _ratio_point(contender, row)
    groups = [Group(name, colour, mark, tuple(points[name])) for name, (colour, mark) in _STANDINGS.items()]
    names = tuple(contender.name for contender in compared)
    return Scatter(
        "finalists", "Finalists against the baseline",
        "Sustained rate of each finalist as a multiple of the baseline's, with 95 % intervals over the blocks.",
        Axis("times the baseline's sustained rate"), Axis("", rows=names), _shown(groups), (1.0, _BASELINE),
    )  # fmt: skip


def _ratio_point(contender: Contender, row: int) -> list[Point]:
    interval = contender.ratio
    if interval is None or interval.mid is None:
        return []
    label = f"{contender.name}: {ratio(interval)} times the baseline"
    return [Point(interval.mid, float(row), label, interval.low, interval.high)]


_STANDINGS: Final = {
    "recommended": ("c3", Mark.DIAMOND),
    "accepted": ("c2", Mark.DOT),
    "not accepted": ("c1", Mark.RING),
}


def _standing(contender: Contender, recommendation: Recommendation) -> str:
    if contender.name == recommendation.chosen:
        return "recommended"
    return "accepted" if contender.accepted else "not accepted"


def trials(recommendation: Recommendation) -> Scatter | None:
    """The rate of every trial in the order they were run, and the best so far inside the lag limit."""
    if sum(trial.rate is not None for trial in recommendation.trials) < 2:
        return None
    best: list[Point] = []
    for trial in sorted(recommendation.trials, key=lambda trial: trial.number):
        before = best[-1].y if best else 0.0
        if trial.within and (trial.rate or 0.0) > 0:
            y = max(before, trial.rate or 0.0)
            best.append(Point(_order(trial), y, f"best so far: {rate(y)} tx/s"))
    if best:
        best.append(Point(float(max(trial.number for trial in recommendation.trials) + 1), best[-1].y, best[-1].label))
    groups = [
        *_by_verdict(recommendation.trials, _in_order),
        Group("best so far within the lag limit", "c2", Mark.STEPS, tuple(best)),
    ]
    return Scatter(
        "trials", "Sustained rate of every trial",
        "In the order of the trials. Each is a single measurement; only validation decides. Failed trials are at 0.",
        Axis("trial", whole=True), _RATE, _shown(groups),
    )  # fmt: skip


def against_lag(recommendation: Recommendation) -> Scatter | None:
    """Rate against lag of every trial that has both; of the recommended configuration also the blocks."""
    both = [trial for trial in recommendation.trials if trial.rate is not None and trial.lag_ms is not None]
    if len(both) < 2:
        return None
    groups = [*_by_verdict(both, _by_lag), *_chosen(recommendation)]
    return Scatter(
        "lag", "Throughput against lag",
        "Higher means more throughput, further left less lag. Trials to the right of the dashed line broke the limit.",
        Axis("lag, 95th percentile, ms (logarithmic)", logarithmic=True), _RATE, _shown(groups),
        (max(recommendation.lag_bound_ms, _LEAST_LAG_MS), f"lag limit {duration(recommendation.lag_bound_ms)}"),
    )  # fmt: skip


def _by_verdict(trials: Sequence[TriedSetting], point: Callable[[TriedSetting], Point]) -> list[Group]:
    """Trials by what came of them; the baseline apart, for it is what everything is compared with."""
    members: dict[str, list[Point]] = {name: [] for name in _VERDICTS}
    for trial in trials:
        members[_verdict(trial)].append(point(trial))
    return [Group(name, colour, mark, tuple(members[name])) for name, (colour, mark) in _VERDICTS.items()]


_VERDICTS: Final = {
    _BASELINE: ("c0", Mark.SQUARE),
    "within the limits": ("c2", Mark.DOT),
    "outside a limit": ("c1", Mark.RING),
    "failed": ("c7", Mark.CROSS),
}


def _verdict(trial: TriedSetting) -> str:
    if trial.rate is None:
        return "failed"
    if trial.kind == _BASELINE or not trial.changed:
        return _BASELINE
    return "within the limits" if trial.within else "outside a limit"


def _in_order(trial: TriedSetting) -> Point:
    return Point(_order(trial), trial.rate or 0.0, _label(trial))


def _by_lag(trial: TriedSetting) -> Point:
    return Point(max(trial.lag_ms or 0.0, _LEAST_LAG_MS), trial.rate or 0.0, _label(trial))


def _order(trial: TriedSetting) -> float:
    return float(trial.number + 1)


def _label(trial: TriedSetting) -> str:
    measured = trial.because or "nothing was measured" if trial.rate is None else f"{rate(trial.rate)} tx/s"
    lag = "" if trial.lag_ms is None else f", lag {duration(trial.lag_ms)}"
    return f"trial {trial.number + 1}, {trial.kind}: {measured}{lag}"


def _chosen(recommendation: Recommendation) -> list[Group]:
    """The recommended configuration as the blocks measured it."""
    best = next((each for each in recommendation.contenders if each.name == recommendation.chosen), None)
    mean = mean_rate(best) if best else None
    if best is None or mean is None or best.lag_ms is None:
        return []
    label = f"{contender_label(best.name)}, mean of the blocks: {rate(mean)} tx/s, lag {duration(best.lag_ms)}"
    point = Point(max(best.lag_ms, _LEAST_LAG_MS), mean, label)
    return [Group("recommended (mean of the blocks)", "c3", Mark.DIAMOND, (point,))]


def _shown(groups: Sequence[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.points)
