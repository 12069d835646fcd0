"""Option files that `advisor move` rewrote, given to real servers: do they start, with the values and defaults told?"""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.move import DefaultChange
from advisor.model.server import Family
from advisor.move.defaults import as_text
from advisor.options import read_file, resolve
from tests.move.moved import move_text, only_member
from tests.servers.conftest import Up, server_for

OF_5_7 = """log_slave_updates = 1
slave_parallel_workers = 8
slave_parallel_type = LOGICAL_CLOCK
expire_logs_days = 7
master_info_repository = TABLE
sql_mode = STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER
innodb_log_file_size = 48M
innodb_log_files_in_group = 3
innodb_file_format = Barracuda
tx_isolation = READ-COMMITTED
query_cache_size = 0
log_warnings = 1
plugin_load_add = semisync_master.so
rpl_semi_sync_master_enabled = 1
rpl_semi_sync_master_timeout = 2000
max_execution_time = 30000
default_authentication_plugin = mysql_native_password
sync_frm = 1
"""
OF_MARIADB = """log_slave_updates
gtid_strict_mode = 1
slave_parallel_threads = 6
slave_parallel_mode = optimistic
rpl_semi_sync_master_enabled = 1
innodb_log_file_size = 128M
thread_handling = pool-of-threads
log_slow_query = 1
log_slow_query_time = 0.5
max_statement_time = 20
aria_pagecache_buffer_size = 16M
collation_server = utf8mb4_uca1400_ai_ci
character_set_server = utf8mb4
key_buf = 32M
"""
OF_8_4 = """replica_parallel_workers = 6
gtid_mode = ON
enforce_gtid_consistency = ON
innodb_redo_log_capacity = 128M
max_execution_time = 1500
innodb_buffer_pool_instances = 2
binlog_transaction_dependency_history_size = 100000
skip_replica_start
collation_server = utf8mb4_0900_ai_ci
character_set_server = utf8mb4
"""
FROM_THE_MACHINE = {"innodb_log_write_ahead_size"}  # MariaDB takes the size of the disk's blocks
MOVES = [
    (OF_5_7, "mysql-5.7.44", Family.MYSQL, {
        "replica_parallel_workers": "8", "binlog_expire_logs_seconds": "604800", "sql_mode": "STRICT_TRANS_TABLES",
        "innodb_redo_log_capacity": str(144 << 20), "transaction_isolation": "READ-COMMITTED",
        "log_error_verbosity": "2", "rpl_semi_sync_source_enabled": "ON", "rpl_semi_sync_source_timeout": "2000",
    }),
    (OF_MARIADB, "mariadb-11.4.7", Family.MYSQL, {
        "replica_parallel_workers": "6", "innodb_redo_log_capacity": str(128 << 20), "slow_query_log": "ON",
        "long_query_time": "0.500000", "max_execution_time": "20000", "collation_server": "utf8mb4_0900_ai_ci",
        "rpl_semi_sync_source_enabled": "ON", "key_buffer_size": str(32 << 20),
    }),
    (OF_5_7, "mysql-5.7.44", Family.MARIADB, {
        "slave_parallel_threads": "8", "expire_logs_days": "7.000000", "innodb_log_file_size": str(144 << 20),
        "tx_isolation": "READ-COMMITTED", "max_statement_time": "30.000000", "rpl_semi_sync_master_timeout": "2000",
    }),
    (OF_8_4, "mysql-8.4.3", Family.MARIADB, {
        "slave_parallel_threads": "6", "innodb_log_file_size": str(128 << 20), "max_statement_time": "1.500000",
        "collation_server": "utf8mb4_uca1400_ai_ci",
    }),
    (OF_8_4, "mysql-8.4.3", Family.MYSQL, {"binlog_transaction_dependency_history_size": "100000"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "origin", "family", "expected"), MOVES)
def test_a_rewritten_file_starts_the_server_with_the_values_meant(
    up: Up, tmp_path: Path, text: str, origin: str, family: Family, expected: dict[str, str]
) -> None:
    target = f"{family}-" + ".".join(map(str, server_for("standalone", family).version))
    member = only_member(move_text(tmp_path, text, origin, target))
    assert member.starts_rewritten is True
    if member.rewritten:
        Path(member.files[0]).write_bytes(member.rewritten[0][2])
    arguments = read_file(member.files[0]).arguments
    cluster = up("standalone", family, 1, settings=tuple((a.name, a.value or "1") for a in arguments))
    with connect(addresses(cluster)["m1"]) as session:
        shown = {name.lower(): value for name, value in session.pairs("SHOW GLOBAL VARIABLES").items()}
    assert {name: shown.get(name) for name in expected} == expected
    set_by_lab = resolve(read_file(cluster.members[0].option_file), parse_release(target)[0]).effective
    told = [change for change in member.defaults if change.name in shown and change.name not in set_by_lab]
    told = [change for change in told if not change.stated and change.now is not None]
    assert len(told) > 5
    differing = {change.name for change in told if not agrees(change, shown[change.name])}
    assert differing - FROM_THE_MACHINE == set()


def agrees(change: DefaultChange, value: str) -> bool:
    """Whether a server shows the new default; the order of words in a list does not matter."""
    told = as_text(change.now).lower()
    if told in ("true", "false"):
        told = {"true": "on", "false": "off"}[told]
    return (
        sorted(told.split(",")) == sorted(value.lower().split(",")) or number_of(told) == number_of(value) is not None
    )


def number_of(text: str) -> float | None:
    """The number, None for other texts."""
    try:
        return float(text)
    except ValueError:
        return None
