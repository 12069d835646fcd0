"""Who gets which value: a knob on the members it concerns, as it was written."""

from __future__ import annotations

from advisor.model.server import Role
from advisor.tune.space.member_values import place_settings, running_settings
from tests.tune.starting_points import member

SOURCE, REPLICA = member("m1", Role.SOURCE), member("m2", Role.REPLICA)


def test_a_knob_left_at_its_running_value_leaves_every_member_its_own(space_of):
    space = space_of("async_mysql", "mysql-8.4.5")
    names = [knob.name for knob in space.knobs]
    found = {"m1": dict.fromkeys(names, "1"), "m2": dict.fromkeys(names, "1")}
    found["m2"]["innodb_io_capacity"] = "900"
    running = running_settings(space, (SOURCE, REPLICA), found)
    assert place_settings(space, (SOURCE, REPLICA), found, running) == found
    wanted = place_settings(space, (SOURCE, REPLICA), found, {**running, "innodb_io_capacity": "4000"})
    assert {wanted[name]["innodb_io_capacity"] for name in ("m1", "m2")} == {"4000"}
    canary = place_settings(space, (SOURCE, REPLICA), found, {**running, "innodb_io_capacity": "4000"}, ("m1",))
    assert canary["m1"] == found["m1"]


def test_a_running_value_is_a_number_that_the_search_can_read(space_of):
    space = space_of("galera", "mariadb-10.11.14")
    values = {knob.name: knob.advice or "1" for knob in space.knobs}
    values |= {"galera.gcache.size": "128M", "innodb_max_dirty_pages_pct": "90.000000"}
    running = running_settings(space, [SOURCE], {"m1": values})
    assert running["galera.gcache.size"] == str(128 << 20)
    assert running["innodb_max_dirty_pages_pct"] == "90"
    assert place_settings(space, [SOURCE], {"m1": values}, running)["m1"]["galera.gcache.size"] == "128M", (
        "as it was written"
    )
