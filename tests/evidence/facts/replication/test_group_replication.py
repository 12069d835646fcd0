"""The arithmetic of flow control and of the group's messages, against numbers worked out by hand."""

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, Sample, TableSnapshot
from advisor.model.record import replace
from advisor.model.server import Topology
from advisor.options import read_text, resolve

NAME = "loose-group_replication_group_name = 6f3c1d1e-7c1f-4a70-9a55-0d8a2a1b3c4d"


def view(server, *lines, rates=None, tables=(), observed=None, topology=None, running=9):
    release = parse_release(server)[-1]
    reading = read_text("\n".join(["[mysqld]", *lines]), "my.cnf")
    samples = ()
    if rates is not None:
        first = dict.fromkeys(rates, 0) | {"Threads_running": running}
        last = {name: per_second * 10 for name, per_second in rates.items()} | {"Threads_running": running}
        samples = (Sample(0.0, first), Sample(10.0, last))
    facts = {name: Fact(name, value) for name, value in (observed or {}).items()}
    member = Member("server", options=reading, samples=samples, tables=tuple(tables), observed=facts, host=facts)
    return MemberFacts(member, release, resolve(reading, release), topology)


@pytest.mark.parametrize(
    ("server", "lines", "floor"),
    [
        ("mysql 5.7.40", (), 1125),  # 5 % of 25000, less 10 %
        ("mysql 8.4.13", (), 1125),
        ("mysql 8.4.13", ("loose-group_replication_flow_control_certifier_threshold = 1000",), 45),
        ("mysql 8.4.13", ("loose-group_replication_flow_control_min_quota = 4000",), 3600),
        ("mysql 8.4.13", ("loose-group_replication_flow_control_period = 5",), 225),
        ("mysql 8.4.13", ("loose-group_replication_flow_control_applier_threshold = 0",), 1),
        ("mysql 5.7.15", (), 1125),  # the preview
    ],
)
def test_the_quota_has_a_floor_of_a_twentieth_of_the_smaller_threshold(server, lines, floor):
    assert view(server, NAME, *lines).value("fact.flow_control_floor_per_second") == pytest.approx(floor)


@pytest.mark.parametrize(
    ("server", "line", "on"),
    [
        ("mysql 5.7.15", "loose-group_replication_flow_control_mode = DISABLED", False),
        ("mysql 5.7.15", "loose-group-replication-flow-control-mode = QUOTA", True),
        ("mysql 8.0.36", "loose-group_replication_flow_control_mode = disabled", False),
        ("mysql 9.7.4", NAME, True),
    ],
)
def test_flow_control_is_on_unless_the_mode_says_disabled(server, line, on):
    assert view(server, line).value("fact.flow_control_on") is on


def test_flow_control_of_a_series_nobody_knows_is_unknown():
    assert view("mysql 27.1.0").value("fact.flow_control_on") == Missing(("group_replication_flow_control_mode",))


def test_throttle_time_is_shared_by_the_sessions_that_work():
    rates = {"Gr_flow_control_throttle_time_sum": 5_840_000}
    assert view("mysql 9.7.4", rates=rates, running=9).value("fact.flow_control_share") == pytest.approx(0.73)
    counted = view("mysql 9.7.4", rates=rates, observed={"clients": 16})
    assert counted.value("fact.flow_control_share") == pytest.approx(0.365)


def test_one_running_thread_is_the_observer_and_still_counts_as_one_client():
    assert view("mysql 9.7.4", rates={}, running=1).value("fact.active_clients") == 1


def test_the_mean_of_running_threads_is_one_over_time():
    running = view("mysql 9.7.4", rates={}, running=20)
    idle = Sample(15.0, {"Threads_running": 4})
    tail = MemberFacts(replace(running.member, samples=(*running.member.samples, idle)), running.release, None, None)
    assert tail.value("fact.active_clients") == pytest.approx((20 * 10 + 12 * 5) / 15 - 1)


def test_no_more_than_all_the_time_is_spent_waiting():
    counted_too_few = view("mysql 9.7.4", rates={"Gr_flow_control_throttle_time_sum": 9_000_000}, running=8)
    assert counted_too_few.value("fact.flow_control_share") == 1


def test_a_lost_member_needs_five_seconds_and_the_expel_timeout_of_messages():
    rates = {"Gr_data_messages_sent_bytes_sum": 40_000_000}
    patient = view("mysql 8.4.13", "loose-group_replication_member_expel_timeout = 60", rates=rates)
    assert patient.value("fact.absent_member_bytes") == pytest.approx(65 * 40_000_000)
    assert patient.value("fact.message_cache_needed_bytes") == 10 * 256 * 1024**2
    assert view("mysql 5.7.40").value("fact.expel_after_seconds") == 5


def test_the_link_carries_bits():
    full = view("mysql 8.4.13", rates={"Gr_consensus_bytes_sent_sum": 75_000_000}, observed={"link_mbit": 1000})
    assert full.value("fact.group_link_share") == pytest.approx(0.6)


def test_the_group_is_as_large_as_its_table_or_else_its_seeds_say():
    seeds = "loose-group_replication_group_seeds = 'b:33061, c:33061,A:33061'"
    own = "loose-group_replication_local_address = 'a:33061'"
    assert view("mysql 8.4.13", seeds, own).value("fact.group_size") == 3
    rows = TableSnapshot("replication_group_members", tuple({"MEMBER_ID": str(n)} for n in range(5)))
    assert view("mysql 8.4.13", seeds, own, tables=[rows]).value("fact.group_size") == 5
    assert view("mysql 8.4.13", own).value("fact.group_size") == Missing(("group.replication_group_members",))


def test_the_longest_applier_queue_counts_and_is_unknown_where_5_7_has_no_column():
    queue = "COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE"
    rows = TableSnapshot("replication_group_member_stats", ({queue: 7}, {queue: 0}, {queue: 41}))
    assert view("mysql 8.0.36", tables=[rows]).value("fact.group_applier_queue") == 41
    old = TableSnapshot("replication_group_member_stats", ({"COUNT_TRANSACTIONS_IN_QUEUE": 3},))
    missing = Missing(("group.replication_group_member_stats",))
    assert view("mysql 5.7.40", tables=[old]).value("fact.group_applier_queue") == missing


@pytest.mark.parametrize(
    ("server", "line", "member"),
    [
        ("mysql 8.0.36", NAME, True),
        ("mysql 8.0.36", "loose-group_replication_group_name =", True),  # a template
        ("mysql 5.7.15", "loose-group-replication-group-seeds = a:33061", True),
        ("mysql 8.0.36", "server_id = 1", False),
        ("mariadb 10.11.5", NAME, False),
    ],
)
def test_a_file_with_a_group_name_address_or_seeds_is_a_members(server, line, member):
    assert view(server, line).value("fact.is_group_member") is member


@pytest.mark.parametrize(
    "line",
    [
        "loose-group_replication_consistency = AFTER",
        "Loose_Group-Replication-Start_On_Boot = OFF",
        "plugin_load_add = group_replication.so",
        "early-plugin-load = gr=group_replication.so",
    ],
)
def test_whether_a_server_with_the_plugin_is_a_member_may_stand_elsewhere(line):
    asked = view("mysql 8.0.20", line)
    assert asked.value("fact.is_group_member") == Missing(("group_replication_group_name",))


def test_a_stated_topology_settles_it():
    assert view("mysql 8.0.36", topology=Topology.GROUP_REPLICATION).value("fact.is_group_member") is True
    assert view("mysql 8.0.36", NAME, topology=Topology.ASYNC_MYSQL).value("fact.is_group_member") is False
