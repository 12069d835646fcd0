"""What members did between two readings, from values as real servers gave them."""

from __future__ import annotations

import pytest

from advisor.model.progress import Position, Progress
from advisor.model.server import Role
from advisor.topologies import find_topology
from advisor.topologies.positions.monitor import when_written

S1, S2 = "ced3a639-e5b0-11f1-9629-02fc00000001", "cecdebd7-e5b0-11f1-9b1a-02fc00000001"
GROUP = "7f1d3329-5fe2-5994-8b2e-b3c592a86d8c"


def mysql(member: str, role: Role, at: float, executed: str, uuid: str = S1, **values: object) -> Position:
    known = {"gtid_executed": executed, "gtid_mode": "ON", "log_bin": 1, "server_uuid": uuid}
    return Position(member, role, at, 0.002, known | values)


def mariadb(member: str, role: Role, at: float, state: str, slave_pos: str = "", **values: object) -> Position:
    known = {"gtid_binlog_state": state, "gtid_slave_pos": slave_pos, "log_bin": 1}
    return Position(member, role, at, 0.002, known | {"server_id": 1 if role is Role.SOURCE else 2} | values)


def galera(member: str, at: float, committed: int, **values: object) -> Position:
    known = {"wsrep_cluster_state_uuid": GROUP, "wsrep_last_committed": str(committed), "wsrep_replicated": "0"}
    return Position(member, Role.NODE, at, 0.001, known | {name: str(value) for name, value in values.items()})


def by_name(topology: str, before: list[Position], now: list[Position]) -> dict[str, Progress]:
    module = find_topology(topology)[1]
    earlier = {position.member: position for position in before}
    return {each.member: each for each in module.progress(earlier, {position.member: position for position in now})}


def test_a_replica_lacks_what_the_source_has_and_has_received_part_of_it():
    before = [mysql("m1", Role.SOURCE, 0.0, f"{S1}:1-100"), mysql("m2", Role.REPLICA, 0.0, f"{S1}:1-100", S2)]
    replica = mysql("m2", Role.REPLICA, 2.0, f"{S1}:1-150:160", S2, RECEIVED_TRANSACTION_SET=f"{S1}:101-180")
    found = by_name("asynchronous", before, [mysql("m1", Role.SOURCE, 2.0, f"{S1}:1-200"), replica])
    assert found["m1"].committed_per_second == 50.0
    assert (found["m1"].applied_per_second, found["m1"].backlog) == (None, None)
    assert (found["m2"].committed_per_second, found["m2"].applied_per_second) == (0.0, 25.5)
    assert (found["m2"].backlog, found["m2"].unreceived) == (49, 20)
    assert (found["m2"].lag_method, found["m2"].lag_ms) == ("rate", pytest.approx(49 / 25.5 * 1000))


def test_what_a_worker_applies_now_tells_the_lag_by_the_clock_of_the_source():
    age = {"applying_age_us": 700_000}
    source = mysql("m1", Role.SOURCE, 1.0, f"{S1}:1-20", clock_offset_seconds=1000.0)
    same = mysql("m2", Role.REPLICA, 1.0, f"{S1}:1-10", S2, clock_offset_seconds=1000.001, **age)
    fast = mysql("m2", Role.REPLICA, 1.0, f"{S1}:1-10", S2, clock_offset_seconds=1000.5, **age)
    assert by_name("asynchronous", [], [source, same])["m2"].lag_ms == 700.0
    assert by_name("asynchronous", [], [source, fast])["m2"].lag_ms == pytest.approx(200.0)


def test_old_times_are_no_lag_when_nothing_waits():
    replica = mysql("m2", Role.REPLICA, 1.0, f"{S1}:1-20", S2, applying_age_us=700_000)
    found = by_name("asynchronous", [], [mysql("m1", Role.SOURCE, 1.0, f"{S1}:1-20"), replica])["m2"]
    assert (found.backlog, found.lag_ms, found.lag_method) == (0, 0.0, "counted")


def test_without_ids_or_without_the_source_the_backlog_is_unknown_and_not_zero():
    source, replica = mysql("m1", Role.SOURCE, 1.0, "", gtid_mode="OFF"), mysql("m2", Role.REPLICA, 1.0, "", S2)
    assert by_name("asynchronous", [], [source, replica])["m2"].backlog is None
    gone = Position("m1", Role.SOURCE, 1.0, 0.1, {}, "127.0.0.1:1: it is not there")
    found = by_name("asynchronous", [], [gone, replica])
    assert (found["m2"].backlog, found["m2"].lag_ms, found["m1"].error) == (None, None, gone.error)


def test_without_a_binary_log_nothing_counts_commits():
    before, now = (mysql("m1", Role.STANDALONE, at, "", log_bin=0) for at in (0.0, 1.0))
    assert by_name("standalone", [before], [now])["m1"].committed_per_second is None


