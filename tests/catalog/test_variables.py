"""A release knows its variables: well-known facts, what changed inside a series, and what nobody can tell."""

from __future__ import annotations

import pytest

from advisor.catalog import all_releases, as_pxc, load, parse_release, table
from advisor.model.catalog import NO_DEFAULT, VariableType
from tests.calls import calls_of


def catalog(text):
    return load(parse_release(text)[-1])


@pytest.mark.parametrize(
    ("release", "name", "default"),
    [
        ("mysql-5.7.42", "sync_binlog", 1),
        ("mysql-5.7.42", "log_bin", False),
        ("mysql-5.7.42", "server_id", 0),
        ("mysql-5.7.42", "innodb_buffer_pool_size", 134217728),
        ("mysql-5.7.42", "binlog_format", "ROW"),
        ("mysql-5.7.42", "innodb_flush_neighbors", 1),
        ("mysql-5.7.42", "log_slave_updates", False),
        ("mysql-5.7.42", "slave_parallel_type", "DATABASE"),
        ("mysql-8.0.36", "log_bin", True),
        ("mysql-8.0.36", "log_replica_updates", True),
        ("mysql-8.0.36", "innodb_flush_neighbors", 0),
        ("mysql-8.0.36", "innodb_redo_log_capacity", 104857600),
        ("mysql-8.0.36", "innodb_io_capacity", 200),
        ("mysql-8.0.36", "binlog_transaction_dependency_tracking", "COMMIT_ORDER"),
        ("mysql-8.0.36", "gtid_mode", "OFF"),
        ("mysql-8.0.26", "slave_parallel_workers", 0),
        ("mysql-8.0.26", "replica_parallel_workers", 0),
        ("mysql-8.0.27", "replica_parallel_workers", 4),
        ("mysql-8.0.26", "replica_parallel_type", "DATABASE"),
        ("mysql-8.0.27", "replica_parallel_type", "LOGICAL_CLOCK"),
        ("mysql-8.0.26", "replica_preserve_commit_order", False),
        ("mysql-8.0.27", "replica_preserve_commit_order", True),
        ("mysql-8.0.20", "group_replication_member_expel_timeout", 0),
        ("mysql-8.0.21", "group_replication_member_expel_timeout", 5),
        ("mysql-8.3.0", "innodb_io_capacity", 200),
        ("mysql-8.4.0", "innodb_io_capacity", 10000),
        ("mysql-8.4", "innodb_log_buffer_size", 67108864),
        ("mysql-8.4", "gtid_mode", "OFF"),
        ("mysql-9.7", "gtid_mode", "ON"),
        ("mysql-9.7", "enforce_gtid_consistency", "ON"),
        ("mariadb-10.5", "sync_binlog", 0),
        ("mariadb-11.8", "sync_binlog", 0),
        ("mariadb-10.6", "innodb_flush_method", "O_DIRECT"),
        ("mariadb-10.5.23", "innodb_flush_method", "fsync"),
        ("mariadb-10.11", "slave_parallel_mode", "optimistic"),
        ("mariadb-10.11", "slave_parallel_threads", 0),
        ("mariadb-10.6.6", "innodb_change_buffering", "all"),
        ("mariadb-10.6.7", "innodb_change_buffering", "none"),
        ("mariadb-11.4", "innodb_snapshot_isolation", False),
        ("mariadb-11.8", "innodb_snapshot_isolation", True),
        ("mariadb-10.6", "wsrep_slave_threads", 1),
    ],
)
def test_a_known_default_is_given(release, name, default):
    assert catalog(release).get(name).default == default


@pytest.mark.parametrize(
    ("release", "name", "why"),
    [
        ("mysql-9.4.0", "explain_format", "changed between 8.4.13 and 9.6.0"),
        ("mysql-8.0.25", "thread_stack", "changed between 8.0.23 and 8.0.28"),
        ("mysql-8.0.36", "open_files_limit", "decided by the machine"),
        ("mysql-8.4", "innodb_io_capacity_max", "twice innodb_io_capacity, whatever that is set to"),
        ("mariadb-10.6.23", "innodb_io_capacity_max", "twice innodb_io_capacity, at least 2000"),
        ("mysql-8.0.36", "datadir", "a path of the build"),
        ("mariadb-10.11.5", "innodb_purge_batch_size", "changed in 10.6 after 10.11 was out, seen new in 10.11.14"),
        ("mariadb-10.6", "innodb_change_buffering", "changed at 10.6.7"),
        ("mysql-27.1.0", "sync_binlog", "not covered"),
    ],
)
def test_a_default_nobody_can_tell_is_no_default(release, name, why):
    assert catalog(release).get(name).default is NO_DEFAULT, why


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("mysql-8.0.29", "innodb_redo_log_capacity"),
        ("mysql-8.0.25", "replica_parallel_workers"),
        ("mysql-8.4", "binlog_transaction_dependency_tracking"),
        ("mysql-8.4", "expire_logs_days"),
        ("mysql-9.7", "innodb_log_file_size"),
        ("mysql-9.7", "rpl_semi_sync_master_enabled"),
        ("mysql-8.0.36", "query_cache_size"),
        ("mysql-8.0.36", "slave_parallel_threads"),
        ("mysql-8.0.36", "no_such_variable"),
        ("mysql-5.7.21", "binlog_transaction_dependency_tracking"),
        ("mariadb-10.11", "gtid_mode"),
        ("mariadb-10.11", "innodb_redo_log_capacity"),
        ("percona-8.0.36", "query_cache_size"),
        ("percona-8.0.36", "innodb_native_foreign_keys"),
    ],
)
def test_a_name_that_is_certainly_not_there_is_absent(release, name):
    assert catalog(release).get(name) is None
    assert not catalog(release).maybe(name)


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("mysql-8.0.25", "replica_allow_batching"),
        ("mysql-9.5.0", "innodb_log_file_size"),
        ("mysql-8.0.36", "audit_log_format"),
        ("mariadb-10.11.5", "innodb_linux_aio"),
        ("mariadb-11.4.9", "innodb_linux_aio"),
        ("mariadb-11.4.2", "innodb_log_file_mmap"),
        ("percona-8.0.36", "net_buffer_shrink_interval"),
        ("pxc-8.0.36", "wsrep_no_such_option"),
        ("mysql-27.1.0", "no_such_variable"),
        ("mysql-26.10.0", "no_such_variable"),
    ],
)
def test_a_name_that_is_perhaps_there_is_said_to_be_so(release, name):
    assert catalog(release).get(name) is None
    assert catalog(release).maybe(name)


