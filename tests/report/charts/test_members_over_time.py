"""Samples of a cluster as curves: what is a rate, what is a gap, and which counters tell nothing."""

from __future__ import annotations

import pytest

from advisor.model.evidence import Cluster, Fact, Member, Row, Sample, TableSnapshot
from advisor.model.server import Role, Topology
from advisor.report.charts.members_over_time import charts_of
from advisor.report.html.chart import Chart, Curve


def member(name: str, role: Role, counters: dict[str, list[object]], **switches: str) -> Member:
    """A member that was read every ten seconds; None stands for a counter that one sample lacks."""
    moments = max(map(len, counters.values()))
    samples = tuple(
        Sample(10.0 * at, {counter: values[at] for counter, values in counters.items() if values[at] is not None})
        for at in range(moments)
    )
    return Member(
        name, role=role, samples=samples, variables={key: Fact(key, value) for key, value in switches.items()}
    )


def drawn(cluster: Cluster) -> dict[str, Chart]:
    return {chart.id: chart for chart in charts_of(cluster)}


def curves(cluster: Cluster, chart: str) -> dict[str, Curve]:
    return {f"{curve.member} {curve.name}": curve for curve in drawn(cluster)[chart].curves}


def test_a_counter_becomes_its_mean_rate_between_two_readings() -> None:
    source = member("m1", Role.SOURCE, {"Binlog_cache_use": [1000, 5000, 5500]})
    curve = curves(Cluster("x", (source,), Topology.ASYNC_MYSQL), "transactions")["m1 committed"]
    assert curve.at_seconds == (0.0, 10.0, 20.0)
    assert curve.values == (400.0, 50.0)
    assert curve.mean == 225.0


def test_a_counter_that_fell_or_was_not_read_leaves_a_gap_and_no_negative_rate() -> None:
    source = member("m1", Role.SOURCE, {"Binlog_cache_use": [100, 200, 50, 80, None, 90, 100]})
    curve = curves(Cluster("x", (source,), Topology.ASYNC_MYSQL), "transactions")["m1 committed"]
    assert curve.values == (10.0, None, 3.0, None, None, 1.0)
    assert curve.mean == pytest.approx(14 / 3)


@pytest.mark.parametrize(("switch", "shown"), [("ON", True), ("OFF", False)])
def test_a_counter_that_stands_still_is_zero_only_where_the_binary_log_is_known_to_be_on(
    switch: str, shown: bool
) -> None:
    idle = member("m1", Role.STANDALONE, {"Binlog_cache_use": [7, 7]}, log_bin=switch)
    charts = drawn(Cluster("x", (idle,), Topology.STANDALONE))
    assert ("transactions" in charts) is shown


def test_what_a_replica_applies_is_known_only_where_it_logs_it() -> None:
    counters: dict[str, list[object]] = {"Binlog_commits": [0, 100]}
    for switch, expected in (("ON", {"r applied"}), ("OFF", set())):
        replica = member("r", Role.REPLICA, counters, log_slave_updates=switch)
        charts = drawn(Cluster("x", (replica,), Topology.ASYNC_MARIADB))
        found = {f"{curve.member} {curve.name}" for chart in charts.values() for curve in chart.curves}
        assert found == expected


def test_galera_nodes_show_what_they_replicate_what_they_apply_and_how_long_they_paused() -> None:
    writer = {
        "wsrep_replicated": [0, 1000],
        "wsrep_last_committed": [50, 1050],
        "wsrep_flow_control_paused_ns": [0, 2.5e9],
    }
    other = {"wsrep_replicated": [0, 0], "wsrep_last_committed": [50, 950], "wsrep_flow_control_paused_ns": [0, 2.5e9]}
    cluster = Cluster("x", (member("a", Role.NODE, writer), member("b", Role.NODE, other)), Topology.GALERA)
    rates = curves(cluster, "transactions")
    assert {name: curve.values for name, curve in rates.items()} == {"a committed": (100.0,), "b applied": (90.0,)}
    assert curves(cluster, "paused")["a paused"].values == (25.0,)


def test_a_group_member_is_read_from_its_own_row() -> None:
    def row(uuid: str, queue: int, applied: int) -> Row:
        return {
            "MEMBER_ID": uuid,
            "COUNT_TRANSACTIONS_LOCAL_PROPOSED": 0,
            "COUNT_TRANSACTIONS_LOCAL_ROLLBACK": 0,
            "COUNT_TRANSACTIONS_REMOTE_APPLIED": applied,
            "COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE": queue,
        }

    tables = tuple(
        TableSnapshot(
            "replication_group_member_stats", (row("other", 9999, 1), row("me", 30 + at, 100 * at)), 10.0 * at
        )
        for at in range(3)
    )
    me = Member("g2", role=Role.SECONDARY, tables=tables, variables={"server_uuid": Fact("server_uuid", "me")})
    cluster = Cluster("x", (me,), Topology.GROUP_REPLICATION)
    assert curves(cluster, "waiting")["g2 waiting"].values == (30, 31, 32)
    assert curves(cluster, "transactions")["g2 applied"].values == (10.0, 10.0)


def test_members_with_times_of_day_keep_the_distance_between_them() -> None:
    def at(name: str, begin: float) -> Member:
        return Member(name, role=Role.NODE, samples=tuple(Sample(begin + s, {"Threads_running": 3}) for s in (0, 1)))

    cluster = Cluster("x", (at("a", 1.7e9), at("b", 1.7e9 + 0.5)), Topology.GALERA)
    found = curves(cluster, "running")
    assert (found["a running"].at_seconds, found["b running"].at_seconds) == ((0.0, 1.0), (0.5, 1.5))


def test_what_is_no_number_is_a_gap() -> None:
    odd = member("m1", Role.SOURCE, {"Threads_running": [3, "nan", "inf", "1e999", 10**400, True, "4"]})
    curve = curves(Cluster("x", (odd,), Topology.ASYNC_MYSQL), "running")["m1 running"]
    assert curve.values == (3.0, None, None, None, None, None, 4.0)


def test_a_single_reading_is_no_chart() -> None:
    assert charts_of(Cluster("x", (member("m", Role.SOURCE, {"Threads_running": [3]}),), Topology.ASYNC_MYSQL)) == ()
