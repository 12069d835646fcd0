"""Which statement printed this table? By its columns and names, because dumps seldom show the statement."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

# Galera's counters begin with a small letter as variables do: these are counters, every other wsrep_ name a variable.
_GALERA_COUNTER = re.compile(
    r"wsrep_(local_|cluster_(size|status|state_uuid|conf_id|weight|capabilities)|last_|replicated|repl_"
    r"|received|flow_control_|cert_|apply_|commit_|causal_reads_|incoming_addresses|evs_|gcomm_|gmcast_segment|connected"
    r"|ready|provider_(name|vendor|version|capabilities)|thread_count|protocol_|open_|ist_receive|desync_count"
    r"|rollbacker_thread|applier_thread_count|monitor_status|debug_sync)"
)
_COUNTER_NAMES: Final = frozenset(
    "uptime questions queries threads_connected threads_running aborted_clients bytes_sent bytes_received com_select"
    " com_commit open_tables slow_queries connections binlog_commits binlog_group_commits".split()
)

_SIGNATURES: Final = (
    ("replica_status", ("slave_io_state",)),
    ("replica_status", ("replica_io_state",)),
    ("processlist", ("id", "user", "command", "time", "state")),
    ("innodb_status", ("type", "name", "status")),
    ("plugins", ("name", "status", "type", "library")),
    ("binary_log_status", ("file", "position", "binlog_do_db")),
    ("replica_hosts", ("server_id", "host", "port")),
    ("replication_group_member_stats", ("member_id", "count_transactions_in_queue")),
    ("replication_group_members", ("member_id", "member_host", "member_state")),
    ("replication_connection_status", ("channel_name", "received_transaction_set")),
    ("replication_applier_metrics", ("channel_name", "transactions_pending_count")),
    ("replication_applier_progress_by_worker", ("channel_name", "worker_id", "ongoing_transaction_type")),
    ("replication_applier_status_by_worker", ("channel_name", "worker_id", "service_state")),
    ("replication_applier_status_by_coordinator", ("channel_name", "thread_id", "service_state")),
    ("replication_applier_status", ("channel_name", "remaining_delay")),
    ("replication_connection_configuration", ("channel_name", "connection_retry_interval")),
    ("replication_applier_configuration", ("channel_name", "desired_delay")),
)

_TELLING: Final = (
    ("replication_group_member_stats", ("count_transactions_in_queue", "count_transactions_remote_in_applier_queue",
     "count_transactions_checked", "count_conflicts_detected", "count_transactions_remote_applied",
     "count_transactions_local_proposed", "count_transactions_local_rollback")),
    ("replication_group_members", ("member_state", "member_role")),
    ("replication_connection_status", ("received_transaction_set",)),
    ("replication_applier_status_by_worker", ("worker_id", "last_applied_transaction", "applying_transaction")),
    ("replication_applier_status_by_coordinator", ("processing_transaction", "last_processed_transaction")),
)  # fmt: skip


def is_known_table(name: str) -> bool:
    """Whether a statement or table of that name is known here."""
    return any(table == name for table, _ in _SIGNATURES)


def table_of(columns: Iterable[str]) -> str:
    """The table or statement with these columns: "variables_or_counters", a name of `_SIGNATURES`, or ""."""
    names = {column.lower().strip() for column in columns}
    if names in ({"variable_name", "value"}, {"variable_name", "variable_value"}):
        return "variables_or_counters"
    if names and all(name.startswith("@@") for name in names):
        return "selected_variables"
    return next((table for table, wanted in _SIGNATURES if names.issuperset(wanted)), "")


def replication_table_of(columns: Iterable[str]) -> str:
    """The replication table these columns are of, when only some of them are given; SHOW REPLICA STATUS by default."""
    names = {column.lower() for column in columns}
    return table_of(names) or next((table for table, some in _TELLING if names & set(some)), "replica_status")


def are_counters(names: Iterable[str]) -> bool:
    """Whether these are names of SHOW STATUS rather than SHOW VARIABLES.

    SHOW prints counters with a capital, variables without; information_schema prints both in capitals.
    """
    plain = [name for name in names if name]
    if all(name.upper() == name for name in plain):
        return any(name.lower() in _COUNTER_NAMES or _GALERA_COUNTER.match(name.lower()) for name in plain)
    if any(name[0].isupper() for name in plain):
        return True
    return any(name in _COUNTER_NAMES or _GALERA_COUNTER.match(name) for name in plain) and not any(
        name in {"version", "datadir", "wsrep_on", "wsrep_provider"} for name in plain
    )


@lru_cache(maxsize=4096)
def counter_name(name: str) -> str:
    """A counter's name as SHOW STATUS spells it (information_schema prints WSREP_READY, COM_COMMIT)."""
    if name.upper() != name or not any(sign.isalpha() for sign in name):
        return name
    plain = name.lower()
    return plain if plain.startswith("wsrep_") else plain.capitalize()
