"""The result of a run: synthetic runs with a known truth."""

from __future__ import annotations

import random

import pytest

from advisor.bench.measure.summary import summarise
from advisor.model.measurement import Measurement, Second
from advisor.model.progress import Progress
from advisor.model.record import replace
from advisor.model.server import Role
from tests.bench.synthetic_runs import CIRCUMSTANCES, LOAD, synthetic_run


def by_method(found: Measurement) -> dict[str, float]:
    return {one.method: one.per_second for one in found.sustained}


def test_a_member_that_keeps_up_sustains_the_peak():
    found = summarise(CIRCUMSTANCES, synthetic_run(1000, 2000))
    assert found.sustained_within_bound is True
    assert found.peak_per_second == pytest.approx(1000, rel=0.03)
    assert by_method(found)["slowest_member"] == pytest.approx(found.peak_per_second, rel=0.001)
    assert by_method(found)["drain"] == pytest.approx(found.peak_per_second, rel=0.001)
    assert found.steady
    assert found.members[1].drain_seconds == 0.0
    assert found.throttled_share == 0.25
    assert found.errors_per_second == 0.5


def test_a_slow_member_paces_the_cluster_whatever_the_writer_commits():
    found = summarise(CIRCUMSTANCES, synthetic_run(1000, 400))
    assert found.sustained_within_bound is False
    assert "the lag p95 of m2 is" in found.sustained_because
    assert by_method(found)["slowest_member"] == pytest.approx(400, rel=0.01)
    assert by_method(found)["drain"] == pytest.approx(400, rel=0.02)
    slope = found.members[1].backlog_slope_per_second
    assert slope.low < 600 < slope.high
    assert found.members[1].drain_seconds == pytest.approx(30 * 600 / 400, rel=0.05)
    assert found.steady, "a backlog that grows evenly is a steady state"


def test_a_backlog_that_grows_inside_a_wide_bound_is_not_sustained():
    found = summarise(replace(CIRCUMSTANCES, lag_bound_ms=1e6), synthetic_run(1000, 800))
    assert found.sustained_within_bound is False
    assert "the backlog of m2 grows by 20" in found.sustained_because


def test_a_run_of_a_few_seconds_with_something_left_at_its_end_cannot_be_told():
    found = summarise(replace(CIRCUMSTANCES, lag_bound_ms=400.0), synthetic_run(1000, 930, seconds=4, noise=0.0))
    assert found.sustained_within_bound is None
    assert "too few samples" in found.sustained_because


def test_a_backlog_that_comes_and_goes_does_not_grow_when_little_is_left_at_the_end():
    seconds = synthetic_run(1000, 2000, seconds=12)
    for at, backlog in enumerate([0, 60, 10, 90, 20, 110, 40, 140, 60, 90, 120, 30]):
        member = replace(seconds[at].members[1], backlog=backlog, lag_ms=float(backlog))
        seconds[at] = replace(seconds[at], members=(seconds[at].members[0], member))
    found = summarise(CIRCUMSTANCES, seconds)
    slope = found.members[1].backlog_slope_per_second
    assert slope.low < 20
    assert found.sustained_within_bound is True


def test_a_backlog_nobody_knows_is_unknown_and_never_zero():
    seconds = [
        replace(one, members=(one.members[0], replace(one.members[1], backlog=None, lag_ms=None)))
        for one in synthetic_run(1000, 2000)
    ]
    found = summarise(CIRCUMSTANCES, seconds)
    assert found.sustained_within_bound is None
    assert found.members[1].backlog_max is None
    assert found.members[1].lag_ms == {}
    assert found.members[1].drain_seconds is None
    assert "known in only 0%" in found.sustained_because


def test_a_lost_member_makes_the_verdict_unknown_and_is_named():
    seconds = synthetic_run(1000, 2000)
    gone = Progress("m2", Role.SECONDARY, 0.0, 1.0, error="127.0.0.1:3307: Connection refused (error 2003)")
    seconds[10:20] = [replace(one, members=(one.members[0], gone)) for one in seconds[10:20]]
    found = summarise(CIRCUMSTANCES, seconds)
    assert found.sustained_within_bound is None
    assert any(said.startswith("m2 did not answer 10 of 30 times: 127.0.0.1:3307") for said in found.warnings)


def test_a_slow_member_says_no_even_where_another_is_unknown():
    blind = Progress("m3", Role.SECONDARY, 0.0, 1.0, error="gone")
    seconds = [replace(one, members=(*one.members, blind)) for one in synthetic_run(1000, 400)]
    assert summarise(CIRCUMSTANCES, seconds).sustained_within_bound is False


