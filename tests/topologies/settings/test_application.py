"""How a setting reaches a running member, by release and topology; and how values are compared."""

from __future__ import annotations

import pytest

from advisor.catalog import load, parse_release
from advisor.errors import UsageError
from advisor.model.applying import Application, AppliedSetting
from advisor.model.server import Topology
from advisor.topologies import application, took_effect
from advisor.topologies.settings.application import _claims

MYSQL, OLD, MARIADB = (parse_release(text)[0] for text in ("mysql-9.7.4", "mysql-5.7.44", "mariadb-10.11.19"))
ASYNC, GROUP, GALERA = Topology.ASYNC_MYSQL, Topology.GROUP_REPLICATION, Topology.GALERA


@pytest.mark.parametrize(
    ("name", "release", "topology", "how"),
    [
        ("sync_binlog", MYSQL, ASYNC, Application.DYNAMIC),
        ("sort_buffer_size", MYSQL, ASYNC, Application.NEW_SESSIONS),
        ("binlog_cache_size", MYSQL, ASYNC, Application.NEW_SESSIONS),
        ("innodb_flush_method", MYSQL, ASYNC, Application.SERVER_RESTART),
        ("innodb_log_buffer_size", MYSQL, ASYNC, Application.DYNAMIC),
        ("innodb_log_buffer_size", OLD, ASYNC, Application.SERVER_RESTART),
        ("replica_parallel_workers", MYSQL, ASYNC, Application.APPLIER_RESTART),
        ("slave_parallel_workers", OLD, ASYNC, Application.APPLIER_RESTART),
        ("replica_parallel_workers", MYSQL, GROUP, Application.MEMBER_REJOIN),
        ("slave_parallel_threads", MARIADB, Topology.ASYNC_MARIADB, Application.APPLIER_RESTART),
        ("rpl_semi_sync_replica_enabled", MARIADB, Topology.SEMISYNC, Application.RECEIVER_RESTART),
        ("rpl_semi_sync_slave_enabled", MARIADB, Topology.SEMISYNC, Application.RECEIVER_RESTART),
        ("rpl_semi_sync_source_timeout", MYSQL, Topology.SEMISYNC, Application.DYNAMIC),
        ("group_replication_flow_control_mode", MYSQL, GROUP, Application.DYNAMIC),
        ("group_replication_compression_threshold", MYSQL, GROUP, Application.MEMBER_REJOIN),
        ("group_replication_paxos_single_leader", MYSQL, GROUP, Application.GROUP_RESTART),
        ("wsrep_slave_threads", MARIADB, GALERA, Application.DYNAMIC),
        ("galera.gcs.fc_limit", MARIADB, GALERA, Application.PROVIDER_OPTION),
        ("galera.gcache.size", MARIADB, GALERA, Application.SERVER_RESTART),
    ],
)
def test_what_it_takes(name, release, topology, how):
    assert application(name, release, topology) is how


def test_what_a_release_does_not_have_is_refused():
    with pytest.raises(UsageError, match=r"mysql 9\.7\.4 has no variable replica_parallel_type"):
        application("replica_parallel_type", MYSQL, ASYNC)


def test_every_name_of_the_table_is_a_variable_or_provider_option_of_some_release():
    known = {name for text in ("mysql-5.7.44", "mysql-8.0.36", "mysql-8.4", "mysql-9.7.4", "mariadb-10.11.19")
             for name in load(parse_release(text)[0]).names()}  # fmt: skip
    known |= {f"galera.{name}" for name in load(MARIADB).default_galera()}
    assert {name for claim in _claims() for name in claim.names} - known == set()


@pytest.mark.parametrize(
    ("wanted", "read_back", "same"),
    [
        ("1G", "1073741824", True),
        ("on", "ON", True),
        ("1", "ON", True),
        ("0.50", "0.5", True),
        ("CONSERVATIVE", "conservative", True),
        ("100", "128", False),
        ("OFF", "ON", False),
        ("yes", "no", False),
    ],
)
def test_a_value_is_compared_as_the_server_means_it(wanted, read_back, same):
    assert took_effect(AppliedSetting("m1", "x", wanted, "", read_back, Application.DYNAMIC)) is same
