"""Every topology keeps the same contract, whatever it is; and each says what is special about it."""

from __future__ import annotations

import itertools

import pytest

from advisor.dialects import dialect_of
from advisor.errors import UsageError
from advisor.model.lab import ClusterSpec, Endpoint, ServerBinary
from advisor.model.server import Family, Role, Topology
from advisor.topologies import find_topology, module_for, topology_name, topology_names

MYSQL = ServerBinary(Family.MYSQL, (9, 7, 4), "/p/mysqld", ("/p/mysqld",), "/p", "/p/plugin", "/p/share")
OLD_MYSQL = ServerBinary(Family.MYSQL, (5, 7, 22), "/o/mysqld", ("/o/mysqld",), "/o", "/o/plugin", "/o/share")
MARIADB = ServerBinary(
    Family.MARIADB, (10, 11, 19), "/m/mariadbd", ("/m/mariadbd",), "/m", "/m/plugin", "/m/share",
    galera_provider="/m/libgalera_smm.so",
)  # fmt: skip
ENDPOINTS = tuple(Endpoint(f"m{n}", 21000 + 4 * n, (21001 + 4 * n, 21002 + 4 * n, 21003 + 4 * n)) for n in range(9))


def spec(binary: ServerBinary, members: int, **options: object) -> ClusterSpec:
    return ClusterSpec(name="test", binary=binary, endpoints=ENDPOINTS[:members], **options)


def settings(topology: str, binary: ServerBinary, members: int = 3, **options: object) -> list[dict[str, str]]:
    plans = find_topology(topology)[1].plan(spec(binary, members, **options))
    return [dict(plan.settings) for plan in plans]


@pytest.mark.parametrize(("name", "binary"), [*itertools.product(topology_names(), (MYSQL, OLD_MYSQL, MARIADB))])
def test_the_contract(name, binary):
    module = find_topology(name)[1]
    assert module.topology(binary.family) in Topology
    for members in module.MEMBERS:
        if name == "galera" and binary.family is Family.MYSQL:
            continue
        asked = spec(binary, members)
        plans = module.plan(asked)
        assert [plan.endpoint for plan in plans] == list(asked.endpoints)
        assert plans == module.plan(asked), "pure: the same spec gives the same plan"
        assert all(isinstance(value, str) and "\n" not in value for plan in plans for value in plan.settings.values())
        assert not {"port", "datadir", "socket", "server_id"} & {key for plan in plans for key in plan.settings}


@pytest.mark.parametrize("name", topology_names())
def test_members_talk_on_loopback_and_on_their_own_ports_only(name):
    binary = MYSQL if name == "group_replication" else MARIADB
    for plan in find_topology(name)[1].plan(spec(binary, 3)):
        mine = {plan.endpoint.port, *plan.endpoint.more_ports}
        for key, value in plan.settings.items():
            assert "0.0.0.0" not in value
            if key.endswith(("local_address", "receive_address", "incoming_address")):
                host, _, port = value.partition(":")
                assert host == "127.0.0.1"
                assert int(port) in mine


def test_a_beginning_of_a_name_is_enough_and_nonsense_is_wrong_usage():
    assert [find_topology(word)[0] for word in ("async", "Group-Replication", "semi", "galera")] == [
        "asynchronous", "group_replication", "semisync", "galera",
    ]  # fmt: skip
    for word in ("", "s", "ring", "../standalone"):
        with pytest.raises(UsageError):
            find_topology(word)


def test_the_models_ids_are_understood_and_shown_as_the_name_users_type():
    assert [find_topology(word)[0] for word in ("async_mysql", "async-mariadb", "group_replication")] == [
        "asynchronous", "asynchronous", "group_replication",
    ]  # fmt: skip
    assert [topology_name(topology) for topology in (Topology.ASYNC_MARIADB, Topology.GALERA)] == [
        "asynchronous", "galera",
    ]  # fmt: skip


def test_the_models_word_leads_back_to_the_module():
    assert module_for(Topology.ASYNC_MARIADB, Family.MARIADB).__name__.endswith("asynchronous")
    assert module_for(Topology.GALERA, Family.MARIADB).__name__.endswith("galera")
    with pytest.raises(UsageError):
        module_for(Topology.ASYNC_MARIADB, Family.MYSQL)