def test_the_option_and_the_variable_may_be_of_different_kinds():
    log_bin = catalog("mysql-8.0.36").get("log_bin")
    assert (log_bin.type, log_bin.option_type, log_bin.option) == (VariableType.BOOL, VariableType.STR, "opt")


def test_a_type_that_changed_inside_the_series_follows_the_release():
    assert catalog("mysql-8.0.28").get("innodb_doublewrite").type is VariableType.BOOL
    assert catalog("mysql-8.0.36").get("innodb_doublewrite").type is VariableType.ENUM


def test_words_that_came_later_are_missing_from_older_releases():
    old, new = (catalog(release).get("optimizer_switch") for release in ("mysql-8.0.12", "mysql-8.0.36"))
    assert "hash_join" in new.words
    assert "hash_join" not in old.words
    assert "hash_join=on" in new.default.split(",")
    assert "hash_join=on" not in old.default.split(",")


def test_limits_beyond_2_to_the_53_are_whole_numbers():
    assert catalog("mysql-8.4").get("max_binlog_cache_size").maximum == 18446744073709547520


def test_a_deprecation_counts_from_its_release_on():
    assert catalog("mysql-8.0.25").get("slave_net_timeout").deprecated == ""
    assert catalog("mysql-8.0.26").get("slave_net_timeout").deprecated == "replica_net_timeout"


def test_mariadb_takes_some_options_and_does_nothing_with_them():
    assert catalog("mariadb-10.11").ignored("innodb_buffer_pool_instances") == "removed"
    assert catalog("mariadb-10.5").ignored("innodb_buffer_pool_instances") is None
    assert catalog("mariadb-10.11").ignored("sync_binlog") is None
    assert catalog("mysql-8.4").ignored("innodb_buffer_pool_instances") is None


def test_xtradb_cluster_has_galera_and_renamed_its_applier_threads():
    assert catalog("mysql-8.0.36").get("wsrep_slave_threads") is None
    assert catalog("pxc-8.0.25").get("wsrep_applier_threads") is None
    assert catalog("pxc-8.0.25").get("wsrep_slave_threads").default == 1
    assert catalog("pxc-8.4.8").get("wsrep_applier_threads").owner == "wsrep"
    assert catalog("pxc-8.4.8").get("wsrep_slave_threads").deprecated == "wsrep_applier_threads"
    assert "wsrep_sync_wait" in catalog("pxc-8.0.36").names()


def test_provider_options_have_the_defaults_of_the_nearest_provider():
    assert catalog("mariadb-10.6").default_galera()["gcs.fc_limit"] == "16"
    assert catalog("pxc-8.4").default_galera()["gcs.fc_limit"] == "100"
    assert catalog("mysql-8.4").default_galera() == {}


def test_a_default_the_machine_decides_comes_with_how():
    found = catalog("mysql-8.4").get("innodb_read_io_threads")
    assert (found.auto, found.default) == (True, NO_DEFAULT)
    assert "processors" in catalog("mysql-8.4").automatic("innodb_read_io_threads")


def test_a_release_that_is_not_covered_gives_kinds_and_claims_nothing_else():
    future = catalog("mariadb-13.0.1")
    assert not future.covered
    found = future.get("slave_parallel_threads")
    assert (found.type, found.default, found.maximum) == (VariableType.UINT, NO_DEFAULT, None)


@pytest.mark.parametrize("release", [*all_releases(), as_pxc(parse_release("mysql-8.4")[0])], ids=lambda r: r.label)
def test_every_listed_name_is_a_usable_variable(release):
    known = load(release)
    names = known.names()
    assert len(names) > 600
    for name in names:
        found = known.get(name)
        assert found.name == name
        assert found.option in ("req", "opt", "none", "")
        if found.minimum is not None and found.maximum is not None:
            assert found.minimum <= found.maximum


def test_sixty_names_of_a_series_are_read_without_reading_the_other_eight_hundred():
    release = parse_release("mysql-8.0.36")[0]
    names = load(release).names()[::17][:60]
    table.rows.cache_clear()
    table.row.cache_clear()
    load.cache_clear()
    assert calls_of(lambda: [load(release).get(name) for name in names]) < 8000  # about 50 for each name
    assert table.row.cache_info().misses <= len(names)
