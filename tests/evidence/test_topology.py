"""Roles and topologies: only what the evidence proves, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.evidence import read_path
from advisor.evidence.topology import recognise
from advisor.model.evidence import Cluster, Fact, Member, Sample, TableSnapshot
from advisor.model.server import Family, Role, Topology


def of_file(tmp_path: Path, text: str) -> Cluster:
    path = tmp_path / "my.cnf"
    path.write_text(text)
    return read_path(str(path))


def running(name: str = "a", **variables: str) -> Member:
    return Member(name, variables={key: Fact(key, value, "", "v.txt:1") for key, value in variables.items()})


@pytest.mark.parametrize(
    ("lines", "topology", "role"),
    [
        ("loose-group_replication_group_name=aaaa", Topology.GROUP_REPLICATION, None),
        ('loose-group_replication_group_seeds="a:33061,b:33061"', Topology.GROUP_REPLICATION, None),
        ("loose-group_replication_group_name=", Topology.GROUP_REPLICATION, None),
        ("loose-group_replication_unreachable_majority_timeout=10", None, None),
        ("group-replication-group-name=aaaa\nsuper_read_only=ON", Topology.GROUP_REPLICATION, None),
        ("wsrep_on=ON\nwsrep_provider=/x.so\nwsrep_cluster_address=gcomm://a,b", Topology.GALERA, Role.NODE),
        ("wsrep_provider=/x.so\nwsrep_cluster_address=gcomm://", Topology.GALERA, Role.NODE),
        ("wsrep_on=OFF\nwsrep_provider=/x.so\nwsrep_cluster_address=gcomm://a", None, None),
        ("wsrep_provider=none\nwsrep_cluster_address=gcomm://a", None, None),
        ("wsrep_provider=/x.so", None, None),
        ("wsrep_on=ON\nwsrep_provider=/x.so\nslave-skip-errors=all\ngtid_domain_id=1", None, Role.REPLICA),
        ("rpl_semi_sync_master_enabled=1", Topology.SEMISYNC, Role.SOURCE),
        ("loose_rpl_semi_sync_replica_enabled", Topology.SEMISYNC, Role.REPLICA),
        ("rpl_semi_sync_master_enabled=1\nrpl_semi_sync_slave_enabled=1", Topology.SEMISYNC, None),
        ("rpl_semi_sync_master_enabled=0", None, None),
        ("super_read_only=ON\nrelay_log=relay", Topology.ASYNC_MYSQL, Role.REPLICA),
        ("read_only=1\nrelay_log=relay\ngtid_domain_id=1", Topology.ASYNC_MARIADB, Role.REPLICA),
        ("read_only=1\nrelay_log=relay", None, Role.REPLICA),
        ("read_only=1", None, None),
        ("relay_log=relay\nlog_bin=x", None, None),
        ("relay_log=relay\nlog_slave_updates\nlog_bin=x", None, Role.REPLICA),
        ("replicate-wild-do-table=shop.%", None, Role.REPLICA),
        ("slave_skip_errors=1062", None, Role.REPLICA),
        ("slave_skip_errors=OFF", None, None),
        ("log_slave_updates", None, None),
        ("skip-log-bin", None, None),
        ("log_bin=binlog\nserver_id=1", None, None),
    ],
)
def test_an_option_file_alone(tmp_path: Path, lines: str, topology: Topology | None, role: Role | None) -> None:
    cluster = of_file(tmp_path, f"[mysqld]\n{lines}\n")
    assert (cluster.topology, cluster.members[0].role) == (topology, role)
    assert bool(cluster.topology_source) == (topology is not None)
    assert bool(cluster.members[0].role_source) == (role is not None)


def test_options_of_other_programs_prove_nothing(tmp_path: Path) -> None:
    assert of_file(tmp_path, "[mysqldump]\nloose-group_replication_group_name=a\n").topology is None


def test_the_reason_names_the_place(tmp_path: Path) -> None:
    cluster = of_file(tmp_path, "[mysqld]\nrpl_semi_sync_master_enabled=1\n")
    assert cluster.topology_source == f"rpl_semi_sync_master_enabled=1 ({tmp_path / 'my.cnf'}:2)"


def members_table() -> TableSnapshot:
    rows = (
        {"MEMBER_ID": "u1", "MEMBER_STATE": "ONLINE", "MEMBER_ROLE": "PRIMARY"},
        {"MEMBER_ID": "u2", "MEMBER_STATE": "ONLINE", "MEMBER_ROLE": "SECONDARY"},
    )
    return TableSnapshot("replication_group_members", rows)


@pytest.mark.parametrize(("uuid", "role"), [("u1", Role.PRIMARY), ("u2", Role.SECONDARY), ("u3", None)])
def test_a_member_of_a_group_finds_itself_by_its_uuid(uuid: str, role: Role | None) -> None:
    member = Member("a", variables=running(server_uuid=uuid).variables, tables=(members_table(),))
    found = recognise([member])
    assert found.topology
    assert found.topology.value is Topology.GROUP_REPLICATION
    assert (found.roles["a"].value if "a" in found.roles else None) == role


def test_on_5_7_a_counter_names_the_primary() -> None:
    member = Member(
        "a",
        variables=running(server_uuid="u1", group_replication_group_name="g").variables,
        samples=(Sample(0, {"group_replication_primary_member": "u2"}),),
    )
    assert recognise([member]).roles["a"].value is Role.SECONDARY


def test_a_writable_server_that_may_not_be_in_the_group_has_no_role() -> None:
    assert not recognise([running(super_read_only="OFF", group_replication_group_name="g")]).roles
    found = recognise([running(super_read_only="ON", group_replication_group_name="g")])
    assert found.roles["a"].value is Role.SECONDARY


def test_a_server_that_replicates_is_a_replica_and_its_source_is_found() -> None:
    status = TableSnapshot("replica_status", ({"Slave_IO_State": "x", "Master_Server_Id": 11},))
    replica = Member("r", server="mysql 8.0.36", tables=(status,))
    found = recognise([replica, running("s", server_id="11")])
    assert {name: role.value for name, role in found.roles.items()} == {"r": Role.REPLICA, "s": Role.SOURCE}
    assert found.roles["s"].source == "r replicates from it"
    assert found.topology
    assert found.topology.value is Topology.ASYNC_MYSQL


def test_without_the_family_the_topology_of_a_replica_stays_open() -> None:
    replica = Member("r", tables=(TableSnapshot("replica_status", ({"Slave_IO_State": "x"},)),))
    assert recognise([replica]).topology is None
    assert recognise([replica]).roles["r"].value is Role.REPLICA
    known = recognise([replica], family=Family.MARIADB).topology
    assert known
    assert known.value is Topology.ASYNC_MARIADB


@pytest.mark.parametrize(("column", "command"), [("Command", "Binlog Dump"), ("command", "Binlog Dump GTID")])
def test_a_dump_thread_makes_a_source(column: str, command: str) -> None:
    member = Member("a", server="mariadb 10.11.6-MariaDB", processlist=({column: command},))
    assert recognise([member]).roles["a"].value is Role.SOURCE


def test_a_running_server_with_the_plugin_and_no_group_is_in_none() -> None:
    blank = running(group_replication_group_name="", group_replication_group_seeds="")
    assert recognise([blank]).topology is None


def test_standalone_needs_proof() -> None:
    nothing = TableSnapshot("replica_status", ())
    off = running(log_bin="OFF").variables
    proven = recognise([Member("a", variables=off, tables=(nothing,))])
    assert proven.topology
    assert proven.topology.value is Topology.STANDALONE
    assert proven.roles["a"].value is Role.STANDALONE
    assert recognise([Member("a", variables=off)]).topology is None
    assert recognise([Member("a", variables=running(log_bin="ON").variables, tables=(nothing,))]).topology is None
    everybody = ({"User": "root", "Command": "Query"}, {"User": "event_scheduler", "Command": "Daemon"})
    assert recognise([Member("a", tables=(nothing,), processlist=everybody)]).topology
    assert recognise([Member("a", tables=(nothing,), processlist=everybody[:1])]).topology is None


def test_what_a_bundle_states_is_taken_as_stated() -> None:
    found = recognise([running(group_replication_group_name="g")], Topology.ASYNC_MYSQL)
    assert found.topology
    assert (found.topology.value, found.topology.source) == (Topology.ASYNC_MYSQL, "bundle.json")