def test_mariadb_counts_domain_by_domain():
    before = [mariadb("m1", Role.SOURCE, 0.0, "0-1-100,5-1-7"), mariadb("m2", Role.REPLICA, 0.0, "", "0-1-100,5-1-7")]
    told = {"Using_Gtid": "Slave_Pos", "Gtid_IO_Pos": "0-1-140,5-1-9", "Retried_transactions": 3}
    replica = mariadb("m2", Role.REPLICA, 2.0, "", "0-1-130,5-1-8", **told)
    found = by_name("asynchronous", before, [mariadb("m1", Role.SOURCE, 2.0, "0-1-150,5-1-9"), replica])
    assert found["m1"].committed_per_second == 26.0
    assert (found["m2"].backlog, found["m2"].unreceived, found["m2"].applied_per_second) == (21, 10, 15.5)


def test_domains_a_replica_leaves_out_are_no_backlog():
    replica = mariadb("m2", Role.REPLICA, 1.0, "", "0-1-10", Replicate_Ignore_Domain_Ids="5, 6")
    assert by_name("asynchronous", [], [mariadb("m1", Role.SOURCE, 1.0, "0-1-12,5-1-900"), replica])["m2"].backlog == 2


def test_who_wrote_in_a_domain_two_servers_share_is_not_guessed():
    before = [mariadb("m1", Role.SOURCE, 0.0, "0-1-10,0-3-50")]
    found = by_name("asynchronous", before, [mariadb("m1", Role.SOURCE, 1.0, "0-1-60,0-3-50")])
    assert found["m1"].committed_per_second is None


def group(member: str, role: Role, at: float, last: int, proposed: int, applied: int, **values: object) -> Position:
    known = {
        "COUNT_TRANSACTIONS_LOCAL_PROPOSED": proposed,
        "COUNT_TRANSACTIONS_REMOTE_APPLIED": applied,
        "COUNT_TRANSACTIONS_LOCAL_ROLLBACK": 0,
        "COUNT_TRANSACTIONS_IN_QUEUE": 0,
        "COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE": 0,
        "flow_control_mode": "QUOTA",
        "flow_control_applier_threshold": 25,
        "flow_control_certifier_threshold": 25,
    }
    return mysql(member, role, at, f"{GROUP}:1-{last}", **{**known, **values})


def test_a_group_counts_own_and_others_and_says_who_holds_it_back():
    before = [group("m1", Role.PRIMARY, 0.0, 100, 98, 2), group("m2", Role.SECONDARY, 0.0, 100, 0, 100)]
    primary = group("m1", Role.PRIMARY, 2.0, 300, 298, 2, Gr_flow_control_throttle_time_sum="3000000")
    primary_before = group("m1", Role.PRIMARY, 0.0, 100, 98, 2, Gr_flow_control_throttle_time_sum="0")
    behind = group("m2", Role.SECONDARY, 2.0, 240, 0, 240, COUNT_TRANSACTIONS_REMOTE_IN_APPLIER_QUEUE=60)
    found = by_name("group_replication", [primary_before, before[1]], [primary, behind])
    assert (found["m1"].committed_per_second, found["m1"].applied_per_second, found["m1"].backlog) == (100.0, None, 0)
    assert (found["m1"].throttled_clients, found["m1"].throttling) == (1.5, False)
    assert (found["m2"].committed_per_second, found["m2"].applied_per_second) == (0.0, 70.0)
    assert (found["m2"].backlog, found["m2"].throttling) == (60, True)
    assert found["m2"].throttled_clients is None


def test_of_several_primaries_each_has_what_it_proposed():
    before = [group("m1", Role.PRIMARY, 0.0, 100, 50, 50), group("m2", Role.PRIMARY, 0.0, 100, 50, 50)]
    now = [
        group("m1", Role.PRIMARY, 1.0, 200, 112, 90, COUNT_TRANSACTIONS_LOCAL_ROLLBACK=2),
        group("m2", Role.PRIMARY, 1.0, 200, 90, 110),
    ]
    found = by_name("group_replication", before, now)
    assert (found["m1"].committed_per_second, found["m1"].applied_per_second) == (60.0, 40.0)
    assert found["m1"].conflicts_per_second == 2.0
    assert (found["m2"].committed_per_second, found["m2"].applied_per_second) == (40.0, 60.0)


def test_what_a_silent_primary_sent_is_still_wanted():
    sent = group("m2", Role.SECONDARY, 1.0, 100, 0, 100, RECEIVED_TRANSACTION_SET=f"{GROUP}:1-130")
    silent = Position("m1", Role.PRIMARY, 1.0, 5.0, {}, "127.0.0.1:1: no answer")
    assert by_name("group_replication", [], [silent, sent])["m2"].backlog == 30


def test_a_member_that_joined_anew_has_no_rates_from_its_old_counters():
    before = [group("m1", Role.PRIMARY, 0.0, 100, 98, 2), group("m2", Role.SECONDARY, 0.0, 100, 0, 100)]
    now = [group("m1", Role.PRIMARY, 1.0, 100, 98, 2), group("m2", Role.SECONDARY, 1.0, 100, 0, 0)]
    assert by_name("group_replication", before, now)["m2"].reset


