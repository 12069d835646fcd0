"""One thing has one canonical name, and every release its own spelling of it."""

from __future__ import annotations

import pytest

from advisor.catalog import all_releases, as_pxc, canonical, load, parse_release, spelling
from advisor.model.server import Family

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB


@pytest.mark.parametrize(
    ("name", "mysql", "mariadb"),
    [
        ("slave_parallel_workers", "replica_parallel_workers", "slave_parallel_threads"),
        ("slave_parallel_threads", "slave_parallel_threads", "slave_parallel_threads"),
        ("log_slave_updates", "log_replica_updates", "log_replica_updates"),
        ("rpl_semi_sync_master_timeout", "rpl_semi_sync_source_timeout", "rpl_semi_sync_source_timeout"),
        ("rpl_semi_sync_slave_enabled", "rpl_semi_sync_replica_enabled", "rpl_semi_sync_replica_enabled"),
        ("slave_net_timeout", "replica_net_timeout", "replica_net_timeout"),
        ("slave_exec_mode", "replica_exec_mode", "replica_exec_mode"),
        ("slave_skip_errors", "replica_skip_errors", "replica_skip_errors"),
        ("slave_compressed_protocol", "replica_compressed_protocol", "replica_compressed_protocol"),
        ("slave_type_conversions", "replica_type_conversions", "replica_type_conversions"),
        ("slave_sql_verify_checksum", "replica_sql_verify_checksum", "replica_sql_verify_checksum"),
        ("slave_transaction_retries", "replica_transaction_retries", "replica_transaction_retries"),
        ("slave_max_allowed_packet", "replica_max_allowed_packet", "replica_max_allowed_packet"),
        ("skip_slave_start", "skip_replica_start", "skip_replica_start"),
        ("sync_master_info", "sync_source_info", "sync_source_info"),
        ("master_verify_checksum", "source_verify_checksum", "source_verify_checksum"),
        ("tx_isolation", "transaction_isolation", "transaction_isolation"),
        ("wsrep_applier_threads", "wsrep_slave_threads", "wsrep_slave_threads"),
        ("log_slow_query_time", "log_slow_query_time", "long_query_time"),
        ("slave_parallel_mode", "slave_parallel_mode", "slave_parallel_mode"),
        ("max_statement_time", "max_statement_time", "max_statement_time"),
        ("innodb_log_file_size", "innodb_log_file_size", "innodb_log_file_size"),
        ("sync_binlog", "sync_binlog", "sync_binlog"),
    ],
)
def test_canonical_is_the_newest_mysql_spelling_of_the_same_thing(name, mysql, mariadb):
    assert canonical(name, MYSQL) == mysql
    assert canonical(name, MARIADB) == mariadb


@pytest.mark.parametrize(
    ("name", "release", "spelt"),
    [
        ("replica_parallel_workers", "mysql-5.7.42", "slave_parallel_workers"),
        ("replica_parallel_workers", "mysql-8.0.25", "slave_parallel_workers"),
        ("replica_parallel_workers", "mysql-8.0.26", "replica_parallel_workers"),
        ("replica_parallel_workers", "mariadb-10.6", None),
        ("slave_parallel_threads", "mariadb-10.6", "slave_parallel_threads"),
        ("slave_parallel_threads", "mysql-8.0.36", None),
        ("log_replica_updates", "mariadb-11.8", "log_slave_updates"),
        ("rpl_semi_sync_source_timeout", "mysql-8.0.25", "rpl_semi_sync_master_timeout"),
        ("rpl_semi_sync_source_timeout", "mysql-8.0.26", "rpl_semi_sync_source_timeout"),
        ("rpl_semi_sync_source_timeout", "mariadb-10.11", "rpl_semi_sync_master_timeout"),
        ("innodb_redo_log_capacity", "mysql-8.0.29", None),
        ("innodb_redo_log_capacity", "mariadb-11.8", None),
        ("long_query_time", "mariadb-11.8", "long_query_time"),
        ("wsrep_slave_threads", "pxc-8.0.25", "wsrep_slave_threads"),
        ("wsrep_slave_threads", "pxc-8.0.26", "wsrep_applier_threads"),
        ("wsrep_slave_threads", "mariadb-11.4", "wsrep_slave_threads"),
        ("wsrep_slave_threads", "mysql-8.4", None),
    ],
)
def test_every_release_gets_its_own_spelling(name, release, spelt):
    assert spelling(name, parse_release(release)[-1]) == spelt


@pytest.mark.parametrize("release", [*all_releases(), as_pxc(parse_release("mysql-8.4")[0])], ids=lambda r: r.label)
def test_spelling_a_canonical_name_gives_a_name_of_the_release_that_means_the_same(release):
    known = load(release)
    for name in known.names():
        spelt = spelling(canonical(name, release.family), release)
        assert spelt is not None, name
        assert known.get(spelt) is not None
        assert canonical(spelt, release.family) == canonical(name, release.family)


def test_canonical_names_are_their_own_canonical_name():
    for release in all_releases():
        for name in load(release).names():
            once = canonical(name, release.family)
            assert canonical(once, release.family) == once


def test_what_became_of_an_old_name_is_known():
    mysql, mariadb = load(parse_release("mysql-8.4")[0]), load(parse_release("mariadb-11.8")[0])
    renamed = mysql.successor("slave_net_timeout")
    assert (renamed.new, renamed.kind, renamed.since) == ("replica_net_timeout", "rename", "8.0.26")
    replaced = mysql.successor("expire_logs_days")
    assert (replaced.new, replaced.kind, replaced.removed) == ("binlog_expire_logs_seconds", "replaced", "8.2.0")
    assert (mysql.successor("binlog_transaction_dependency_tracking").kind) == "removed"
    assert mysql.successor("slave_parallel_threads").new == "replica_parallel_workers"
    assert mariadb.successor("innodb_redo_log_capacity").new == "innodb_log_file_size"
    assert mariadb.successor("innodb_redo_log_capacity").kind == "equivalent"
    assert mysql.successor("sync_binlog") is None
