"""What is drawn of a tuning run? Its trials in order and against their lag, and its finalists with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.recommendation import (
    BASELINE,
    Contender,
    Front,
    FrontCost,
    Recommendation,
    TriedSetting,
    contender_label,
)
from advisor.report.html.chart import Axis, Group, Mark, Point, Scatter
from advisor.report.tune import tables
from advisor.report.tune.aims import Aim, aim_of, mean_rate
from advisor.report.words.amounts import duration, ratio

_LEAST_LAG_MS: Final = 1.0  # a logarithmic axis has no zero
_BASELINE: Final = "baseline"


def charts_of(recommendation: Recommendation) -> list[Scatter]:
    """Those for which enough was measured."""
    return [
        chart
        for chart in (
            finalists(recommendation),
            trials(recommendation),
            against_lag(recommendation),
            *fronts_of(recommendation),
        )
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
    names, aim = tuple(contender.name for contender in compared), aim_of(recommendation)
    improved = f"{aim.improved[0].upper()}{aim.improved[1:]}"
    return Scatter(
        "finalists", "Finalists against the baseline",
        f"{improved} of each finalist, divided by that of the baseline: in each block, and over all blocks with the "
        "95 % interval.",
        Axis(f"{improved}, times that of the baseline"), Axis("", rows=names),
        _shown([_in_blocks(recommendation, compared, aim), *groups]), (1.0, _BASELINE),
    )  # fmt: skip


def _in_blocks(recommendation: Recommendation, compared: Sequence[Contender], aim: Aim) -> Group:
    """What each block says of each finalist."""
    baselines = [contender for contender in recommendation.contenders if contender.name == BASELINE]
    points = [
        point
        for baseline in baselines
        for row, contender in enumerate(compared)
        for point in _block_points(contender, baseline, row, aim)
    ]
    return Group("one block", "c0", Mark.RING, tuple(points))


def _block_points(contender: Contender, baseline: Contender, row: int, aim: Aim) -> list[Point]:
    """The ratio to the baseline in each block in which both were measured."""
    own, other = aim.by_block(contender), aim.by_block(baseline)
    return [
        Point(figure / first, float(row), f"{contender.name}, block {block}: {figure / first:.2f} times the baseline")
        for block, (figure, first) in enumerate(zip(own, other, strict=False), 1)
        if figure and first
    ]


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
    aim = aim_of(recommendation)
    groups = [
        *_by_verdict(
            recommendation.trials, lambda trial: Point(_order(trial), _figure(trial, aim), _label(trial, aim))
        ),
        Group("best so far within the lag limit", "c2", Mark.STEPS, tuple(_best_so_far(recommendation, aim))),
    ]
    title = f"Commit {aim.figure} of every trial" if aim.lower_is_better else "Sustained rate of every trial"
    return Scatter(
        "trials", title,
        "Trials in the order in which they ran. Each is a single measurement; only validation decides. Failed trials "
        "are at 0.",
        Axis("trial", whole=True), Axis(aim.axis), _shown(groups),
    )  # fmt: skip


def _best_so_far(recommendation: Recommendation, aim: Aim) -> list[Point]:
    """The best of the trials until each of them; the line goes on to the last."""
    best: list[Point] = []
    better = min if aim.lower_is_better else max
    for trial in sorted(recommendation.trials, key=lambda trial: trial.number):
        if trial.within and (figure := _figure(trial, aim)) > 0:
            y = better(best[-1].y, figure) if best else figure
            best.append(Point(_order(trial), y, f"best so far: {aim.in_words(y)}"))
    if best:
        best.append(Point(float(max(trial.number for trial in recommendation.trials) + 1), best[-1].y, best[-1].label))
    return best


def against_lag(recommendation: Recommendation) -> Scatter | None:
    """Rate against lag of every trial that has both; of the recommended configuration also the blocks."""
    both = [trial for trial in recommendation.trials if trial.rate is not None and trial.lag_ms is not None]
    if len(both) < 2:
        return None
    aim = aim_of(recommendation)
    groups = [
        *_by_verdict(both, lambda trial: Point(_lag(trial.lag_ms), _figure(trial, aim), _label(trial, aim))),
        *_chosen(recommendation, aim),
    ]
    higher = "Lower means less latency" if aim.lower_is_better else "Higher means more throughput"
    return Scatter(
        "lag", "Latency against lag" if aim.lower_is_better else "Throughput against lag",
        f"{higher}; further left means less lag. Trials to the right of the dashed line broke the limit.",
        Axis("lag, 95th percentile, ms (logarithmic)", logarithmic=True), Axis(aim.axis), _shown(groups),
        (max(recommendation.lag_bound_ms, _LEAST_LAG_MS), f"lag limit {duration(recommendation.lag_bound_ms)}"),
    )  # fmt: skip


FRONT_IDS: Final = {FrontCost.CPU_MS: "cpu", FrontCost.REDO_BYTES: "redo", FrontCost.RECOVERY_SECONDS: "recovery"}
_MIB: Final = 1024.0**2
_COST_AXES: Final = {
    FrontCost.CPU_MS: Axis("CPU time per transaction, ms"),
    FrontCost.REDO_BYTES: Axis("redo since the last checkpoint, MiB"),
}


def fronts_of(recommendation: Recommendation) -> list[Scatter]:
    """A chart for every front that has points."""
    return [_front(recommendation, front) for front in recommendation.fronts if len(front.points) > 1]


def _front(recommendation: Recommendation, front: Front) -> Scatter:
    """Every trial whose cost is known, and the points that no cheaper one beats; those proved in blocks are marked."""
    aim, unit = aim_of(recommendation), _MIB if front.cost is FrontCost.REDO_BYTES else 1.0

    def point(trial: TriedSetting) -> Point:
        costs = _cost_of(trial, front.cost) or 0.0
        return Point(costs / unit, _figure(trial, aim), f"{_label(trial, aim)}, {tables.in_cost(front.cost, costs)}")

    priced = [
        trial
        for trial in recommendation.trials
        if trial.rate is not None and _cost_of(trial, front.cost) is not None and not trial.truncated
    ]
    points = [
        (
            at,
            Point(at.costs / unit, (at.latency_ms if aim.lower_is_better else at.rate) or 0.0, f"trial {at.trial + 1}"),
        )
        for at in front.points
    ]
    groups = [
        *_by_verdict(priced, point),
        Group("no cheaper one is better", "c3", Mark.STEPS, tuple(drawn for _, drawn in points)),
        Group("proved in blocks", "c3", Mark.DIAMOND, tuple(drawn for at, drawn in points if at.proved)),
    ]
    axis = _COST_AXES[front.cost]
    return Scatter(
        FRONT_IDS[front.cost], f"{'Latency' if aim.lower_is_better else 'Rate'} against {axis.name.partition(',')[0]}",
        "Each point on the line is a configuration that no cheaper one beats. Each point for a trial is a single "
        "measurement.",
        axis, Axis(aim.axis), _shown(groups),
    )  # fmt: skip


def _cost_of(trial: TriedSetting, cost: FrontCost) -> float | None:
    return {FrontCost.CPU_MS: trial.cpu_ms, FrontCost.REDO_BYTES: trial.redo_bytes}.get(cost)


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


def _lag(lag_ms: float | None) -> float:
    return max(lag_ms or 0.0, _LEAST_LAG_MS)


def _figure(trial: TriedSetting, aim: Aim) -> float:
    """What was to be improved; 0.0 where nothing was measured."""
    return aim.of_trial(trial) or 0.0


def _order(trial: TriedSetting) -> float:
    return float(trial.number + 1)


def _label(trial: TriedSetting, aim: Aim) -> str:
    measured = trial.because or "nothing was measured" if trial.rate is None else aim.in_words(aim.of_trial(trial))
    lag = "" if trial.lag_ms is None else f", lag {duration(trial.lag_ms)}"
    return f"trial {trial.number + 1}, {trial.kind}: {measured}{lag}"


def _chosen(recommendation: Recommendation, aim: Aim) -> list[Group]:
    """The recommended configuration as the blocks measured it."""
    best = next((each for each in recommendation.contenders if each.name == recommendation.chosen), None)
    figure = None if best is None else best.latency_ms if aim.lower_is_better else mean_rate(best)
    if best is None or figure is None or best.lag_ms is None:
        return []
    middle = "median" if aim.lower_is_better else "mean"
    label = f"{contender_label(best.name)}, {middle} of the blocks: {aim.of_contender(best)}"
    point = Point(_lag(best.lag_ms), figure, f"{label}, lag {duration(best.lag_ms)}")
    return [Group(f"recommended ({middle} of the blocks)", "c3", Mark.DIAMOND, (point,))]


def _shown(groups: Sequence[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.points)
