"""Which changes may be tried under the users' traffic, in which order, and by which steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from advisor.model.applying import Application
from advisor.model.diagnosis import Cause, RankedCause, Where
from advisor.model.lab import ClusterMember
from advisor.model.rules import Advice, Change, Risk, TakesEffect
from advisor.model.server import Role
from advisor.model.tuning import SearchSpace
from advisor.tune.live.candidates import Candidate, candidates, live_space
from advisor.tune.live.small_steps import small_steps

SpaceOf = Callable[[str, str], SearchSpace]
SPACES = [("standalone", "mysql-8.0.36"), ("async_mysql", "mysql-9.7.4"), ("galera", "mariadb-10.11.14")]
MEMBERS = (
    ClusterMember("m1", Role.SOURCE, "127.0.0.1", 3306),
    ClusterMember("m2", Role.REPLICA, "127.0.0.1", 3307),
)


def found(space: SearchSpace, causes: tuple[RankedCause, ...] = (), **values: str) -> list[Candidate]:
    """The candidates of a pair that has the defaults, but for some values."""
    allowed = live_space(space)
    running = {knob.name: values.get(knob.name, knob.advice or knob.default) for knob in allowed.knobs}
    return candidates(allowed, MEMBERS, {"m1": running, "m2": running}, running, causes)


def advised(
    changes: dict[str, str], risk: tuple[Risk, ...] = (Risk.R1,), confidence: float = 0.6
) -> tuple[RankedCause, ...]:
    cause = Cause(id="a_cause", title="A cause", where=Where.MEMBER, signs=(), why="", plainly="")
    ranked = RankedCause(
        cause=cause,
        member="m1",
        confidence=confidence,
        signs=(),
        advice=Advice(risk=risk),
        changes=tuple(Change(name, value, TakesEffect.AT_ONCE) for name, value in changes.items()),
    )
    return (ranked,)


@pytest.mark.parametrize(("topology", "release"), SPACES)
def test_only_what_returns_at_once_at_the_lowest_risk_may_change(
    space_of: SpaceOf, topology: str, release: str
) -> None:
    knobs = live_space(space_of(topology, release)).knobs
    assert knobs
    for knob in knobs:
        assert knob.how in (Application.DYNAMIC, Application.PROVIDER_OPTION)
        assert set(knob.risk) <= {Risk.R0, Risk.R1}
        assert knob.promise is None
    names = {knob.name for knob in knobs}
    assert not names & {"innodb_buffer_pool_size", "innodb_redo_log_capacity", "innodb_log_file_size"}  # resized later
    assert not names & {"sync_binlog", "innodb_flush_log_at_trx_commit"}  # protected
    assert "binlog_cache_size" not in names  # for new sessions only


def test_what_why_advises_comes_first(space_of: SpaceOf) -> None:
    space = space_of("async_mysql", "mysql-9.7.4")
    first = found(space, advised({"innodb_io_capacity": "4000"}), innodb_io_capacity="200")[0]
    assert first.because == "why: A cause (60%)"
    assert first.changed == {"m1": {"innodb_io_capacity": "4000"}, "m2": {"innodb_io_capacity": "4000"}}
    assert first.former["m1"] == {"innodb_io_capacity": "200"}


@pytest.mark.parametrize(
    "told",
    [
        advised({"innodb_io_capacity": "4000"}, risk=(Risk.R1, Risk.D_OS)),
        advised({"innodb_io_capacity": "4000", "sync_binlog": "0"}),
        advised({"innodb_io_capacity": "4000"}, confidence=0.1),
    ],
    ids=["endangers data", "is more than the space allows", "is unlikely"],
)
def test_advice_that_may_not_be_followed_is_not_tried(space_of: SpaceOf, told: tuple[RankedCause, ...]) -> None:
    space = space_of("async_mysql", "mysql-9.7.4")
    assert not any(one.because.startswith("why") for one in found(space, told))


def test_a_knob_of_writers_is_not_set_on_replicas(space_of: SpaceOf) -> None:
    space = space_of("async_mysql", "mysql-9.7.4")
    one = next(one for one in found(space, binlog_group_commit_sync_delay="4000") if one.rank == 1)
    assert one.changed == {"m1": {"binlog_group_commit_sync_delay": "0"}}


def test_no_candidate_breaks_a_rule_of_the_space_or_is_there_twice(space_of: SpaceOf) -> None:
    space = space_of("async_mysql", "mysql-9.7.4")
    every = found(space, innodb_io_capacity="4000", innodb_io_capacity_max="4000")
    changes = [one.settings for one in every]
    assert {"innodb_io_capacity": "8000"} not in changes
    assert len({str(change) for change in changes}) == len(changes)


def test_a_knob_without_effect_is_not_tried(space_of: SpaceOf) -> None:
    space = space_of("async_mysql", "mysql-9.7.4")
    waiting = [one for one in found(space) if "binlog_group_commit_sync_no_delay_count" in one.settings]
    assert not waiting


@pytest.mark.parametrize(
    ("former", "wanted", "steps"),
    [
        ("1000", "8000", ["2000", "4000", "8000"]),
        ("100", "0", ["52", "27", "14", "7", "4", "2", "1", "0"]),
        ("100", "60", ["60"]),
        ("0", "6", ["1", "2", "3", "6"]),
        ("OFF", "ON", ["ON"]),
        ("90.000000", "75", ["75"]),
    ],
)
def test_a_number_is_at_most_halved_or_doubled_in_a_step(former: str, wanted: str, steps: list[str]) -> None:
    assert [step["knob"] for step in small_steps({"knob": former}, {"knob": wanted})] == steps


def test_zero_lies_next_to_the_number_that_means_almost_the_same() -> None:
    off = small_steps({"delay": "0"}, {"delay": "80"}, {"delay": 10.0})
    assert [step["delay"] for step in off] == ["10", "20", "40", "80"]
    no_limit = small_steps({"concurrency": "0"}, {"concurrency": "16"}, {"concurrency": 64.0})
    assert [step["concurrency"] for step in no_limit] == ["64", "32", "16"]
    back = small_steps({"concurrency": "16"}, {"concurrency": "0"}, {"concurrency": 64.0})
    assert [step["concurrency"] for step in back] == ["32", "64", "0"]


def test_no_limit_is_first_replaced_by_the_largest_one(space_of: SpaceOf) -> None:
    space = space_of("async_mysql", "mysql-9.7.4")
    limited = [one.settings for one in found(space) if "innodb_thread_concurrency" in one.settings]
    assert limited == [{"innodb_thread_concurrency": "128"}]


def test_settings_go_their_ways_together() -> None:
    steps = small_steps({"a": "1", "b": "OFF"}, {"a": "4", "b": "ON"})
    assert steps == [{"a": "2", "b": "ON"}, {"a": "4", "b": "ON"}]
