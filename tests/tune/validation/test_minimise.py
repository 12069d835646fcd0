"""A winner keeps the changes it needs and no others."""

from __future__ import annotations

from advisor.model.tuning import EndEarly, Outcome, Task
from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.validation.minimise import OutOfTime, leaving_advice, minimise, minimise_live


def test_the_winner_keeps_only_the_changes_it_needs(space_of):
    space = space_of("group_replication", "mysql-9.7.4")
    encoder = Encoder(space)
    running, winner = (encoder.settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    needed = {"replica_parallel_workers", "innodb_redo_log_capacity"}
    measured = 0

    def measure(first, second):
        nonlocal measured
        measured += 1
        return 0.2 * len(needed & set(difference(first, second))), 0.02

    short = minimise(space, running, winner, measure)
    assert set(difference(running, short.settings)) == needed
    assert measured < len(difference(running, winner))  # fewer than one by one
    assert sum(not step.kept for step in short.steps) >= len(needed)


def test_when_the_time_is_over_what_was_put_back_until_then_stays_back(space_of):
    space = space_of("group_replication", "mysql-9.7.4")
    encoder = Encoder(space)
    running, winner = (encoder.settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    measured: list[set[str]] = []

    def measure(first, second):
        if measured:
            raise OutOfTime
        measured.append(set(difference(first, second)))
        return 0.0, 0.005

    short = minimise(space, running, winner, measure)
    assert measured[0]
    assert set(difference(running, short.settings)) == set(difference(running, winner)) - measured[0]
    assert len(short.steps) == 1


def test_a_reversion_that_cannot_run_is_not_kept(space_of):
    space = space_of("standalone", "mysql-9.7.4")
    encoder = Encoder(space)
    running, winner = (encoder.settings([place for _ in space.knobs]) for place in (0.3, 0.8))
    assert minimise(space, running, winner, lambda first, second: None).settings == winner


def test_changes_that_leave_what_practice_advises_are_taken_back_first(space_of):
    space = space_of("galera", "mariadb-10.11.14")
    advised = {knob.name: knob.advice for knob in space.knobs}
    running = {**advised, "innodb_io_capacity": "400", "innodb_io_capacity_max": "2000"}
    winner = {
        **running,
        "innodb_io_capacity_max": "400",
        "innodb_io_capacity": "1000",
        "galera.gcache.size": str(2**31),
    }
    first = []

    def measure(current, reverted):
        first.append(set(difference(current, reverted)))
        return 0.2, 0.02

    assert set(leaving_advice(space, running, winner)) == {"innodb_io_capacity_max", "galera.gcache.size"}
    minimise(space, running, winner, measure, importance=["innodb_io_capacity"], legal=lambda settings: True)
    assert first[0] == {"innodb_io_capacity_max", "galera.gcache.size"}


def test_a_group_that_clearly_costs_much_is_split_after_one_pair(space_of):
    space = space_of("standalone", "mysql-9.7.4")
    running = Encoder(space).settings([0.3 for _ in space.knobs])
    others = {"innodb_lru_scan_depth": "2048", "innodb_purge_threads": "4", "innodb_write_io_threads": "8"}
    winner = {**running, **others, "innodb_redo_log_capacity": str(2**33)}

    class Steep:
        """Only the redo log matters: without its change, half the rate is left."""

        runs = 0

        def run(self, task: Task, end_early: EndEarly) -> Outcome:
            self.runs += 1
            rate = 1000.0 if task.settings["innodb_redo_log_capacity"] == winner["innodb_redo_log_capacity"] else 500.0
            return Outcome((rate,) * 6, lag_ms=10.0, backlog_slope=0.0, seconds=10.0)

    environment = Steep()
    short, steps = minimise_live(environment, space, running, winner, {}, 1000.0, lambda: False)
    assert set(difference(running, short)) == {"innodb_redo_log_capacity"}
    assert any(len(step.names) > 1 and step.uncertain_by is None and not step.left_out for step in steps)
    assert next(step for step in steps if step.names == ("innodb_redo_log_capacity",)).uncertain_by == 0.0
    assert environment.runs < 6 * len(steps)
