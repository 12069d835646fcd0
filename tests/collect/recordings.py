"""A recording as a reader of MySQL 9.7.4 leaves it, shortened: what the tests of bundles start from."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from advisor.collect.gather import Gathered
from advisor.collect.member.reader import MemberTarget, ReadingSchedule
from advisor.collect.member.recording import Clock, Lack, Recording
from advisor.collect.targets import ClusterTarget
from advisor.model.lab import Address
from advisor.model.server import Role, Topology

SAMPLES = Path(__file__).parent / "samples"
VARIABLES = {
    "version": "9.7.4-2",
    "version_comment": "(Debian)",
    "hostname": "orders-db1",
    "report_host": "10.1.2.3",
    "datadir": "/srv/orders-db1/data/",
    "binlog_format": "ROW",
    "sync_binlog": "1",
    "init_connect": "SET @who = 'shopkeeper'",
    "init_replica": "",
    "server_uuid": "aaaaaaaa-bbbb-cccc-dddd-000000000001",
    "gtid_executed": "aaaaaaaa-bbbb-cccc-dddd-000000000001:1-5:7:9:11",
}
REPLICA = {
    "Source_Host": "orders-db0.shop.example", "Source_User": "copyist", "Source_Server_Id": 7,
    "Seconds_Behind_Source": None, "Replicate_Do_DB": "shop", "Last_SQL_Errno": 1032,
    "Last_SQL_Error": "Could not execute Delete_rows event on table shop.customers; Can't find record in 'customers'",
    "Replica_IO_State": "Waiting for source to send event",
}  # fmt: skip
PROCESSES = [
    {"user": "event_scheduler", "command": "Daemon", "state": "Waiting on empty queue", "info": "", "count": 1},
    {"user": "shopkeeper", "command": "Query", "state": "update", "info": "INSERT …", "time": 0, "count": 3},
]  # fmt: skip
MY_CNF = """# db1 of the shop, bought from Miller
[client]
password = ********
[mysqld]
report-host = 10.1.2.3   # advisor: ignore[some-rule] known
init_connect = SET @who = 'shopkeeper'
sync_binlog = 1
"""


def recorded(name: str = "orders-db1") -> Recording:
    """One member with two moments, and a counter of each kind."""
    recording = Recording(name, "watch@10.9.8.7", dict(VARIABLES))
    for number in range(4):
        counters = {"Uptime": str(100 + number), "Questions": str(1000 + 50 * number), "Com_select": "7"}
        recording.samples.append((0.1 + number, {**counters, "Threads_running": str(2 + number % 2)}))
        recording.tables.append((0.2 + number, {"replica_status": [REPLICA], "processlist": PROCESSES}))
    recording.once = {"plugins": [{"Name": "binlog", "Status": "ACTIVE", "Type": "STORAGE ENGINE", "Library": None}]}
    recording.innodb_status = (SAMPLES / "innodb-status-deadlock-mysql-9.7.4.txt").read_text(encoding="utf-8")
    recording.host = {"cpus": 4, "memory_bytes": 8 << 30}
    recording.option_files = {"/etc/mysql/my.cnf": MY_CNF}
    recording.clock = Clock(0.0021, 0.0004)
    recording.lacks = [Lack("replica_status", "needs REPLICATION CLIENT", "GRANT … TO 'watch'@'10.9.8.7'")]
    return recording


def gathered(*recordings: Recording) -> Gathered:
    """Gathered over three seconds, from a fixed time on."""
    return Gathered(datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), ReadingSchedule(3.0, 1.0), recordings or (recorded(),))


def wanted(name: str = "orders-db1") -> ClusterTarget:
    """What a cluster.yaml says of it."""
    target = MemberTarget(name, Address("10.1.2.3", 3306, "watch", "hunter2"))
    return ClusterTarget("orders.yaml", "orders-db", (target,), Topology.ASYNC_MYSQL, {name: Role.REPLICA})
