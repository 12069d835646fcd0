"""Twenty moves with their verdicts: from and to, the option file, whether the target starts with it and rewritten.

Each verdict was given by a real server of the target where `seen` names it: 5.7.22 and 8.0.15 of MySQL (Oracle's
builds for tests), 9.7.4 (Debian), and MariaDB 10.5.23, 10.11.19 and 11.8.9 (Debian).
"""

from __future__ import annotations

from dataclasses import dataclass

OF_MYSQL_5_7 = """log_bin = binlog
server_id = 11
log_slave_updates = 1
expire_logs_days = 7
slave_parallel_workers = 8
slave_parallel_type = LOGICAL_CLOCK
master_info_repository = TABLE
query_cache_size = 0
innodb_log_file_size = 48M
innodb_log_files_in_group = 3
innodb_file_format = Barracuda
sql_mode = STRICT_TRANS_TABLES,NO_AUTO_CREATE_USER
tx_isolation = READ-COMMITTED
"""
PLAIN_OF_MYSQL_5_7 = """log_bin = binlog
server_id = 12
sync_binlog = 1
innodb_buffer_pool_size = 96M
innodb_flush_log_at_trx_commit = 1
max_connections = 300
"""
OF_MYSQL_8_0 = """server_id = 13
gtid_mode = ON
enforce_gtid_consistency = ON
slave_parallel_workers = 4
binlog_expire_logs_seconds = 604800
default_authentication_plugin = mysql_native_password
innodb_log_file_size = 64M
master_info_repository = TABLE
relay_log_info_repository = TABLE
log_error_verbosity = 2
max_execution_time = 30000
"""
OF_MYSQL_8_4 = """server_id = 14
gtid_mode = ON
enforce_gtid_consistency = ON
replica_parallel_workers = 6
innodb_redo_log_capacity = 128M
innodb_log_writer_threads = OFF
binlog_transaction_dependency_history_size = 100000
collation_server = utf8mb4_0900_ai_ci
character_set_server = utf8mb4
"""
OF_MYSQL_9_7 = """server_id = 15
replica_parallel_workers = 8
innodb_redo_log_capacity = 256M
binlog_transaction_dependency_history_size = 2000000
container_aware = ON
"""
OF_PERCONA_8_0 = """server_id = 16
log_bin = binlog
thread_pool_size = 8
thread_handling = pool-of-threads
kill_idle_transaction = 60
log_slow_verbosity = full
innodb_log_file_size = 64M
innodb_empty_free_list_algorithm = backoff
"""
OF_PXC_8_0 = """server_id = 17
log_bin = binlog
binlog_format = ROW
pxc_strict_mode = ENFORCING
wsrep_slave_threads = 4
innodb_autoinc_lock_mode = 2
slave_preserve_commit_order = ON
"""
OF_MARIADB_10_5 = """log_bin = binlog
server_id = 18
gtid_strict_mode = 1
slave_parallel_threads = 6
innodb_log_files_in_group = 2
innodb_log_file_size = 64M
innodb_thread_concurrency = 16
innodb_lock_schedule_algorithm = fcfs
thread_handling = pool-of-threads
aria_pagecache_buffer_size = 16M
"""
OF_MARIADB_10_11 = """log_bin = binlog
server_id = 19
sync_binlog = 1
slave_parallel_threads = 4
slave_parallel_mode = optimistic
innodb_log_file_size = 128M
innodb_change_buffering = none
old_alter_table = DEFAULT
max_tmp_tables = 32
log_slow_query = 1
"""
OF_MARIADB_11_8 = """log_bin = binlog
server_id = 20
slave_parallel_threads = 4
innodb_snapshot_isolation = OFF
binlog_large_commit_threshold = 256M
character_set_collations = utf8mb4=uca1400_ai_ci
innodb_log_file_size = 128M
"""


@dataclass(frozen=True)
class Pair:
    """A move; the verdicts are None where nobody can tell. `seen`: the server of the target that gave them, "" none."""

    origin: str
    target: str
    text: str
    starts: bool | None
    starts_rewritten: bool | None
    seen: str = ""


PAIRS = (
    Pair("mysql-5.7.22", "mysql-8.0.15", OF_MYSQL_5_7, False, True, "mysql-8.0.15"),
    Pair("mysql-5.7.44", "mysql-9.7.4", OF_MYSQL_5_7, False, True, "mysql-9.7.4"),
    Pair("mysql-8.0.42", "mysql-8.4.8", OF_MYSQL_8_0, False, True),
    Pair("mysql-8.0.42", "mysql-9.7.4", OF_MYSQL_8_0, False, True, "mysql-9.7.4"),
    Pair("mysql-8.4.8", "mysql-9.7.4", OF_MYSQL_8_4, True, True, "mysql-9.7.4"),
    Pair("mysql-9.7.4", "mysql-26.10", OF_MYSQL_9_7, True, True),
    Pair("mysql-9.7.4", "mysql-8.0.15", OF_MYSQL_9_7, False, True, "mysql-8.0.15"),
    Pair("mysql-8.0.15", "mysql-5.7.22", OF_MYSQL_8_0, False, True, "mysql-5.7.22"),
    Pair("percona-8.0.36", "mysql-9.7.4", OF_PERCONA_8_0, False, True, "mysql-9.7.4"),
    Pair("pxc-8.0.36", "mysql-9.7.4", OF_PXC_8_0, False, True, "mysql-9.7.4"),
    Pair("mysql-5.7.44", "mariadb-10.5.23", OF_MYSQL_5_7, False, True, "mariadb-10.5.23"),
    Pair("mysql-5.7.44", "mariadb-11.8.9", PLAIN_OF_MYSQL_5_7, True, True, "mariadb-11.8.9"),
    Pair("mysql-8.0.42", "mariadb-10.11.19", OF_MYSQL_8_0, False, True, "mariadb-10.11.19"),
    Pair("mysql-8.4.8", "mariadb-11.8.9", OF_MYSQL_8_4, False, True, "mariadb-11.8.9"),
    Pair("percona-8.0.36", "mariadb-11.8.9", OF_PERCONA_8_0, False, True, "mariadb-11.8.9"),
    Pair("mariadb-10.5.23", "mariadb-10.11.19", OF_MARIADB_10_5, True, True, "mariadb-10.11.19"),
    Pair("mariadb-10.11.19", "mariadb-11.8.9", OF_MARIADB_10_11, False, True, "mariadb-11.8.9"),
    Pair("mariadb-11.8.9", "mariadb-12.3.3", OF_MARIADB_11_8, True, True),
    Pair("mariadb-11.8.9", "mariadb-10.11.19", OF_MARIADB_11_8, False, True, "mariadb-10.11.19"),
    Pair("mariadb-10.11.19", "mysql-9.7.4", OF_MARIADB_10_11, False, True, "mysql-9.7.4"),
    Pair("mariadb-10.5.23", "mysql-8.0.15", OF_MARIADB_10_5, False, True, "mysql-8.0.15"),
    Pair("mariadb-11.8.9", "mysql-9.7.4", OF_MARIADB_11_8, False, True, "mysql-9.7.4"),
)
