"""Which options show that a file was written for Percona Server?

From its lists of added variables (https://docs.percona.com/percona-server/5.7/ps-variables.html, 8.0 and 8.4 likewise).
Names that plugins of MySQL itself have as well are left out; the files under `data/` know them.
"""

from __future__ import annotations

from advisor.annotations import Final

_NAMES: Final = frozenset(
    "binlog_space_limit csv_mode encrypt_tmp_files enforce_storage_engine extra_max_connections extra_port"
    " ft_query_extra_word_chars innodb_cleaner_lsn_age_factor innodb_corrupt_table_action"
    " innodb_empty_free_list_algorithm innodb_encrypt_online_alter_logs innodb_encrypt_tables"
    " innodb_kill_idle_transaction innodb_max_bitmap_file_size innodb_max_changed_pages"
    " innodb_print_lock_wait_timeout_info innodb_show_locks_held innodb_temp_tablespace_encrypt"
    " innodb_track_changed_pages kill_idle_transaction log_slow_filter log_slow_rate_limit log_slow_rate_type"
    " log_slow_sp_statements log_slow_verbosity log_warnings_suppress max_slowlog_files max_slowlog_size"
    " proxy_protocol_networks query_response_time_range_base query_response_time_stats slow_query_log_always_write_time"
    " slow_query_log_use_global_control thread_pool_high_prio_mode thread_pool_high_prio_tickets"
    " thread_pool_idle_timeout thread_pool_max_threads thread_pool_oversubscribe thread_pool_size"
    " thread_pool_stall_limit thread_statistics userstat".split()
)
_ENGINES: Final = ("rocksdb_", "tokudb_")


def of_percona(name: str) -> bool:
    """Whether Percona Server has the option and plain MySQL does not. `name` with "_", without prefixes."""
    return name in _NAMES or name.startswith(_ENGINES)
