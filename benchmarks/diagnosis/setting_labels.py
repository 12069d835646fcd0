"""Which settings do labels of measurements name? "durable", "gtid_on", "threads8" → options.

A vocabulary of the field, not of single cases: a label is split into words, and each word may stand for a setting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from benchmarks.diagnosis.label_forms import assigned, rows_per_commit

Setting = tuple[str, Any]

_WORDS: Final[Mapping[str, Setting]] = {
    "standalone": ("topology", "standalone"),
    "single_server": ("topology", "standalone"),
    "single_node": ("topology", "standalone"),
    "group": ("topology", "group_replication"),
    "cluster": ("topology", "cluster"),
    "galera": ("topology", "galera"),
    "pxc": ("topology", "galera"),
    "semisync": ("semisync", "on"),
    "semi_sync": ("semisync", "on"),
    "async": ("semisync", "off"),
    "durable": ("durability", "durable"),
    "nondurable": ("durability", "relaxed"),
    "non_durable": ("durability", "relaxed"),
    "relaxed": ("durability", "relaxed"),
    "gtid": ("gtid_mode", "ON"),
    "gtid_on": ("gtid_mode", "ON"),
    "gtid_off": ("gtid_mode", "OFF"),
    "gtid_only": ("gtid_mode", "ON"),
    "binlog": ("log_bin", "ON"),
    "binlog_only": ("log_bin", "ON"),
    "no_binlog": ("log_bin", "OFF"),
    "skip_log_bin": ("log_bin", "OFF"),
    "flush2": ("innodb_flush_log_at_trx_commit", 2),
    "flush_log_at_trx_commit_2": ("innodb_flush_log_at_trx_commit", 2),
    "no_autoinc": ("auto_increment", "OFF"),
    "no_auto_increment": ("auto_increment", "OFF"),
    "myisam": ("engine", "MyISAM"),
    "innodb": ("engine", "InnoDB"),
    "o_direct_no_fsync": ("innodb_flush_method", "O_DIRECT_NO_FSYNC"),
    "o_direct": ("innodb_flush_method", "O_DIRECT"),
    "fsync": ("innodb_flush_method", "fsync"),
    "numa_disabled": ("numa", "off"),
    "numa_off": ("numa", "off"),
    "all_nodes": ("numa", "all nodes"),
    "one_node": ("numa", "off"),
    "bound_one_node": ("numa", "off"),
    "bound_node0": ("numa", "off"),
    "dual_one_on": ("durability", "durable"),
    "dual_one_off": ("durability", "relaxed"),
    "full": ("binlog_row_image", "FULL"),
    "minimal": ("binlog_row_image", "MINIMAL"),
    "parallel": ("clients", 8),
    "tmpfs": ("storage", "tmpfs"),
    "ramdisk": ("storage", "ramdisk"),
    "in_memory": ("storage", "memory"),
    "nvme": ("storage", "nvme"),
    "ssd": ("storage", "ssd"),
    "hdd": ("storage", "hdd"),
    "spinning": ("storage", "hdd"),
    "san": ("storage", "san"),
    "compressed": ("row_format", "compressed"),
    "uncompressed": ("row_format", "none"),
    "zfs": ("filesystem", "zfs"),
    "local": ("rtt_ms", 0.1),
    "localhost": ("rtt_ms", 0.1),
    "same_host": ("rtt_ms", 0.1),
    "remote": ("rtt_ms", 10),
    "over_the_network": ("rtt_ms", 10),
    "wan": ("rtt_ms", 50),
    "vpn": ("rtt_ms", 20),
    "with_index": ("index", "on"),
    "without_index": ("index", "none"),
    "no_index": ("index", "none"),
    "with_primary_key": ("primary_key", "on"),
    "without_primary_key": ("primary_key", "none"),
    "no_primary_key": ("primary_key", "none"),
    "query_cache_off": ("query_cache_size", 0),
    "query_cache_on": ("query_cache_size", 1),
    "no_query_cache": ("query_cache_size", 0),
    "doublewrite_off": ("innodb_doublewrite", "OFF"),
    "no_doublewrite": ("innodb_doublewrite", "OFF"),
    "doublewrite_on": ("innodb_doublewrite", "ON"),
    "nobarrier": ("barrier", "off"),
    "barrier": ("barrier", "on"),
    "performance_schema_off": ("performance_schema", "OFF"),
    "performance_schema_on": ("performance_schema", "ON"),
    "pfs_off": ("performance_schema", "OFF"),
    "pfs_on": ("performance_schema", "ON"),
    "semisync_off": ("semisync", "off"),
    "semisync_on": ("semisync", "on"),
    "single_threaded": ("replica_parallel_workers", 1),
    "single_client": ("clients", 1),
}
_RELEASE: Final = re.compile(
    r"(?:(?:mysql|mariadb|percona|server|version|release)\W*)*(\d+\.\d+(?:\.\d+)?)$", re.IGNORECASE
)
_COUNTED: Final = re.compile(
    r"^(threads|workers|clients|connections|sessions|appliers|nodes|replicas|vcpu|cpus)_?(\d+)$"
    r"|^(\d+)_(threads|workers|clients|connections|sessions|appliers|replicas|nodes|cpus)$"
)
_COUNTS: Final = {"threads": "threads", "workers": "replica_parallel_workers", "clients": "clients", "nodes": "nodes",
                  "connections": "clients", "sessions": "clients", "appliers": "wsrep_slave_threads",
                  "replicas": "replicas", "vcpu": "cpus", "cpus": "cpus"}  # fmt: skip
_LONGEST: Final = 5  # words that one phrase may have


def settings_of(label: str, threads: str = "clients") -> dict[str, Any]:
    """The settings a label names. `threads` is what a number of threads counts here: clients, or applier workers."""
    if release := _RELEASE.match(label.strip()):
        return {"version": release[1]}
    found = assigned(label)
    if (rows := rows_per_commit(label)) is not None:
        found["rows_per_transaction"] = rows
    words = re.sub("|".join(map(re.escape, found)) or "$^", " ", label.lower())  # "sync_binlog" is not about "binlog"
    return {**_named(words, threads), **found}


def _named(label: str, threads: str) -> dict[str, Any]:
    parts = [part for part in re.split(r"[^a-z0-9]+|(?<=[a-z])(?=\d+$)", label.lower()) if part]
    settings: dict[str, Any] = {}
    at = 0
    while at < len(parts):
        for length in range(min(_LONGEST, len(parts) - at), 0, -1):
            phrase = "_".join(parts[at : at + length])
            setting = _counted(phrase, threads) or _WORDS.get(phrase)
            if setting:
                settings[setting[0]] = setting[1]
                at += length
                break
        else:
            at += 1
    return settings


def _counted(phrase: str, threads: str) -> Setting | None:
    counted = _COUNTED.match(phrase)
    if not counted:
        return None
    word, number = counted[1] or counted[4], int(counted[2] or counted[3])
    return (threads if word == "threads" else _COUNTS[word], number)
