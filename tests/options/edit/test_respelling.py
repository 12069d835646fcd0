"""Spelling the name on a line so that it takes a plain value."""

from __future__ import annotations

import pytest

from advisor.model.server import Family
from advisor.options.edit.respelling import respell

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB


@pytest.mark.parametrize(
    ("written", "name", "family", "keep_alias", "after"),
    [
        ("sync-binlog", "sync_binlog", MYSQL, True, "sync-binlog"),
        ("sync_binlog", "sync_binlog", MYSQL, True, "sync_binlog"),
        ("Sync-Binlog", "sync_binlog", MARIADB, True, "Sync-Binlog"),
        ("Sync-Binlog", "sync_binlog", MYSQL, False, "sync-binlog"),
        ("skip-log-bin", "log_bin", MYSQL, True, "log-bin"),
        ("disable_log_bin", "log_bin", MYSQL, True, "log_bin"),
        ("enable-log-bin", "log_bin", MYSQL, True, "log-bin"),
        ("loose-skip-log-bin", "log_bin", MYSQL, True, "loose-log-bin"),
        ("loose_rpl_semi_sync_master_enabled", "rpl_semi_sync_master_enabled", MYSQL, True, None),
        ("skip-name-resolve", "skip_name_resolve", MYSQL, True, "skip-name-resolve"),
        ("slave-parallel-workers", "replica_parallel_workers", MYSQL, True, "slave-parallel-workers"),
        ("slave-parallel-workers", "replica_parallel_workers", MYSQL, False, "replica-parallel-workers"),
        ("loose-slave_parallel_workers", "replica_parallel_workers", MYSQL, False, "loose-replica_parallel_workers"),
        ("skip-slave-start", "skip_replica_start", MYSQL, True, "skip-replica-start"),
        ("innodb-buffer-pool-siz", "innodb_buffer_pool_size", MARIADB, False, "innodb-buffer-pool-size"),
        ("validate-password.length", "validate_password.length", MYSQL, True, "validate-password.length"),
        ("oldname", "new_name", MYSQL, False, "new~name"),
    ],
)
def test_as_little_as_needed_is_changed(
    written: str, name: str, family: Family, keep_alias: bool, after: str | None
) -> None:
    assert respell(written, name, family, keep_alias=keep_alias, separator="~") == (after or written)
