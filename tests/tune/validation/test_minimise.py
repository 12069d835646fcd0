"""A winner keeps the changes it needs and no others."""

from __future__ import annotations

from advisor.tune.space.encoding import Encoder, difference
from advisor.tune.validation.minimise import OutOfTime, minimise


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
