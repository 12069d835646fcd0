"""What is recommended are values that a person would write, as near to what was found as the rules allow."""

from __future__ import annotations

import math
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.catalog import parse_release
from advisor.model.record import replace
from advisor.model.tuning import SearchSpace
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder
from advisor.tune.space.resolve import load_space
from advisor.tune.space.round_values import (
    in_digits,
    in_unit,
    is_size,
    is_written,
    with_written_values,
    written_values,
)

EVERY = [
    ("group_replication", "mysql-9.7.4"), ("galera", "mariadb-10.11.14"), ("galera", "pxc-8.4"),
    ("semisync", "mariadb-10.11.14"), ("async_mariadb", "mariadb-11.4.5"), ("async_mysql", "mysql-8.0.36"),
    ("standalone", "mysql-5.7.44"),
]  # fmt: skip
COORDINATES = st.lists(st.floats(0.0, 1.0), min_size=30, max_size=30)


@cache
def space_on(topology: str, release: str, memory_gib: float = 32.0) -> SearchSpace:
    machine = {"cpus": 8.0, "memory_bytes": memory_gib * 2**30, "disk_free_bytes": 500.0 * 2**30, "connections": 64.0}
    return load_space(topology, parse_release(release)[-1], machine)


@st.composite
def found_settings(draw: st.DrawFn) -> tuple[SearchSpace, dict[str, str], dict[str, str]]:
    """A space, a baseline and a configuration that a search could find on it."""
    space = space_on(*draw(st.sampled_from(EVERY)), draw(st.sampled_from((3.0, 17.3, 32.0, 200.0))))
    encoder, legal = Encoder(space), constraint_check(space)
    running, found = (encoder.settings(draw(COORDINATES)[: len(space.knobs)]) for _ in range(2))
    assume(legal(found))
    return space, running, found


@given(found_settings())
def test_every_value_is_written_inside_its_range_and_breaks_no_rule(drawn):
    space, running, found = drawn
    written = with_written_values(space, running, found)
    assert constraint_check(space)(written)
    assert Encoder(space).settle(written) == written
    for knob in space.knobs:
        value = written[knob.name]
        if knob.choices or found[knob.name] in (*knob.special, knob.inactive):
            assert value == found[knob.name]
        else:
            assert value not in knob.special, "it would mean something else"
            assert knob.low <= float(value) <= knob.high
            assert math.isclose(float(value) / knob.step, round(float(value) / knob.step), abs_tol=1e-6)


@given(found_settings())
def test_what_is_written_once_stays(drawn):
    space, running, found = drawn
    written = with_written_values(space, running, found)
    assert with_written_values(space, running, written) == written


@given(found_settings())
def test_values_of_the_baseline_and_defaults_stay(drawn):
    space, running, found = drawn
    known = {knob.name: knob.default for knob in space.knobs} | running
    mixed = Encoder(space).settle({**found, **{name: known[name] for name in list(found)[::2] if known[name]}})
    assume(constraint_check(space)(mixed))
    written = with_written_values(space, running, mixed)
    for knob in space.knobs:
        if mixed[knob.name] in (running[knob.name], knob.default):
            assert written[knob.name] == mixed[knob.name]


@given(st.sampled_from(EVERY), st.floats(0.0, 1.0), st.integers(0, 100))
def test_no_other_written_value_is_nearer(where, place, number):
    space = space_on(*where)
    knob = space.knobs[number % len(space.knobs)]
    assume(not knob.choices and knob.low > 0)
    value = knob.low * (knob.high / knob.low) ** place
    nearest, *others = (abs(math.log(float(text) / value)) for text in written_values(knob, str(value)))
    assert all(nearest <= other + 1e-6 for other in others)


def test_where_no_written_value_keeps_a_rule_the_one_that_was_found_stays():
    space, name = space_on("standalone", "mysql-9.7.4"), "innodb_io_capacity"
    running = Encoder(space).settings([0.3 for _ in space.knobs])
    tight = replace(space, knobs=tuple(replace(knob, low=750.0, high=850.0) if knob.name == name else knob
                                       for knob in space.knobs))  # fmt: skip
    assert with_written_values(tight, running, {**running, name: "800"})[name] == "800"


def test_a_pool_goes_down_where_the_next_size_up_would_not_fit_into_memory():
    space, name = space_on("standalone", "mysql-9.7.4", 36.0), "innodb_buffer_pool_size"
    running = Encoder(space).settings([0.3 for _ in space.knobs])
    tight = replace(space, knobs=tuple(replace(knob, high=64.0 * 2**30) if knob.name == name else knob
                                       for knob in space.knobs))  # fmt: skip
    found = {**running, name: str(29 * 2**30)}
    assert constraint_check(tight)(found)
    assert not constraint_check(tight)({**found, name: str(32 * 2**30)})
    written = with_written_values(tight, found | {name: running[name]}, found)
    assert in_unit(tight, name, written[name]) == "24G"


@pytest.mark.parametrize(("name", "found", "written"), [
    ("galera.gcache.size", "2348810240", "2G"), ("innodb_log_buffer_size", "213909504", "192M"),
    ("galera.gcs.fc_limit", "283", "256"), ("wsrep_slave_threads", "33", "32"),
    ("galera.gcs.fc_factor", "0.85", "0.85"),
    ("innodb_io_capacity", "3650", "4000"), ("innodb_max_dirty_pages_pct", "85", "85"),
    ("innodb_log_file_size", "1560281088", "1536M"), ("innodb_thread_concurrency", "0", "0"),
])  # fmt: skip
def test_what_users_complained_about_is_written_as_they_would(name: str, found: str, written: str):
    space = space_on("galera", "pxc-8.4" if name == "innodb_thread_concurrency" else "mariadb-10.11.14")
    running = Encoder(space).settings([0.2 for _ in space.knobs])
    running |= {"innodb_io_capacity_max": "40000"}
    assert in_unit(space, name, with_written_values(space, running, {**running, name: found})[name]) == written


def test_a_count_of_1024_is_no_size():
    space = space_on("standalone", "mysql-9.7.4")
    sizes = {knob.name for knob in space.knobs if is_size(knob)}
    assert sizes == {
        "innodb_buffer_pool_size",
        "innodb_redo_log_capacity",
        "innodb_log_buffer_size",
        "binlog_cache_size",
    }
    assert in_unit(space, "innodb_lru_scan_depth", "1024") == "1024"
    assert in_unit(space, "binlog_cache_size", "65536") == "64K"
    assert in_unit(space, "binlog_cache_size", "65537") == "65537"
    assert in_digits(space, "binlog_cache_size", "64K") == "65536"
    assert in_digits(space, "binlog_cache_size", "65536") == "65536", "as older reports have it"
    assert in_digits(space, "innodb_adaptive_hash_index", "ON") == "ON"


def test_a_figure_with_nine_digits_is_not_written():
    knobs = {knob.name: knob for knob in space_on("galera", "mariadb-10.11.14").knobs}
    assert not is_written(knobs["innodb_log_buffer_size"], "213909504", "16777216")
    assert is_written(knobs["innodb_log_buffer_size"], "213909504", "213909504")
