"""Which queries read a member, how often, and which privilege does each need?

Every statement is read-only and was tried on MySQL 9.7 and MariaDB 10.11. Where releases differ in columns, the whole
table is read; a table that a release lacks is not an error. Names are those of the bundle's tables.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from advisor.dialects import dialect_of
from advisor.model.record import record
from advisor.model.server import Family, Version

_PERFORMANCE_SCHEMA: Final = "SELECT ON performance_schema.*"
_PROCESS: Final = "PROCESS ON *.*"


class When(StrEnum):
    """How often: once, at both ends of the interval, or with every sample (as long as there are rows)."""

    ONCE = "once"
    ENDS = "ends"
    EVERY = "every"


@record
class Query:
    """One statement and the bundle's table for its rows. `grant` is the privilege it needs, "" for none.

    `instrumented`: the rows are empty while performance_schema is OFF, which does not mean that nothing happened.
    `component` is the MySQL component that provides the table.
    """

    table: str
    statement: str
    when: When
    grant: str = ""
    since: Version = (0, 0, 0)
    instrumented: bool = False
    component: str = ""


def _summary(table: str) -> Query:
    statement = f"SELECT * FROM performance_schema.{table} WHERE COUNT_STAR > 0"
    return Query(table, statement, When.ENDS, _PERFORMANCE_SCHEMA, instrumented=True)


def _replication(table: str, when: When, since: Version = (0, 0, 0), component: str = "") -> Query:
    statement = f"SELECT * FROM performance_schema.{table}"
    return Query(table, statement, when, _PERFORMANCE_SCHEMA, since, component=component)


# The waits for files come last: facts use the last summary that has a log file, and this one counts syncs separately.
_SUMMARIES: Final = (
    _summary("events_statements_summary_global_by_event_name"),
    _summary("events_stages_summary_global_by_event_name"),
    _summary("events_waits_summary_global_by_event_name"),
    _summary("file_summary_by_event_name"),
)
_BOTH: Final = (
    Query("plugins", "SHOW PLUGINS", When.ONCE),
    Query("innodb_cmp", "SELECT * FROM information_schema.INNODB_CMP WHERE compress_ops > 0", When.ENDS, _PROCESS),
)
_METRICS: Final = "SELECT * FROM information_schema.INNODB_METRICS"
# How many statements there were, and how long all of them took together: one row, cheap enough for every sample.
_STATEMENT_TOTALS: Final = Query(
    "statement_totals",
    "SELECT SUM(COUNT_STAR) AS statements, SUM(SUM_TIMER_WAIT) / 1e12 AS seconds"
    " FROM performance_schema.events_statements_summary_global_by_event_name",
    When.EVERY,
    _PERFORMANCE_SCHEMA,
    instrumented=True,
)
# SHOW PLUGINS needs no privilege. SHOW REPLICAS is not used: its privilege also allows reading the binary log.
_MYSQL: Final = (
    Query(
        "variables_info",
        "SELECT VARIABLE_NAME, VARIABLE_SOURCE, VARIABLE_PATH FROM performance_schema.variables_info"
        " WHERE VARIABLE_SOURCE <> 'COMPILED'",
        When.ONCE,
        since=(8, 0, 0),
    ),
    Query("gtid_positions", "SELECT @@GLOBAL.gtid_executed AS gtid_executed", When.EVERY),
    _replication("replication_connection_configuration", When.ONCE),
    _replication("replication_applier_configuration", When.ONCE),
    _replication("replication_connection_status", When.EVERY),
    _replication("replication_applier_status", When.ENDS),
    _replication("replication_applier_status_by_coordinator", When.EVERY),
    _replication("replication_applier_status_by_worker", When.EVERY),
    _replication("replication_applier_metrics", When.EVERY, (9, 7, 0), "component_replication_applier_metrics"),
    _replication(
        "replication_applier_progress_by_worker", When.EVERY, (9, 7, 0), "component_replication_applier_metrics"
    ),
    _replication("replication_group_members", When.EVERY),
    _replication("replication_group_member_stats", When.EVERY),
    _replication("replication_group_communication_information", When.ONCE, (8, 0, 27)),
    _STATEMENT_TOTALS,
    *_BOTH,
    # Most of its rows are off by default, and not kept; releases of MariaDB have different columns to tell.
    Query("innodb_metrics", f"{_METRICS} WHERE STATUS <> 'disabled'", When.ENDS, _PROCESS),
    *_SUMMARIES,
)
_MARIADB: Final = (
    Query(
        "system_variables",
        "SELECT VARIABLE_NAME, GLOBAL_VALUE_ORIGIN, GLOBAL_VALUE_PATH FROM information_schema.SYSTEM_VARIABLES"
        " WHERE GLOBAL_VALUE_ORIGIN <> 'COMPILE-TIME'",
        When.ONCE,
        since=(10, 5, 0),
    ),
    Query(
        "gtid_positions",
        "SELECT @@GLOBAL.gtid_binlog_pos AS gtid_binlog_pos, @@GLOBAL.gtid_slave_pos AS gtid_slave_pos,"
        " @@GLOBAL.gtid_current_pos AS gtid_current_pos",
        When.EVERY,
    ),
    Query(
        "replication_applier_status_by_worker",
        "SELECT * FROM performance_schema.replication_applier_status_by_worker",
        When.EVERY,
        _PERFORMANCE_SCHEMA,
        (10, 6, 0),
        instrumented=True,
    ),
    _STATEMENT_TOTALS,
    *_BOTH,
    Query("innodb_metrics", _METRICS, When.ENDS, _PROCESS),
    *_SUMMARIES,
)


def queries_for(family: Family, version: Version) -> tuple[Query, ...]:
    """Everything that is kept as a table for this release; cheap queries and those about replication first."""
    mysql = family is Family.MYSQL
    show_replica = dialect_of(family, version).show_replica if mysql else "SHOW ALL SLAVES STATUS"
    binary_log = "SHOW BINARY LOG STATUS" if mysql and version >= (8, 2, 0) else "SHOW MASTER STATUS"
    replica_grant, source_grant = "REPLICATION CLIENT ON *.*", "REPLICATION CLIENT ON *.*"
    if not mysql and version >= (10, 5, 0):  # MariaDB split the privilege: MDEV-21743
        replica_grant, source_grant = "SLAVE MONITOR ON *.*", "BINLOG MONITOR ON *.*"
    shown = (
        Query("replica_status", show_replica, When.EVERY, replica_grant),
        Query("binary_log_status", binary_log, When.ENDS, source_grant),
    )
    rows = _MYSQL if mysql else _MARIADB
    return (*shown, *(row for row in rows if version >= row.since))


# They affect our session only; a server that does not know one of them does not need it.
SESSION: Final = (
    "SET SESSION time_zone = '+00:00'",  # columns of type TIMESTAMP are shown in it
    "SET SESSION lock_wait_timeout = 5",
    "SET SESSION TRANSACTION READ ONLY",
    "SET SESSION group_replication_consistency = 'EVENTUAL'",  # do not wait for the backlog that is to be measured
    "SET SESSION wsrep_sync_wait = 0",
    "SET SESSION wsrep_dirty_reads = ON",  # a node outside the primary component answers too
)

DISABLED_INSTRUMENTS: Final = (
    "SELECT NAME FROM performance_schema.setup_instruments WHERE ENABLED <> 'YES' AND NAME IN"
    " ('wait/io/file/innodb/innodb_log_file', 'wait/io/file/sql/binlog')"
)
# Without our own thread; MariaDB shows thread ids in its process list.
CLIENT_THREADS: Final = {
    Family.MYSQL: "SELECT THREAD_OS_ID AS thread FROM performance_schema.threads"
    " WHERE NAME = 'thread/sql/one_connection' AND PROCESSLIST_ID <> CONNECTION_ID()",
    Family.MARIADB: "SELECT TID AS thread FROM information_schema.PROCESSLIST"
    " WHERE ID <> CONNECTION_ID() AND USER <> 'system user'",
}
# The threads that apply replicated transactions, and the coordinator.
APPLIER_THREADS: Final = {
    Family.MYSQL: "SELECT THREAD_OS_ID AS thread FROM performance_schema.threads WHERE NAME IN"
    " ('thread/sql/replica_sql', 'thread/sql/replica_worker', 'thread/sql/slave_sql', 'thread/sql/slave_worker')",
    Family.MARIADB: "SELECT TID AS thread FROM information_schema.PROCESSLIST"
    " WHERE USER = 'system user' AND COMMAND NOT IN ('Daemon', 'Slave_IO')",
}
