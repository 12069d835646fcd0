"""The winner has values a person would write, and keeps the limits with them."""

from __future__ import annotations

import pytest

from advisor.model.tuning import EndEarly, Outcome, Settings, Task, Trial, TrialKind
from advisor.tune.search.policy import StudyPlan
from advisor.tune.space.encoding import Encoder
from advisor.tune.validation.written_winner import written_winner

NAME = "innodb_io_capacity_max"


class Cliff:
    """The rate grows with io_capacity_max; above 1800, a replica no longer keeps up."""

    def __init__(self) -> None:
        self.measured: list[str] = []

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        self.measured.append(task.settings[NAME])
        return outcome(task.settings)


def outcome(settings: Settings) -> Outcome:
    limit = float(settings[NAME])
    return Outcome((500.0 + limit,) * 6, lag_ms=9000.0 if limit > 1800 else 100.0, backlog_slope=0.0, seconds=10.0)


@pytest.fixture
def plan(space_of) -> StudyPlan:
    space = space_of("async_mysql", "mysql-9.7.4")
    running = {**Encoder(space).settings([0.1 for _ in space.knobs]), "innodb_io_capacity": "200", NAME: "400"}
    return StudyPlan(space, running, (), lag_bound_ms=1000.0, trials=24)


def trials_of(plan: StudyPlan, *limits: str) -> list[Trial]:
    """The baseline, then each value measured three times."""
    settings = [plan.running, *({**plan.running, NAME: limit} for limit in limits for _ in range(3))]
    kinds = [TrialKind.BASELINE, *[TrialKind.CONFIRM] * (len(settings) - 1)]
    return [
        Trial(number, Task(kind, found), outcome(found), 60.0 * number)
        for number, (kind, found) in enumerate(zip(kinds, settings, strict=True))
    ]


def test_a_value_that_is_over_a_limit_once_it_is_written_gives_way_to_the_next_best(plan: StudyPlan):
    environment = Cliff()
    winner = written_winner(environment, plan, trials_of(plan, "1100", "1780"), lambda: False)
    assert winner is not None
    assert environment.measured == ["2000", "1000", "1000"], "one run shows that a limit is broken"
    assert winner[NAME] == "1000"


def test_what_is_written_already_is_not_measured_again(plan: StudyPlan):
    environment = Cliff()
    winner = written_winner(environment, plan, trials_of(plan, "500", "1000"), lambda: False)
    assert winner is not None
    assert winner[NAME] == "1000"
    assert environment.measured == []


def test_without_time_the_best_is_the_winner_and_has_written_values(plan: StudyPlan):
    environment = Cliff()
    winner = written_winner(environment, plan, trials_of(plan, "1100", "1780"), lambda: True)
    assert winner is not None
    assert winner[NAME] == "2000"
    assert environment.measured == []


def test_where_nothing_is_confirmed_there_is_no_winner(plan: StudyPlan):
    assert written_winner(Cliff(), plan, [], lambda: False) is None
