"""How does this server apply what others committed: with how many workers, in which order, how durably?"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.annotations import Any
from advisor.catalog import spelling
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.evidence.option_items import settings_as_read
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family, Role
from advisor.units import as_option

_WORKERS_UNKNOWN_CPUS = 4  # the servers' own default since MySQL 8.0.27
_WORKER_SETTINGS = ("replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads")
_WORKERS_AT_MOST = 16  # the most that was measured to help
_FILTERS = tuple(
    f"replicate_{words}"
    for words in ("do_db", "do_table", "wild_do_table", "ignore_db", "ignore_table", "wild_ignore_table")
)
_WITHOUT_USERS_DATA = frozenset({"mysql", "information_schema", "performance_schema", "sys", "test"})


@fact("workers")
def applier_workers(e: MemberFacts) -> int:
    """How many workers apply replicated transactions in parallel; 0 and 1 both mean one after the other.

    Galera nodes: `wsrep_slave_threads`. MariaDB: `slave_parallel_threads`, and 0 under `slave_parallel_mode=none`,
    which keeps the threads and does not use them. MySQL, also for the channels of Group Replication:
    `replica_parallel_workers`. Sources: the manuals' pages of these variables.
    """
    if e["fact.is_galera_node"]:
        return int(e["wsrep_slave_threads"])
    if e.release.family is Family.MARIADB:
        return 0 if _mode(e) == "none" else int(e["slave_parallel_threads"])
    return int(e["replica_parallel_workers"])


@fact()
def applier_setting(e: MemberFacts) -> str:
    """The setting that decides how many workers apply, in the server's own spelling: "slave_parallel_workers = 0"."""
    name = "replica_parallel_workers" if e.release.family is Family.MYSQL else "slave_parallel_threads"
    if e["fact.is_galera_node"]:
        name = "wsrep_slave_threads"
    elif e.release.family is Family.MARIADB and _mode(e) == "none":
        name = "slave_parallel_mode"
    return f"{spelling(name, e.release) or name} = {e[name]}"


@fact()
def order_lost_by(e: MemberFacts) -> str:
    """The settings by which workers of a group would not commit in its order: "slave_preserve_commit_order = OFF"."""
    wrong = {"replica_parallel_type": "DATABASE", "replica_preserve_commit_order": False}
    held = {name: e.get(name, None) for name in wrong}
    return " and ".join(
        f"{spelling(name, e.release) or name} = {as_option(held[name])}"
        for name, value in wrong.items()
        if held[name] == value
    )


@fact("workers")
def applier_workers_to_try(e: MemberFacts) -> int:
    """How many workers to begin with where there are too few: one per CPU, at least 4 and at most 16; in a group 16.

    4 is the servers' own default since MySQL 8.0.27, also used while the CPUs are not known. 16 is what the author of
    Group Replication recommends; on two CPUs, with durable commits, it applied 2894 transactions/s against 931 with 4.
    Beyond 16 only a measurement tells.
    """
    if e.get("fact.is_group_member", False) is True:
        return _WORKERS_AT_MOST
    cpus = e.get("host.cpus", _WORKERS_UNKNOWN_CPUS)
    return int(min(_WORKERS_AT_MOST, max(_WORKERS_UNKNOWN_CPUS, cpus)))


@fact()
def workers_tried_in_vain(e: MemberFacts) -> bool:
    """Whether people raised the number of workers before, and neither throughput nor lag became better.

    `tried` of the observations: what, from, to, and throughput or lag before and after.
    """
    tried = [entry for entry in e.get("observed.tried", ()) if isinstance(entry, Mapping)]
    gains = [_gained(entry) for entry in tried if entry.get("what") in _WORKER_SETTINGS]
    return False in gains and True not in gains


@fact()
def parallel_mode_to_set(e: MemberFacts) -> str | object:
    """MariaDB's parallel mode to write where the present one is `none`; makes no sense where another is chosen."""
    return "optimistic" if e.release.family is Family.MARIADB and _mode(e) == "none" else NOT_HERE


@fact()
def is_async_replica(e: MemberFacts) -> bool:
    """Whether the server receives from a source over an asynchronous (or semi-synchronous) channel."""
    if e.rows("replica_status") or e.member.role is Role.REPLICA:
        return True
    if e["fact.is_group_member"] or e["fact.is_galera_node"]:
        return False
    return bool(e["role"] == Role.REPLICA)


@fact()
def replication_filters(e: MemberFacts) -> str:
    """The filters that leave out changes of users' tables ("replicate_do_db = shop"), "" for none.

    Those that leave out system schemas or `test` only are common, and miss none of the data.
    """
    arguments = [setting.argument for setting in settings_as_read(e).all]
    filters = ((argument.name.lower().replace("-", "_"), argument.value or "") for argument in arguments)
    kept_out = [f"{name} = {value}" for name, value in filters if name in _FILTERS and not _of_the_system(name, value)]
    return ", ".join(kept_out)


