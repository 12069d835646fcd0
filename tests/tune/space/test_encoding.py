"""Coordinates and settings: nothing is lost on the way, and what is applied alike is one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from advisor.model.tuning import SearchSpace
from advisor.tune.results.recommendation import edges
from advisor.tune.search.features import rows_of
from advisor.tune.space.constraints import constraint_check, violations
from advisor.tune.space.encoding import Encoder, decode, encode, identity

SpaceOf = Callable[[str, str], SearchSpace]
EVERY = [
    ("group_replication", "mysql-9.7.4"), ("galera", "mariadb-10.11.14"), ("semisync", "mariadb-10.11.14"),
    ("async_mariadb", "mariadb-11.4.5"), ("async_mysql", "mysql-8.0.36"), ("standalone", "mysql-5.7.44"),
]  # fmt: skip


@pytest.mark.parametrize(("topology", "release"), EVERY)
def test_settings_come_back_from_their_coordinates(space_of: SpaceOf, topology: str, release: str):
    space, dice = space_of(topology, release), random.Random(1)
    encoder = Encoder(space)
    for _ in range(100):
        settings = encoder.settings([dice.random() for _ in space.knobs])
        assert encoder.settings(encoder.coordinates(settings)) == settings


@pytest.mark.parametrize(("topology", "release"), EVERY)
def test_every_setting_is_one_the_knob_has(space_of: SpaceOf, topology: str, release: str):
    for knob in space_of(topology, release).knobs:
        for place in (-1.0, 0.0, 0.1, 0.33, 0.5, 0.99, 1.0, 7.0):
            text = decode(knob, place)
            if text not in (*knob.choices, *knob.special):
                assert knob.low <= float(text) <= knob.high
                assert abs(float(text) / knob.step - round(float(text) / knob.step)) < 1e-6


def test_a_special_value_has_a_place_of_its_own(space_of: SpaceOf):
    knob = next(one for one in space_of("standalone", "mysql-9.7.4").knobs if one.name.endswith("_sync_delay"))
    assert decode(knob, 0.05) == "0"
    assert decode(knob, 0.2) != "0"
    assert encode(knob, "0") < encode(knob, "10")


def test_a_knob_without_effect_makes_no_other_configuration(space_of: SpaceOf):
    space = space_of("standalone", "mysql-9.7.4")
    encoder = Encoder(space)
    first = encoder.settings([0.5 for _ in space.knobs])
    off = {**first, "binlog_group_commit_sync_delay": "0"}
    one, other = (encoder.settle({**off, "binlog_group_commit_sync_no_delay_count": n}) for n in ("7", "90"))
    assert identity(one) == identity(other)
    assert rows_of(space, [one]).tolist() == rows_of(space, [other]).tolist()
    assert one["binlog_group_commit_sync_no_delay_count"] == "0"


def test_a_running_value_outside_the_range_keeps_its_side(space_of: SpaceOf):
    space = space_of("galera", "mariadb-10.11.14")
    settings = Encoder(space).settings([0.0 for _ in space.knobs])
    low, far = rows_of(space, [settings, {**settings, "innodb_log_file_size": "4194304"}])
    assert far.min() < low.min()


def test_more_memory_than_there_is_is_never_tried(space_of: SpaceOf):
    space = space_of("async_mariadb", "mariadb-10.11.14")
    fits = Encoder(space).settings([0.3 for _ in space.knobs])
    fits |= {"innodb_io_capacity": "1000", "innodb_io_capacity_max": "2000"}
    assert violations(space, fits) == []
    assert constraint_check(space)(fits)
    big = {**fits, "innodb_buffer_pool_size": str(25 * 2**30), "slave_parallel_threads": "64"}
    big["slave_parallel_max_queued"] = str(64 * 2**20)
    assert not constraint_check(space)(big)
    assert ["slave_parallel_threads" in one for one in violations(space, big)] == [True]  # the pool alone would fit


def test_a_rule_that_cannot_be_decided_does_not_object(space_of: SpaceOf):
    space = space_of("standalone", "mysql-9.7.4")
    assert constraint_check(space)({"innodb_io_capacity": "40000"})


def test_a_knob_on_an_end_of_its_range_is_named(space_of: SpaceOf):
    space = space_of("group_replication", "mysql-9.7.4")
    inside = {knob.name: knob.advice for knob in space.knobs}
    redo = next(knob for knob in space.knobs if knob.name == "innodb_redo_log_capacity")
    assert redo.name not in edges(space, inside)
    for end in (redo.low, redo.high):
        assert redo.name in edges(space, {**inside, redo.name: str(int(end))})
