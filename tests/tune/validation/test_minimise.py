"""A winner keeps the changes it needs and no others, and says what each of them is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import pytest

from advisor.model.tuning import EndEarly, Outcome, SearchSpace, Settings, Task
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.validation.minimise import leaving_advice, minimise
from benchmarks.tuner.surfaces import Rehearsal, surface

LAG_BOUND_MS = 1000.0
Costs = Mapping[frozenset[str], float]


class Known:
    """A cluster of known costs: for each set of changes the share of the rate that is left when all of it is gone."""

    def __init__(self, winner: Settings, costs: Costs, lags_ms: Costs, refused: frozenset[str]) -> None:
        self.winner, self.costs, self.lags_ms, self.refused = winner, costs, lags_ms, refused
        self.runs: list[set[str]] = []  # what was missing of the winner in every run

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        gone = set(difference(self.winner, task.settings))
        self.runs.append(gone)
        if gone & self.refused:
            return Outcome(infeasible="the server does not start", seconds=10.0)
        rate = 1000.0 * math.prod(left for names, left in self.costs.items() if names <= gone)
        lag_ms = max((lag for names, lag in self.lags_ms.items() if names <= gone), default=10.0)
        return Outcome((rate,) * 6, lag_ms=lag_ms, backlog_slope=0.0, seconds=10.0)


@pytest.fixture
def space(space_of: Callable[[str, str], SearchSpace]) -> SearchSpace:
    return space_of("group_replication", "mysql-9.7.4")


def run_of(space: SearchSpace) -> tuple[dict[str, str], dict[str, str]]:
    """A baseline and a winner that differ in nearly every knob."""
    running, winner = (Encoder(space).settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    return running, winner


def known(
    winner: Settings, refused: frozenset[str] = frozenset(), lags_ms: Costs | None = None, **left: float
) -> Known:
    return Known(winner, {frozenset({name}): share for name, share in left.items()}, lags_ms or {}, refused)


def at_most(runs: int) -> Callable[[], float]:
    """So many runs are left, fewer each time somebody asks and then runs one: here, each time somebody asks."""
    left: Iterator[int] = iter(range(runs, -1, -1))
    return lambda: next(left, 0)


def test_the_winner_keeps_only_the_changes_it_needs_and_says_what_each_is_worth(space: SearchSpace):
    running, winner = run_of(space)
    cluster = known(winner, replica_parallel_workers=0.5, innodb_redo_log_capacity=0.8)
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS)
    assert set(difference(running, short.settings)) == {"replica_parallel_workers", "innodb_redo_log_capacity"}
    assert list(short.worth) == ["replica_parallel_workers", "innodb_redo_log_capacity"], "the largest first"
    for name, times in {"replica_parallel_workers": 2.0, "innodb_redo_log_capacity": 1.25}.items():
        ratio = short.worth[name].ratio
        assert ratio.mid == pytest.approx(times)
        assert 1.0 < ratio.low < times < ratio.high
        assert not short.worth[name].needed_because


def test_few_runs_are_enough_where_few_changes_matter(space: SearchSpace):
    running, winner = run_of(space)
    cluster = known(winner, replica_parallel_workers=0.5)
    minimise(cluster, space, running, winner, {}, LAG_BOUND_MS)
    changed = len(difference(running, winner))
    assert len(cluster.runs) < 1 + changed + 4 + 2 * 4, "once each, all others in two pairs, and three blocks"


def test_a_change_whose_worth_is_not_shown_goes_too(space: SearchSpace):
    """Alone it costs 2 %, which six pairs do not tell from nothing; the group it is in costs too much to go at once."""
    running, winner = run_of(space)
    cluster = known(winner, replica_parallel_workers=0.5, innodb_redo_log_capacity=0.98, innodb_purge_threads=0.95)
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS)
    assert set(difference(running, short.settings)) == {"replica_parallel_workers", "innodb_purge_threads"}
    assert set(short.worth) == {"replica_parallel_workers", "innodb_purge_threads"}


def test_of_two_changes_that_replace_each_other_one_stays(space: SearchSpace):
    running, winner = run_of(space)
    either = frozenset({"innodb_redo_log_capacity", "innodb_purge_threads"})
    cluster = Known(winner, {either: 0.5}, {}, frozenset())
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS)
    assert len(set(difference(running, short.settings)) & either) == 1
    assert len(difference(running, short.settings)) == 1


def test_a_change_without_which_the_servers_do_not_run_stays(space: SearchSpace):
    running, winner = run_of(space)
    cluster = known(winner, frozenset({"innodb_redo_log_capacity"}))
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS)
    assert set(difference(running, short.settings)) == {"innodb_redo_log_capacity"}
    worth = short.worth["innodb_redo_log_capacity"]
    assert worth.ratio is None
    assert worth.needed_because == "the servers do not run without it"


def test_a_change_that_another_one_needs_stays_and_says_so(space: SearchSpace):
    """innodb_io_capacity_max must not be below innodb_io_capacity."""
    running, winner = run_of(space)
    short = minimise(known(winner, innodb_io_capacity=0.5), space, running, winner, {}, LAG_BOUND_MS)
    assert set(difference(running, short.settings)) == {"innodb_io_capacity", "innodb_io_capacity_max"}
    assert short.worth["innodb_io_capacity_max"].needed_because == "another change needs it"


def test_a_change_that_keeps_a_limit_stays_though_it_costs_throughput(space: SearchSpace):
    running, winner = run_of(space)
    lags_ms = {frozenset({"replica_parallel_workers"}): 5 * LAG_BOUND_MS}
    cluster = known(winner, lags_ms=lags_ms, replica_parallel_workers=1.1)
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS)
    assert set(difference(running, short.settings)) == {"replica_parallel_workers"}
    assert short.worth["replica_parallel_workers"].needed_because == "without it a limit is exceeded"


def test_nothing_goes_when_no_time_is_left(space: SearchSpace):
    running, winner = run_of(space)
    cluster = known(winner)
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS, lambda: 0)
    assert (short.settings, short.steps, short.worth, cluster.runs) == (winner, (), {}, [])


def test_when_the_time_is_over_what_was_taken_away_until_then_stays_away(space: SearchSpace):
    running, winner = run_of(space)
    cluster = known(winner, innodb_redo_log_capacity=0.5)
    short = minimise(cluster, space, running, winner, {"innodb_redo_log_capacity": 1.0}, LAG_BOUND_MS, at_most(6))
    gone = {name for step in short.steps if step.left_out for name in step.names}
    assert gone
    assert set(difference(running, short.settings)) == set(difference(running, winner)) - gone
    assert not short.worth


def test_without_time_to_try_every_change_those_that_leave_what_practice_advises_go_first(
    space_of: Callable[[str, str], SearchSpace],
):
    space = space_of("galera", "mariadb-10.11.14")
    advised = {knob.name: knob.advice for knob in space.knobs}
    running = {**advised, "innodb_io_capacity": "400", "innodb_io_capacity_max": "2000"}
    leaving = {"innodb_io_capacity_max": "400", "galera.gcache.size": str(2**31)}
    winner = {**running, **leaving, "innodb_io_capacity": "1000"}
    assert set(leaving_advice(space, running, winner)) == set(leaving)
    cluster = known(winner)
    minimise(cluster, space, running, winner, {}, LAG_BOUND_MS, at_most(8))
    assert next(gone for gone in cluster.runs if gone) == set(leaving)


def test_a_group_that_clearly_costs_much_is_split_after_one_pair(space: SearchSpace):
    running, winner = run_of(space)
    cluster = known(winner, innodb_redo_log_capacity=0.5)
    short = minimise(cluster, space, running, winner, {}, LAG_BOUND_MS, at_most(12))
    group = next(step for step in short.steps if not step.left_out)
    assert len(group.names) > 1
    assert sum(set(group.names) <= gone for gone in cluster.runs) == 1


@pytest.mark.parametrize("seed", [3, 6, 8, 13])
def test_on_a_noisy_cluster_the_advice_gets_short_and_loses_little(seed: int):
    """The advice for a simulated cluster, whose true rates are known: at most seven of its changes matter at all."""
    on = surface(seed)
    environment, winner = Rehearsal(on, seed), dict(on.advice)
    short = minimise(environment, on.space, on.start, winner, {}, on.machine.lag_bound_ms)
    settle = Encoder(on.space).settle
    assert len(difference(on.start, short.settings)) <= 0.6 * len(difference(on.start, winner))
    assert on.truly(short.settings).sustained >= 0.9 * on.truly(winner).sustained
    for name, worth in short.worth.items():
        without = settle({**short.settings, name: on.start[name]})
        if worth.ratio is not None and not worth.needed_because and on.feasible(without):
            true = on.truly(short.settings).sustained / on.truly(without).sustained
            assert 0.9 * worth.ratio.low <= true <= 1.1 * worth.ratio.high