def _of_the_system(name: str, value: str) -> bool:
    schemas = {part.strip().partition(".")[0].strip("`") for part in value.lower().split(",")}
    return "ignore" in name and schemas <= _WITHOUT_USERS_DATA


@fact()
def may_replicate_by_position(e: MemberFacts) -> bool:
    """Whether no channel is known to replicate by GTID (Using_Gtid of MariaDB)."""
    return str(e.get("replica.Using_Gtid", "") or "No").lower() == "no"


@fact()
def commit_order_possible(e: MemberFacts) -> bool:
    """Whether this release can keep the commit order with these settings.

    Up to MySQL 8.0.18 the order is kept in the group commit of the replica's own binary log, and there is none without
    `log_bin` and `log_slave_updates` (manual: replication and transaction inconsistencies).
    """
    return e.release.version >= (8, 0, 19) or bool(e["fact.binlog_on"] and e["log_replica_updates"])


@fact()
def commit_order_to_set(e: MemberFacts) -> bool | object:
    """ON where the commit order can be kept, else no value to set."""
    return True if e["fact.commit_order_possible"] else NOT_HERE


@fact("syncs")
def syncs_per_applied_transaction(e: MemberFacts) -> float:
    """Waits for the disk of one transaction that is applied alone, without anybody to share a group commit with.

    One for the redo log when `innodb_flush_log_at_trx_commit` is 1 (MariaDB: or 3), and one for the binary log every
    `sync_binlog` transactions where applied transactions are logged (manuals of both variables).
    """
    redo = 1.0 if e["innodb_flush_log_at_trx_commit"] in (1, 3) else 0.0
    logged = e["fact.binlog_in_own_files"] and e["log_replica_updates"]
    every = e["sync_binlog"] if logged else 0
    return redo + (1.0 / every if every else 0.0)


@fact("per_second")
def serial_apply_ceiling_per_second(e: MemberFacts) -> float | object:
    """The most transactions one worker can apply: 1 / (syncs per transaction × time of one sync).

    An upper bound: the work of applying itself comes on top. None where a transaction waits for no sync.
    """
    syncs = e["fact.syncs_per_applied_transaction"]
    if not syncs:
        return NOT_HERE
    return 1000.0 / (syncs * e["host.fsync_ms"]) if e["host.fsync_ms"] else UNKNOWN


@fact("per_second")
def arriving_transactions_per_second(e: MemberFacts) -> float:
    """Transactions per second that the source commits: its samples, else the throughput somebody observed.

    MySQL counts each logged transaction in Binlog_cache_use, MariaDB in Binlog_commits.
    """
    counter = "Binlog_commits" if e.release.family is Family.MARIADB else "Binlog_cache_use"
    rate = e.get(f"source.rate.{counter}", None)
    return float(e["observed.throughput_per_second"] if rate is None else rate)


@fact("s")
def replica_lag_seconds(e: MemberFacts) -> float | object:
    """How far behind its source a replica says it is, without the delay it was told to keep (SQL_Delay).

    Unknown while a replication thread is stopped: Seconds_Behind_Source is NULL then.
    """
    behind, delay = e["replica.Seconds_Behind_Source"], e.get("replica.SQL_Delay", 0)
    if not isinstance(behind, int | float):
        return UNKNOWN
    return max(0, behind - (delay if isinstance(delay, int | float) else 0))


@fact()
def write_set_extraction_to_set(e: MemberFacts) -> str | object:
    """The hash to write for transaction_write_set_extraction where it is off; no value where one is chosen already."""
    return "XXHASH64" if str(e["transaction_write_set_extraction"]).upper() == "OFF" else NOT_HERE


@fact("bytes")
def relay_log_file_bytes(e: MemberFacts) -> int:
    """The size at which a relay log file ends: `max_relay_log_size`, or `max_binlog_size` where that is 0."""
    return int(e["max_relay_log_size"] or e["max_binlog_size"])


def _gained(entry: Mapping[str, Any]) -> bool | None:
    """Whether more workers helped; None when fewer were tried, or nothing was measured."""
    fewer, more = _numbers(entry, "from", "to")
    slow, fast = _numbers(entry, "throughput_before", "throughput_after")
    late, later = _numbers(entry, "lag_seconds_before", "lag_seconds_after")
    if more <= fewer or (slow == fast == 0 and late == later == 0):
        return None
    return fast > slow or later < late


def _numbers(entry: Mapping[str, Any], *keys: str) -> tuple[float, ...]:
    """The values of these keys, all 0 unless each is a number."""
    values = [entry.get(key) for key in keys]
    numbers = tuple(float(value) for value in values if isinstance(value, int | float))
    return numbers if len(numbers) == len(keys) else (0.0,) * len(keys)


def _mode(e: MemberFacts) -> str:
    return str(e.get("slave_parallel_mode", "")).lower()
