"""A release that no server was read of is judged with what stands for it, and the report says so."""

from __future__ import annotations

import pytest

from advisor.catalog import load, parse_release
from advisor.catalog.coverage import remark
from advisor.model.catalog import NO_DEFAULT


@pytest.mark.parametrize(
    ("release", "says"),
    [
        ("mysql-8.0.36", ""),
        ("mysql-8.4", ""),
        ("mysql-5.7.44", ""),
        ("percona-8.4.7", ""),
        ("mariadb-10.11", ""),
        ("mysql-8.4.99", "newer than all servers that advisor has read: it is judged as 8.4.13"),
        ("mysql-9.5", "it is judged as mysql 9.7, without changes that its manual dates"),
        ("mariadb-11.7.2", "advisor has not read a server of "),
        ("mariadb-12.3", "it is judged as mariadb 11.8.9, with the changes"),
        ("mysql-26.7.0", "it is judged as mysql 9.7.4, with the changes"),
        ("mysql-5.6.51", "is not covered"),
        ("mariadb-13.0", "nearest series, mariadb 12.3"),
    ],
)
def test_the_remark_names_what_stands_for_the_release(release: str, says: str) -> None:
    told = remark(parse_release(release)[-1])
    assert says in told
    assert bool(says) == bool(told)


@pytest.mark.parametrize(
    ("release", "name", "default"),
    [
        ("mariadb-12.3", "binlog_storage_engine", None),
        ("mariadb-12.3", "innodb_binlog_state_interval", 2097152),
        ("mariadb-12.3", "sync_binlog", 0),
        ("mariadb-12.1.2", "metadata_locks_instances", 8),
        ("mariadb-12.1.2", "performance_schema_max_statement_classes", 227),
        ("mysql-26.10", "gtid_mode", "ON"),
        ("mysql-9.5.0", "gtid_mode", "ON"),
        ("mysql-9.4.0", "gtid_mode", "OFF"),
        ("mysql-9.6.0", "innodb_change_buffer_max_size", 5),
        ("mysql-9.4.0", "innodb_change_buffer_max_size", NO_DEFAULT),
        ("percona-8.0.45", "thread_pool_high_prio_mode", "transactions"),
        ("pxc-8.4.8", "kill_idle_transaction", 0),
        ("percona-5.7.44", "innodb_empty_free_list_algorithm", "backoff"),
        ("percona-8.4.7", "innodb_empty_free_list_algorithm", "legacy"),
    ],
)
def test_a_default_is_what_servers_or_manuals_say(release: str, name: str, default: object) -> None:
    found = load(parse_release(release)[-1]).get(name)
    assert found is not None
    assert found.default == default


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ("mariadb-12.0.1", "binlog_storage_engine"),
        ("mariadb-12.3", "large_page_size"),
        ("mariadb-12.3", "no_such_variable"),
        ("percona-8.4.7", "innodb_parallel_doublewrite_path"),
        ("mysql-26.10", "innodb_log_file_size"),
    ],
)
def test_a_name_that_is_not_there_is_not_perhaps_there(release: str, name: str) -> None:
    catalog = load(parse_release(release)[-1])
    assert catalog.get(name) is None
    assert not catalog.maybe(name)