def test_alone_nobody_has_to_keep_up():
    seconds = [replace(one, members=one.members[:1]) for one in synthetic_run(1000, 2000)]
    found = summarise(CIRCUMSTANCES, seconds)
    assert found.sustained_within_bound is True
    assert by_method(found) == {"slowest_member": found.peak_per_second}


def test_an_open_loop_inside_the_bound_sustains_what_was_offered_only_when_it_was_done():
    offered = replace(CIRCUMSTANCES, load=replace(LOAD, rate_per_second=1000.0))
    assert by_method(summarise(offered, synthetic_run(1000, 2000, noise=0.01)))["offered"] == 1000.0
    assert "offered" not in by_method(summarise(offered, synthetic_run(900, 2000, noise=0.01)))
    assert "offered" not in by_method(summarise(offered, synthetic_run(1000, 400, noise=0.01)))


def test_a_second_of_the_load_generator_more_or_less_is_no_shortfall():
    what = replace(CIRCUMSTANCES, load=replace(LOAD, rate_per_second=1000.0))
    seconds = synthetic_run(1000, 2000, seconds=8, noise=0.01)
    seconds[3] = replace(seconds[3], load=())
    assert "offered" in by_method(summarise(what, seconds))
    late = [
        replace(one, load=tuple(replace(row, transactions_per_second=900.0) for row in one.load)) for one in seconds
    ]
    assert "only 900 of the 1000 tx/s offered were completed" in summarise(what, late).sustained_because


def test_several_writers_all_have_to_keep_up():
    both = replace(CIRCUMSTANCES, load=replace(LOAD, writers=("m1", "m2")))
    found = summarise(both, synthetic_run(1000, 2000))
    assert found.sustained_within_bound is None
    assert "m1" in found.sustained_because


def test_a_client_or_a_machine_at_its_limit_is_named():
    seconds = [replace(one, host={"cpu_share": 0.97, "client_cpu_share": 0.8}) for one in synthetic_run(1000, 2000)]
    found = summarise(CIRCUMSTANCES, seconds)
    assert any("load generator used 80%" in said for said in found.warnings)
    assert any("CPUs were 97% busy" in said for said in found.warnings)
    assert found.host["cpu_share"] == pytest.approx(0.97)


def test_a_restart_in_mid_run_and_a_change_of_the_disk_are_named():
    seconds = synthetic_run(1000, 2000)
    seconds[5] = replace(seconds[5], members=(seconds[5].members[0], replace(seconds[5].members[1], reset=True)))
    found = summarise(replace(CIRCUMSTANCES, host={"fsync_ms_before": 0.2, "fsync_ms_after": 2.0}), seconds)
    assert any("m2 was restarted" in said for said in found.warnings)
    assert any("fsync took 0.2 ms before the run and 2 ms after it" in said for said in found.warnings)


def test_a_cluster_that_is_no_longer_what_it_was_did_not_show_that_it_keeps_up():
    found = summarise(
        replace(CIRCUMSTANCES, problems=("semi-synchronous replication is off",)), synthetic_run(1000, 2000)
    )
    assert found.sustained_within_bound is None
    assert found.warnings[0] == "semi-synchronous replication is off"


def test_a_collapse_in_mid_run_is_not_steady():
    seconds = synthetic_run(1000, 2000, seconds=15) + synthetic_run(300, 2000, seconds=15)
    found = summarise(CIRCUMSTANCES, seconds)
    assert not found.steady
    assert any(warning.startswith("the run was not steady while measuring: throughput") for warning in found.warnings)


def test_the_peak_of_a_sole_writer_is_what_that_member_is_told_to_have_committed() -> None:
    chance = random.Random(5)

    def late(one: Second) -> Second:
        """Members are read one after another: their intervals differ."""
        writer, replica = one.members
        return replace(one, members=(replace(writer, interval_seconds=chance.uniform(0.9, 1.1)), replica))

    found = summarise(CIRCUMSTANCES, [late(one) for one in synthetic_run(1000, 2000, noise=0.3)])
    assert found.peak_per_second == found.members[0].committed_per_second
    assert found.peak_interval.mid == found.peak_per_second


def test_where_no_member_knows_its_commits_the_load_generators_do() -> None:
    def silent(one: Second) -> Second:
        return replace(one, members=tuple(replace(row, committed_per_second=None) for row in one.members))

    found = summarise(CIRCUMSTANCES, [silent(one) for one in synthetic_run(1000, 2000, noise=0.0)])
    assert found.peak_per_second == pytest.approx(1000)
