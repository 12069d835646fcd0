"""Members of different size: ranges fit the smallest, what is a share of the memory is in proportion to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from advisor.errors import UsageError
from advisor.model.record import replace
from advisor.model.server import Role
from advisor.model.tuning import SearchSpace
from advisor.tune.space.host import member_machines, memory_shares, smallest
from advisor.tune.space.member_values import on_member, place_settings, running_settings
from advisor.tune.space.resolve import restrict
from advisor.tune.trial.survey import sizes_in_words
from tests.tune.conftest import MACHINE
from tests.tune.starting_points import member

GIB = 2**30
SOURCE, REPLICA = member("m1", Role.SOURCE), member("m2", Role.REPLICA)
POOL = "innodb_buffer_pool_size"
MACHINES = member_machines(["memory=32G", "m1:memory=96G", "m2:cpus=4"], ("m1", "m2"), MACHINE)
Space = Callable[[str, str], SearchSpace]


def test_what_is_stated_of_one_member_counts_for_it_alone():
    assert MACHINES["m1"]["memory_bytes"] == 96 * GIB
    assert (MACHINES["m2"]["memory_bytes"], MACHINES["m2"]["cpus"]) == (32 * GIB, 4.0)
    assert smallest(MACHINES) == {**MACHINE, "memory_bytes": 32.0 * GIB, "cpus": 4.0}
    assert memory_shares(MACHINES) == {"m1": 3.0, "m2": 1.0}
    assert memory_shares(member_machines(["memory=32G"], ("m1", "m2"), MACHINE)) == {}, "they are alike"
    with pytest.raises(UsageError, match="'db9' is not a member"):
        member_machines(["db9:memory=1G"], ("m1", "m2"), MACHINE)
    with pytest.raises(UsageError, match="--host"):
        member_machines(["m1:memory=much"], ("m1", "m2"), MACHINE)


def test_the_pool_follows_the_memory_and_nothing_else_does(space_of: Space):
    space = replace(space_of("async_mysql", "mysql-8.4.5"), memory_shares=memory_shares(MACHINES))
    assert [knob.name for knob in space.knobs if knob.by_memory] == [POOL]
    names = [knob.name for knob in space.knobs]
    found = {"m1": dict.fromkeys(names, "1"), "m2": dict.fromkeys(names, "1")}
    found["m1"][POOL], found["m2"][POOL] = str(72 * GIB), str(24 * GIB)
    running = running_settings(space, (SOURCE, REPLICA), found)
    assert running[POOL] == str(24 * GIB), "that of the smallest, whose range it is in"
    assert place_settings(space, (SOURCE, REPLICA), found, running) == found
    wanted = {**running, POOL: str(16 * GIB), "innodb_io_capacity": "4000"}
    placed = place_settings(space, (SOURCE, REPLICA), found, wanted)
    assert (placed["m1"][POOL], placed["m2"][POOL]) == (str(48 * GIB), str(16 * GIB))
    assert placed["m1"]["innodb_io_capacity"] == placed["m2"]["innodb_io_capacity"] == "4000"


def test_a_value_in_proportion_is_one_a_person_would_write(space_of: Space):
    space = replace(space_of("async_mysql", "mysql-8.4.5"), memory_shares={"m1": 3.37, "m2": 1.0})
    pool = next(knob for knob in space.knobs if knob.by_memory)
    assert on_member(space, pool, str(2 * GIB), "m1") == str(int(6.5 * GIB))
    assert on_member(space, pool, str(2 * GIB), "m2") == str(2 * GIB)
    pinned = restrict(space, {POOL: str(2 * GIB)}, (), ())
    pool = next(knob for knob in pinned.knobs if knob.name == POOL)
    assert on_member(pinned, pool, str(2 * GIB), "m1") == str(2 * GIB), "what is pinned is the same everywhere"


def test_the_run_says_that_members_differ_and_what_follows(space_of: Space):
    space = replace(space_of("async_mysql", "mysql-8.4.5"), memory_shares=memory_shares(MACHINES))
    space = replace(space, host=smallest(MACHINES))
    assert sizes_in_words(MACHINES, space) == (
        "the members differ in size: every range fits the smallest (cpus 4, memory 32 GiB); innodb_buffer_pool_size is "
        "in proportion to the memory: 3 times on m1"
    )
    alike = member_machines([], ("m1", "m2"), MACHINE)
    assert sizes_in_words(alike, space) == ""