def test_workers_are_said_in_the_servers_own_spelling():
    assert settings("asynchronous", MYSQL, workers=8)[1]["replica_parallel_workers"] == "8"
    assert settings("asynchronous", OLD_MYSQL, workers=8)[1]["slave_parallel_workers"] == "8"
    assert settings("asynchronous", MARIADB, workers=8)[1]["slave_parallel_threads"] == "8"
    assert settings("galera", MARIADB, workers=8)[0]["wsrep_slave_threads"] == "8"
    assert "replica_parallel_workers" not in settings("asynchronous", MYSQL)[1], "else the server's default"
    assert "replica_parallel_workers" not in settings("asynchronous", MYSQL, workers=8)[0], "the source applies nothing"


def test_semisync_has_plugins_in_mysql_and_none_in_mariadb():
    source, replica, _ = settings("semisync", MYSQL, acks=2, wait_point="after_commit")
    assert source["plugin_load_add"] == "semisync_source.so"
    assert source["rpl_semi_sync_source_wait_for_replica_count"] == "2"
    assert source["rpl_semi_sync_source_wait_point"] == "AFTER_COMMIT"
    assert replica["rpl_semi_sync_replica_enabled"] == "ON"
    assert settings("semisync", OLD_MYSQL)[0]["plugin_load_add"] == "semisync_master.so"
    source, replica, _ = settings("semisync", MARIADB)
    assert "plugin_load_add" not in source
    assert (source["rpl_semi_sync_master_enabled"], replica["rpl_semi_sync_slave_enabled"]) == ("ON", "ON")


def test_acknowledgements_that_cannot_come_are_refused():
    with pytest.raises(UsageError, match="MariaDB waits for one"):
        settings("semisync", MARIADB, acks=2)
    with pytest.raises(UsageError, match="more than the number of replicas, 2"):
        settings("semisync", MYSQL, acks=3)


def test_one_primary_or_all():
    plan = find_topology("group_replication")[1].plan
    single, multi = plan(spec(MYSQL, 3)), plan(spec(MYSQL, 3, multi_primary=True))
    assert [p.role for p in single] == [Role.PRIMARY, Role.SECONDARY, Role.SECONDARY]
    assert {p.role for p in multi} == {Role.PRIMARY}
    assert {p.settings["group_replication_single_primary_mode"] for p in multi} == {"OFF"}
    assert single[0].settings["group_replication_communication_stack"] == "MYSQL", "the other one binds all interfaces"


def test_who_cannot_run_what_is_said():
    assert find_topology("galera")[1].why_not(MARIADB) == ""
    assert "MariaDB" in find_topology("galera")[1].why_not(MYSQL)
    assert "MariaDB" in find_topology("group_replication")[1].why_not(MARIADB)
    assert "8.0.27" in find_topology("group_replication")[1].why_not(OLD_MYSQL)
    assert "semisync_source.so is not in" in find_topology("semisync")[1].why_not(MYSQL)
    assert find_topology("semisync")[1].why_not(MARIADB) == ""


def test_galera_nodes_come_one_after_the_other_and_only_the_first_begins_a_cluster():
    plans = find_topology("galera")[1].plan(spec(MARIADB, 3))
    assert [plan.waits_for_previous for plan in plans] == [False, True, True]
    assert [plan.words for plan in plans] == [("--wsrep-new-cluster",), (), ()]
    assert plans[0].programs["wsrep_sst_lab"].startswith("#!/bin/sh\n")


def test_early_8_0_asks_for_the_public_key_that_its_logins_need():
    assert "GET_MASTER_PUBLIC_KEY" in dialect_of(Family.MYSQL, (8, 0, 15)).follow
    assert "PUBLIC_KEY" not in dialect_of(Family.MYSQL, (5, 7, 22)).follow


@pytest.mark.parametrize(
    ("family", "version", "show"),
    [
        (Family.MYSQL, (8, 0, 25), "SHOW SLAVE STATUS"),
        (Family.MYSQL, (8, 0, 26), "SHOW REPLICA STATUS"),
        (Family.MARIADB, (11, 8, 2), "SHOW SLAVE STATUS"),
    ],
)
def test_a_dialect_is_chosen_by_release(family, version, show):
    assert dialect_of(family, version).show_replica == show
