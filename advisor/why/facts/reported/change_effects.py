"""What was the effect of a single change, as users report: of a setting, a version, the storage, the topology?

One fact per factor: how many times as fast with more of it, or without it, as its sentence says. The arithmetic is in
`tried_changes.py`.
"""

from __future__ import annotations

import re
from typing import Any, Final

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.units import SHIFTS
from advisor.why.facts.reported.tried_changes import Level, are_numbers, gain

_OFF: Final = frozenset({"off", "0", "false", "no", "none", "disabled", "without", "absent", "never", "unset"})
_OFF_OR_ALONE: Final = frozenset(
    {
        "off",
        "0",
        "false",
        "no",
        "none",
        "disabled",
        "standalone",
        "asynchronous",
        "async",
        "async_mysql",
        "async_mariadb",
    }
)
_NUMBER: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\b", re.IGNORECASE)


def _size(value: Any) -> float | None:
    """A number, also with a suffix (512M) or followed by words ("8 cores")."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    number = _NUMBER.match(str(value))
    return (
        float(number[1]) * (1 << SHIFTS[number[2].upper()]) if number else 0.0 if str(value).lower() in _OFF else None
    )


def _off(value: Any) -> float:
    return 1.0 if str(value).lower() in _OFF else 0.0


def _minimal(value: Any) -> float:
    return 1.0 if str(value).lower() in ("minimal", "noblob") else 0.0


def _without_data_syncs(value: Any) -> float:
    return 1.0 if "no_fsync" in str(value).lower() or str(value).lower() == "nosync" else 0.0


def _interleaved(value: Any) -> float | None:
    return 1.0 if str(value) == "2" else 0.0


def _less(value: Any) -> float | None:
    size = _size(value)
    return None if size is None else -size


_WORKERS: Final = (
    "replica_parallel_workers",
    "slave_parallel_workers",
    "slave_parallel_threads",
    "wsrep_slave_threads",
    "wsrep_applier_threads",
)
_SEMISYNC_TIMEOUTS: Final = ("rpl_semi_sync_master_timeout", "rpl_semi_sync_source_timeout")
_FACTORS: Final[dict[str, tuple[str, tuple[str, ...], Level]]] = {
    "redo_larger_gain": (
        "with the larger redo log",
        ("innodb_log_file_size", "innodb_redo_log_capacity", "innodb_log_files_in_group"),
        _size,
    ),
    "pool_larger_gain": ("with the larger buffer pool", ("innodb_buffer_pool_size",), _size),
    "io_capacity_gain": ("with the larger innodb_io_capacity", ("innodb_io_capacity", "innodb_io_capacity_max"), _size),
    "doublewrite_off_gain": ("without the doublewrite buffer", ("innodb_doublewrite",), _off),
    "data_sync_off_gain": ("with data files that are not synced", ("innodb_flush_method",), _without_data_syncs),
    "commit_delay_off_gain": (
        "with the shorter commit delay",
        ("binlog_group_commit_sync_delay", "binlog_commit_wait_usec", "binlog_commit_wait_count"),
        _less,
    ),
    "commit_order_off_gain": (
        "without keeping the commit order",
        ("replica_preserve_commit_order", "slave_preserve_commit_order"),
        _off,
    ),
    "row_image_minimal_gain": ("with the smaller row image", ("binlog_row_image",), _minimal),
    "compression_off_gain": (
        "without compression of the binary log",
        ("binlog_transaction_compression", "log_bin_compress"),
        _off,
    ),
    "replica_updates_off_gain": (
        "without logging applied transactions",
        ("log_slave_updates", "log_replica_updates"),
        _off,
    ),
    "performance_schema_off_gain": ("without the Performance Schema", ("performance_schema",), _off),
    "query_cache_off_gain": ("with the smaller query cache", ("query_cache_size", "query_cache_type"), _less),
    "table_cache_gain": (
        "with the larger table cache",
        ("table_open_cache", "table_cache", "table_definition_cache"),
        _size,
    ),
    "table_cache_instances_fewer_gain": (
        "with fewer instances of the table cache",
        ("table_open_cache_instances",),
        _less,
    ),
    "autoinc_interleaved_gain": ("with interleaved AUTO_INCREMENT values", ("innodb_autoinc_lock_mode",), _interleaved),
    "autoinc_off_gain": (
        "without an AUTO_INCREMENT column",
        ("auto_increment", "autoinc", "auto_increment_column"),
        _off,
    ),
    "numa_off_gain": (
        "with a different placement on NUMA nodes",
        ("numa", "innodb_numa_interleave", "numa_nodes", "numactl", "numa_binding", "cpu_binding"),
        _off,
    ),
    "more_cpus_gain": ("with more CPUs", ("cpus", "vcpu", "vcpus", "cores", "cpu"), _size),
    "fewer_clients_gain": ("with fewer clients", ("clients", "threads", "connections"), _less),
    "admission_gain": ("with more threads allowed inside InnoDB at once", ("innodb_thread_concurrency",), _size),
    "batching_gain": (
        "with larger transactions",
        ("rows_per_transaction", "batch", "batch_size", "rows_per_commit"),
        _size,
    ),
    "shorter_semisync_timeout_gain": ("with the shorter timeout", _SEMISYNC_TIMEOUTS, _less),
    "nearer_gain": ("with the shorter round trip", ("rtt_ms", "latency_ms", "network"), _less),
    "fewer_nodes_gain": (
        "with fewer members",
        ("nodes", "members", "remote_node", "remote node", "secondaries", "replicas"),
        _less,
    ),
    "pages_uncompressed_gain": (
        "without compressed tables",
        ("row_format", "page_compression", "key_block_size"),
        _off,
    ),
    "key_added_gain": (
        "with a primary key",
        ("primary_key", "primary key", "pk", "index"),
        lambda value: 1.0 - _off(value),
    ),
    "barrier_off_gain": ("without write barriers", ("barrier", "barriers", "nobarrier", "mount_options"), _off),
    "fulltext_off_gain": ("without the full-text index", ("fulltext", "fulltext_index", "full-text index"), _off),
}


def _register(name: str, words: str, settings: tuple[str, ...], level: Level) -> None:
    def derive(e: MemberFacts) -> float:
        return gain(e, dict.fromkeys(settings, level))

    derive.__name__, derive.__doc__ = name, f"How many times as fast {words}."
    fact()(derive)


for _name, (_words, _settings, _level) in _FACTORS.items():
    _register(_name, _words, _settings, _level)


@fact()
def more_workers_gain(e: MemberFacts) -> float:
    """How many times as fast with the largest number of applier workers tried as with the smallest."""
    return gain(e, dict.fromkeys(_WORKERS, _number))


@fact()
def relaxing_durability_gain(e: MemberFacts) -> float:
    """How many times as fast with commits that do not wait for a sync as with those that do."""
    flush = {
        "innodb_flush_log_at_trx_commit": _relaxed_redo,
        "sync_binlog": _relaxed_binlog,
        "durability": _relaxed_word,
    }
    return gain(e, flush, together={"log_bin": lambda value: 1.0 - (_switch(value) or 0.0)})


@fact()
def gtid_off_gain(e: MemberFacts) -> float:
    """How many times as fast without GTIDs as with them."""
    off: Level = lambda value: None if (on := _switch(value)) is None else 1.0 - on  # noqa: E731 – a level, not a name
    return gain(e, {"gtid_mode": off}, together={"enforce_gtid_consistency": off})


@fact()
def binlog_off_gain(e: MemberFacts) -> float:
    """How many times as fast without the binary log as with it."""
    return gain(e, {"log_bin": lambda value: None if (on := _switch(value)) is None else 1.0 - on})


@fact()
def flow_control_off_gain(e: MemberFacts) -> float:
    """How many times as fast with flow control switched off, or with a limit in Galera that is hardly ever reached."""
    off = {
        "group_replication_flow_control_mode": lambda value: float(str(value).lower() in _OFF_OR_ALONE),
        "gcs.fc_limit": _number,
    }
    return gain(e, off)


@fact()
def replication_off_gain(e: MemberFacts) -> float:
    """How many times as fast a standalone server is as the same one in its cluster."""
    return gain(e, {"topology": lambda value: 1.0 if str(value).lower() == "standalone" else 0.0})


@fact()
def semisync_off_gain(e: MemberFacts) -> float:
    """How many times as fast without waiting for acknowledgements."""

    def off(value: Any) -> float | None:
        on = _switch(value)
        return None if on is None else 1.0 - on

    def not_semisync(value: Any) -> float | None:
        word = str(value).lower().replace("-", "")
        return 0.0 if "semisync" in word else 1.0 if word in _OFF_OR_ALONE else None

    named = ("rpl_semi_sync_source_enabled", "rpl_semi_sync_master_enabled", "semisync", "semi_sync")
    return gain(e, {**dict.fromkeys(named, off), "topology": not_semisync})


@fact()
def any_change_ratio(e: MemberFacts) -> float:
    """The largest effect of a change of version or server: below 1 it became slower."""
    return gain(e, {"version": _version, "server": _version})


@fact()
def engine_cost(e: MemberFacts) -> float:
    """How many times as fast an engine without transactions (MyISAM, MEMORY) was."""
    return gain(e, {"engine": lambda value: float(str(value).lower() in ("myisam", "memory", "aria"))})


@fact()
def faster_storage_gain(e: MemberFacts) -> float:
    """How many times as fast on the faster storage: memory before NVMe before SSD before disks."""
    return gain(e, {"storage": _storage, "datadir": _storage, "disk": _storage})


def _version(value: Any) -> float | None:
    parts = re.findall(r"\d+", str(value))[:3]
    return sum(int(part) / 1000**place for place, part in enumerate(parts)) if parts else None


def _storage(value: Any) -> float | None:
    text = str(value).lower()
    ranks = (("tmpfs", 4), ("ramdisk", 4), ("memory", 4), ("nvme", 3), ("ssd", 2), ("san", 1), ("raid", 1), ("hdd", 0),
             ("sata", 0), ("disk", 0))  # fmt: skip
    return next((float(rank) for word, rank in ranks if word in text), None)


def _number(value: Any) -> float | None:
    return float(value) if are_numbers(value) else 0.0 if str(value).lower() in _OFF_OR_ALONE else None


def _switch(value: Any) -> float | None:
    """1.0 for on, 0.0 for off."""
    word = str(value).lower()
    return 0.0 if word in _OFF_OR_ALONE else 1.0 if word in ("on", "1", "true", "yes", "on_permissive") else None


def _relaxed_redo(value: Any) -> float | None:
    return float(value not in (1, 3)) if are_numbers(value) else None


def _relaxed_binlog(value: Any) -> float | None:
    return float(value != 1) if are_numbers(value) else None


def _relaxed_word(value: Any) -> float | None:
    return {"durable": 0.0, "relaxed": 1.0, "1/1": 0.0, "2/0": 1.0, "0/0": 1.0}.get(str(value).lower())
