"""How does this server spell statements and settings of replication? One row per range of releases.

Sources: the manuals' "What Is New" pages; MySQL renamed the statements in 8.0.22 and 8.0.23 and the semi-synchronous
plugins in 8.0.26; the older spellings work until 8.4 removes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.model.record import record, replace
from advisor.model.server import Family, Version


@record
class Dialect:
    """Statements, names and settings of replication. `follow` takes host, port, user and password as `%s`.

    `semisync_source_settings` and `semisync_replica_settings` enable semi-sync; `acks` is "" where the number of
    acknowledgements cannot be chosen. `*_running` and `*_error` are columns of `show_replica`. `applying_age` is an
    expression for the microseconds since the oldest transaction in a worker `w` was committed on its source, NULL
    where servers do not record that. `source_*` are columns of `show_channels`, which has a row for every source a
    server replicates from; `channels` names all of them in STOP and START. `show_replicas` lists a server's replicas,
    by what they report of themselves.
    """

    family: Family
    gtid: Mapping[str, str]
    follow: str
    start_replica: str
    stop_applier: str
    start_applier: str
    show_replica: str
    show_channels: str
    channels: str
    show_replicas: str
    source_host: str
    source_port: str
    source_server_id: str
    receiver_running: str
    applier_running: str
    receiver_error: str
    applier_error: str
    log_updates: str
    workers: str
    semisync_source_settings: Mapping[str, str]
    semisync_replica_settings: Mapping[str, str]
    wait_point: str
    acks: str
    semisync_status: str
    semisync_clients: str
    applying_age: str = "NULL"


_MYSQL_GTID: Final = {"gtid_mode": "ON", "enforce_gtid_consistency": "ON", "log_bin": "binlog", "binlog_format": "ROW"}

# Microseconds from 8.0.1 on (https://dev.mysql.com/doc/refman/8.0/en/performance-schema-replication-applier-status-by-worker-table.html).
_APPLYING_AGE: Final = (
    "(SELECT MAX(TIMESTAMPDIFF(MICROSECOND, w.APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP, NOW(6)))"
    " FROM performance_schema.replication_applier_status_by_worker w"
    " WHERE w.CHANNEL_NAME = c.CHANNEL_NAME AND w.APPLYING_TRANSACTION <> ''"
    " AND w.APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP > 0)"
)

_MYSQL: Final = Dialect(
    family=Family.MYSQL,
    gtid={name: value for name, value in _MYSQL_GTID.items() if name != "binlog_format"},
    follow="CHANGE REPLICATION SOURCE TO SOURCE_HOST=%s, SOURCE_PORT=%s, SOURCE_USER=%s, SOURCE_PASSWORD=%s,"
    " SOURCE_AUTO_POSITION=1, SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=86400, GET_SOURCE_PUBLIC_KEY=1",
    start_replica="START REPLICA",
    stop_applier="STOP REPLICA SQL_THREAD",
    start_applier="START REPLICA SQL_THREAD",
    show_replica="SHOW REPLICA STATUS",
    show_channels="SHOW REPLICA STATUS",
    channels="REPLICA",
    show_replicas="SHOW REPLICAS",
    source_host="Source_Host",
    source_port="Source_Port",
    source_server_id="Source_Server_Id",
    receiver_running="Replica_IO_Running",
    applier_running="Replica_SQL_Running",
    receiver_error="Last_IO_Error",
    applier_error="Last_SQL_Error",
    log_updates="log_replica_updates",
    workers="replica_parallel_workers",
    semisync_source_settings={
        "plugin_load_add": "semisync_source.so",
        "rpl_semi_sync_source_enabled": "ON",
        "rpl_semi_sync_source_timeout": "10000",
    },
    semisync_replica_settings={"plugin_load_add": "semisync_replica.so", "rpl_semi_sync_replica_enabled": "ON"},
    wait_point="rpl_semi_sync_source_wait_point",
    acks="rpl_semi_sync_source_wait_for_replica_count",
    semisync_status="Rpl_semi_sync_source_status",
    semisync_clients="Rpl_semi_sync_source_clients",
    applying_age=_APPLYING_AGE,
)

_MYSQL_5_7: Final = Dialect(
    family=Family.MYSQL,
    gtid=_MYSQL_GTID,
    follow="CHANGE MASTER TO MASTER_HOST=%s, MASTER_PORT=%s, MASTER_USER=%s, MASTER_PASSWORD=%s,"
    " MASTER_AUTO_POSITION=1, MASTER_CONNECT_RETRY=1, MASTER_RETRY_COUNT=86400",
    start_replica="START SLAVE",
    stop_applier="STOP SLAVE SQL_THREAD",
    start_applier="START SLAVE SQL_THREAD",
    show_replica="SHOW SLAVE STATUS",
    show_channels="SHOW SLAVE STATUS",
    channels="SLAVE",
    show_replicas="SHOW SLAVE HOSTS",
    source_host="Master_Host",
    source_port="Master_Port",
    source_server_id="Master_Server_Id",
    receiver_running="Slave_IO_Running",
    applier_running="Slave_SQL_Running",
    receiver_error="Last_IO_Error",
    applier_error="Last_SQL_Error",
    log_updates="log_slave_updates",
    workers="slave_parallel_workers",
    semisync_source_settings={
        "plugin_load_add": "semisync_master.so",
        "rpl_semi_sync_master_enabled": "ON",
        "rpl_semi_sync_master_timeout": "10000",
    },
    semisync_replica_settings={"plugin_load_add": "semisync_slave.so", "rpl_semi_sync_slave_enabled": "ON"},
    wait_point="rpl_semi_sync_master_wait_point",
    acks="rpl_semi_sync_master_wait_for_slave_count",
    semisync_status="Rpl_semi_sync_master_status",
    semisync_clients="Rpl_semi_sync_master_clients",
)

# 8.0 logs in with caching_sha2_password, which without TLS needs the source's public key.
_MYSQL_8_0_EARLY: Final = replace(
    _MYSQL_5_7, follow=_MYSQL_5_7.follow + ", GET_MASTER_PUBLIC_KEY=1", applying_age=_APPLYING_AGE
)

_MARIADB: Final = Dialect(
    family=Family.MARIADB,
    gtid={"log_bin": "binlog", "binlog_format": "ROW", "gtid_strict_mode": "ON"},
    follow="CHANGE MASTER TO MASTER_HOST=%s, MASTER_PORT=%s, MASTER_USER=%s, MASTER_PASSWORD=%s,"
    " MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1",
    start_replica="START SLAVE",
    stop_applier="STOP SLAVE SQL_THREAD",
    start_applier="START SLAVE SQL_THREAD",
    show_replica="SHOW SLAVE STATUS",
    show_channels="SHOW ALL SLAVES STATUS",
    channels="ALL SLAVES",
    show_replicas="SHOW SLAVE HOSTS",
    source_host="Master_Host",
    source_port="Master_Port",
    source_server_id="Master_Server_Id",
    receiver_running="Slave_IO_Running",
    applier_running="Slave_SQL_Running",
    receiver_error="Last_IO_Error",
    applier_error="Last_SQL_Error",
    log_updates="log_slave_updates",
    workers="slave_parallel_threads",
    semisync_source_settings={"rpl_semi_sync_master_enabled": "ON", "rpl_semi_sync_master_timeout": "10000"},
    semisync_replica_settings={"rpl_semi_sync_slave_enabled": "ON"},
    wait_point="rpl_semi_sync_master_wait_point",
    acks="",
    semisync_status="Rpl_semi_sync_master_status",
    semisync_clients="Rpl_semi_sync_master_clients",
)


def dialect_of(family: Family, version: Version) -> Dialect:
    """The row for a release."""
    if family is Family.MARIADB:
        return _MARIADB
    if version >= (8, 0, 26):
        return _MYSQL
    return _MYSQL_8_0_EARLY if version >= (8, 0, 4) else _MYSQL_5_7
