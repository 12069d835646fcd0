"""What more costs: of the configurations that kept the limit, those that no cheaper one beats; the unknown says so."""

from __future__ import annotations

from advisor.model.measurement import Interval
from advisor.model.recommendation import Contender, Front, FrontCost
from advisor.model.tuning import Objective, Outcome, Task, Trial, TrialKind
from advisor.tune.results.fronts import fronts
from advisor.tune.search.scored_trials import scored_trials

BOUND_MS = 1000.0


def trial(number: int, rate: float, cpu_ms: float | None, redo: float | None = None, lag_ms: float = 20.0) -> Trial:
    outcome = Outcome((rate,) * 3, lag_ms, 0.0, cpu_ms=cpu_ms, redo_bytes=redo)
    return Trial(number, Task(TrialKind.SEARCH, {"innodb_io_capacity": str(number)}), outcome, float(number))


def by_cost(*trials: Trial, contenders: tuple[Contender, ...] = ()) -> dict[FrontCost, Front]:
    found = fronts(scored_trials(trials, BOUND_MS), BOUND_MS, contenders)
    return {front.cost: front for front in found}


def test_a_front_has_what_none_that_is_cheaper_beats_by_more_than_noise():
    found = by_cost(
        trial(0, 100.0, 1.0, 10e6), trial(1, 300.0, 2.0, 90e6), trial(2, 200.0, 3.0, 20e6), trial(3, 303.0, 4.0, 95e6)
    )
    assert [(point.trial, point.costs) for point in found[FrontCost.CPU_MS].points] == [(0, 1.0), (1, 2.0)]
    assert [point.trial for point in found[FrontCost.REDO_BYTES].points] == [0, 2, 1]


def test_what_broke_the_lag_limit_is_on_no_front():
    found = by_cost(trial(0, 100.0, 1.0), trial(1, 900.0, 0.5, lag_ms=5000.0))
    assert [point.trial for point in found[FrontCost.CPU_MS].points] == [0]
    assert by_cost(trial(1, 900.0, 0.5, lag_ms=5000.0)) == {}


def test_the_runs_of_a_configuration_count_together_the_worst_for_recovery():
    again = Trial(4, trial(0, 0.0, 0.0).task, Outcome((400.0,) * 3, 20.0, 0.0, cpu_ms=3.0, redo_bytes=30e6), 4.0)
    (point,) = by_cost(trial(0, 100.0, 1.0, 10e6), again)[FrontCost.REDO_BYTES].points
    assert (point.runs, point.costs, round(point.rate)) == (2, 30e6, 200)
    (point,) = by_cost(trial(0, 100.0, 1.0, 10e6), again)[FrontCost.CPU_MS].points
    assert point.costs == 2.0


def test_only_what_was_accepted_in_blocks_is_proved():
    accepted = Contender("tuned", {"innodb_io_capacity": "1"}, (300.0,), Interval(1.5, 2.0, 2.5), 0.01, 20.0, 9.0, True)
    found = by_cost(trial(0, 100.0, 1.0), trial(1, 300.0, 2.0), contenders=(accepted,))
    assert [point.proved for point in found[FrontCost.CPU_MS].points] == [False, True]


def test_what_was_not_measured_is_unknown_and_says_what_would_tell():
    found = by_cost(trial(0, 100.0, None))
    assert found[FrontCost.CPU_MS].points == ()
    assert "on the machine that runs the servers" in found[FrontCost.CPU_MS].unknown
    assert "PROCESS" in found[FrontCost.REDO_BYTES].unknown
    assert "kill -9" in found[FrontCost.RECOVERY_SECONDS].unknown, "tuning crashes nothing"


def test_where_a_low_latency_is_looked_for_less_of_it_is_better():
    def run(number: int, latency_ms: float, cpu_ms: float) -> Trial:
        outcome = Outcome(
            (50.0,) * 3, 20.0, 0.0, latency_ms=latency_ms, cpu_ms=cpu_ms, objective=Objective.LATENCY.value
        )
        return Trial(number, Task(TrialKind.SEARCH, {"innodb_io_capacity": str(number)}), outcome, float(number))

    points = by_cost(run(0, 40.0, 1.0), run(1, 10.0, 2.0), run(2, 90.0, 3.0))[FrontCost.CPU_MS].points
    assert [(point.trial, round(point.latency_ms or 0), round(point.rate)) for point in points] == [
        (0, 40, 50), (1, 10, 50),
    ]  # fmt: skip
