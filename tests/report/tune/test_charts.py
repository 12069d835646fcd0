"""What is drawn of a tuning run: marks by what came of a trial, nothing joined, the limit and the recommended one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.model.recommendation import Front, FrontCost, FrontPoint, Recommendation, TriedSetting
from advisor.model.record import replace
from advisor.report.html.chart import Mark
from advisor.report.tune import charts
from advisor.report.tune.document import read_document


@pytest.fixture
def found(checkout: Path) -> Recommendation:
    """A tuning run that is kept, with a trial that did not start and one too fast for its lag limit."""
    text = (checkout / "docs/tuning-proofs/mariadb-replication.json").read_text(encoding="utf-8")
    kept = read_document(json.loads(text))
    number = len(kept.trials)
    failed = TriedSetting(number, "search", 300.0, 9.0, {"a": "1"}, None, None, False, "did not start")
    fast = TriedSetting(number + 1, "search", 310.0, 9.0, {"a": "2"}, 999.0, 0.0, False, "lag")
    return replace(kept, trials=(*kept.trials, failed, fast))


def test_every_trial_is_one_mark_and_its_group_says_what_came_of_it(found: Recommendation) -> None:
    chart = charts.trials(found)
    assert chart is not None
    marks = {group.name: group for group in chart.groups}
    assert list(marks) == [
        "baseline", "within the limits", "outside a limit", "failed", "best so far within the lag limit",
    ]  # fmt: skip
    drawn = [group for group in chart.groups if group.mark is not Mark.STEPS]
    assert sum(len(group.points) for group in drawn) == len(found.trials)
    (failed,) = marks["failed"].points
    assert (failed.y, failed.label) == (0.0, "trial 14, search: did not start")
    best = [point.y for point in marks["best so far within the lag limit"].points]
    assert best == sorted(best)
    assert 999.0 not in best, "it broke the lag limit"


def test_lag_is_drawn_against_its_limit_with_the_recommended_configuration(found: Recommendation) -> None:
    chart = charts.against_lag(found)
    assert chart is not None
    assert chart.limit == (found.lag_bound_ms, "lag limit 1.0 s")
    assert chart.groups[-1].name == "recommended (mean of the blocks)"
    assert min(point.x for group in chart.groups for point in group.points) == 1.0, "a logarithm has no zero"


def test_finalists_have_their_intervals_and_the_baseline_is_the_line(found: Recommendation) -> None:
    chart = charts.finalists(found)
    assert chart is not None
    assert chart.limit == (1.0, "baseline")
    assert chart.y.rows == ("rules", "tuned")
    assert [(group.name, group.points[0].low is not None) for group in chart.groups] == [
        ("one block", False), ("recommended", True), ("not accepted", True),
    ]  # fmt: skip


def test_every_block_of_a_finalist_is_a_point_of_its_row(found: Recommendation) -> None:
    chart = charts.finalists(found)
    assert chart is not None
    blocks, tuned = chart.groups[0].points, next(each for each in found.contenders if each.name == "tuned")
    baseline = found.contenders[0]
    ratios = [rate / first for rate, first in zip(tuned.rates, baseline.rates, strict=True) if rate and first]
    assert [point.x for point in blocks if point.y == 1.0] == ratios
    assert len(ratios) == 6
    unfinished = replace(found, contenders=(baseline, replace(tuned, rates=(*tuned.rates[:2], None, None, None, None))))
    chart = charts.finalists(unfinished)
    assert chart is not None
    assert len(chart.groups[0].points) == 2, "a block that was not run is no point"


def test_a_front_is_a_line_among_the_trials_and_what_was_proved_is_marked(found: Recommendation) -> None:
    trials = tuple(replace(trial, cpu_ms=1.0 + trial.number) for trial in found.trials)
    points = (FrontPoint(2, 300.0, 3.0, 1, False), FrontPoint(5, 400.0, 6.0, 2, True))
    unknown = Front(FrontCost.RECOVERY_SECONDS, (), "no server was crashed")
    (chart,) = charts.fronts_of(replace(found, trials=trials, fronts=(Front(FrontCost.CPU_MS, points), unknown)))
    groups = {group.name: group.points for group in chart.groups}
    assert [(point.x, point.y) for point in groups["no cheaper one is better"]] == [(3.0, 300.0), (6.0, 400.0)]
    assert [(point.x, point.y) for point in groups["proved in blocks"]] == [(6.0, 400.0)]
    assert "failed" not in groups, "it cost nothing that is known"
    assert charts.fronts_of(found) == []


def test_without_measurements_nothing_is_drawn(found: Recommendation) -> None:
    assert charts.charts_of(replace(found, trials=(), contenders=())) == []