def test_galera_pauses_everybody_whoever_asked():
    calm = {"wsrep_flow_control_paused_ns": 0, "wsrep_flow_control_sent": 0, "wsrep_local_commits": 0}
    held = {"wsrep_flow_control_paused_ns": 1_500_000_000, "wsrep_local_commits": 0}
    before = [galera("m1", 0.0, 100, **calm), galera("m2", 0.0, 100, **calm)]
    writer = galera("m1", 2.0, 300, **{**held, "wsrep_local_commits": 200, "wsrep_flow_control_sent": 0})
    now = [galera("m1", 2.0, 300, **{"wsrep_replicated": 200, **_values(writer)}),
           galera("m2", 2.0, 260, **held, wsrep_flow_control_sent=9)]  # fmt: skip
    found = by_name("galera", before, now)
    assert (found["m1"].committed_per_second, found["m1"].applied_per_second, found["m1"].backlog) == (100.0, None, 0)
    assert (found["m1"].throttled_share, found["m1"].throttling) == (0.75, False)
    assert (found["m2"].applied_per_second, found["m2"].backlog, found["m2"].throttling) == (80.0, 40, True)


def _values(position: Position) -> dict[str, object]:
    return {name: value for name, value in position.values.items() if name.startswith("wsrep_") and "uuid" not in name
            and name not in ("wsrep_last_committed", "wsrep_replicated")}  # fmt: skip


def test_nodes_of_two_histories_are_not_compared():
    split = galera("m2", 1.0, 5)
    split = Position("m2", Role.NODE, 1.0, 0.0, {**split.values, "wsrep_cluster_state_uuid": S1})
    found = by_name("galera", [], [galera("m1", 1.0, 100), split])
    assert (found["m1"].backlog, found["m2"].backlog) == (None, None)


@pytest.mark.parametrize(
    ("position", "seconds"), [(100, 1.01), (149, 1.5), (150, 1.51), (199, 2.0), (200, 5.01), (99, None), (300, None)]
)
def test_when_a_transaction_was_written_is_read_between_looks(position, seconds):
    looks = [(100, 1.0), (200, 2.0), (200, 5.0), (300, 6.0)]
    found = when_written(looks, position)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_a_replica_says_which_of_its_threads_stopped_and_a_source_has_none():
    def state(receivers: str, appliers: str) -> str | None:
        replica = mysql("m2", Role.REPLICA, 1.0, f"{S1}:1-20", S2, receivers=receivers, appliers=appliers)
        return by_name("asynchronous", [], [mysql("m1", Role.SOURCE, 1.0, f"{S1}:1-20"), replica])["m2"].state

    found = [state(*words) for words in (("ON", "ON"), ("ON", "OFF"), ("ON,OFF", "ON,ON"), ("OFF", "OFF"))]
    assert found == ["", "applier stopped", "receiver stopped", "replication stopped"]
    assert state("CONNECTING", "ON") == "receiver connecting"
    assert state("", "") is None, "the account may not read it"


def test_a_member_outside_its_group_has_no_role_and_nobody_waits_for_its_transactions():
    inside = group("m1", Role.PRIMARY, 1.0, 100, 100, 0, MEMBER_STATE="ONLINE", all_members=2, silent_members=0)
    left = mysql("m2", Role.PRIMARY, 1.0, f"{GROUP}:1-80,{S2}:1-5", S2, MEMBER_STATE="OFFLINE", applying_age_us=9)
    found = by_name("group_replication", [], [inside, left])
    assert (found["m1"].backlog, found["m1"].role, found["m1"].state) == (0, Role.PRIMARY, "")
    assert (found["m2"].backlog, found["m2"].role, found["m2"].state) == (20, None, "OFFLINE")
    alone = group("m1", Role.PRIMARY, 1.0, 100, 100, 0, MEMBER_STATE="ONLINE", all_members=3, silent_members=2)
    assert by_name("group_replication", [], [alone])["m1"].state == "no majority"


def test_a_node_outside_the_primary_component_makes_no_other_nodes_backlog_unknown():
    synced = {"wsrep_cluster_status": "Primary", "wsrep_local_state_comment": "Synced"}
    donor = {"wsrep_cluster_status": "Primary", "wsrep_local_state_comment": "Donor/Desynced"}
    lost = {"wsrep_cluster_status": "non-Primary", "wsrep_local_state_comment": "Initialized"}
    stranger = galera("m3", 1.0, 7, **lost, wsrep_cluster_state_uuid="00000000-0000-0000-0000-000000000000")
    found = by_name("galera", [], [galera("m1", 1.0, 50, **synced), galera("m2", 1.0, 40, **donor), stranger])
    assert [(each.backlog, each.state) for each in found.values()] == [
        (0, ""), (10, "Donor/Desynced"), (None, "non-Primary"),
    ]  # fmt: skip


def test_a_source_that_waits_for_nobody_any_more_says_so():
    waiting, alone = (mysql("m1", Role.SOURCE, 1.0, f"{S1}:1-20", semisync_status=words) for words in ("ON", "OFF"))
    assert by_name("semisync", [], [waiting])["m1"].state == ""
    assert by_name("semisync", [], [alone])["m1"].state == "not semi-synchronous"
