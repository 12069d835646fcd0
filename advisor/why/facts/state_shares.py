"""What do the sampled threads wait for? One fact per kind of wait: the share of threads in states that name it."""

from __future__ import annotations

from typing import Final

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.why.facts.sessions import state_share

# Words of thread states as MySQL 5.1 to 9.x, MariaDB and XtraDB Cluster print them, in lower case.
_WAITS: Final = {
    "waits_for_ack_share": (
        "Waits for the acknowledgement of a semi-synchronous replica.",
        ("semi-sync ack", "semisync ack", "semi-sync slave", "semi sync ack"),
    ),
    "waits_for_certification_share": (
        "Waits until the other nodes have the write set and it is ordered and certified.",
        ("wsrep in pre-commit", "wsrep: in pre-commit", "wsrep: pre-commit", "wsrep: initiating pre-commit",
         "waiting for certification", "wsrep: certif", "wsrep: replicat", "group_replication_trans_before_commit"),
    ),
    "waits_for_order_share": (
        "Workers that wait for their turn to commit.",
        ("preceding transaction to commit", "prior transaction to commit", "prior transaction to start commit"),
    ),
    "waits_for_dependency_share": (
        "Workers, or the coordinator, that wait for a transaction that the next transaction depends on.",
        ("dependent transaction to commit", "for workers to finish"),
    ),
    "workers_idle_share": (
        "Workers without work.",
        ("event from coordinator", "work from sql thread", "wsrep applier idle"),
    ),
    "waits_for_global_lock_share": (
        "Waits for a lock on the whole server: backup, FLUSH TABLES WITH READ LOCK, read_only being switched.",
        ("global read lock", "commit lock", "backup lock", "table flush", "flush tables", "release of readlock"),
    ),
    "waits_for_metadata_lock_share": (
        "Waits for a metadata lock.",
        ("metadata lock",),
    ),
    "waits_for_row_lock_share": (
        "Waits for a row lock.",
        ("row lock", "lock wait", "innodb lock"),
    ),
    "waits_for_table_lock_share": (
        "Waits for a lock on a whole table.",
        ("table level lock", "table lock", "locked"),
    ),
    "waits_for_autoinc_share": (
        "Waits for the AUTO-INC lock of a table.",
        ("auto-inc", "autoinc", "auto_inc"),
    ),
    "opens_tables_share": (
        "Opens or closes tables.",
        ("opening table", "closing table"),
    ),
    "waits_for_query_cache_share": (
        "Works on, or waits for, the query cache.",
        ("query cache",),
    ),
    "waits_for_admission_share": (
        "Waits to enter InnoDB.",
        ("before entering innodb", "entering innodb", "joining innodb queue", "innodb queue"),
    ),
    "waits_for_group_commit_share": (
        "Commits in the storage engine and the binary log, or waits to commit there.",
        ("waiting for handler commit", "commit"),
    ),
    "waits_for_redo_share": (
        "Waits for room in the redo log or for a checkpoint.",
        ("checkpoint", "log free", "redo log space", "log_free_check", "free space in redo"),
    ),
    "waits_for_purge_share": (
        "Slowed down because purge is behind.",
        ("purge",),
    ),
    "altering_share": (
        "Schema changes that are running.",
        ("altering table", "copy to tmp table", "creating index", "preparing for alter", "committing alter",
         "rename table"),
    ),
    "waits_for_pause_share": (
        "Stopped by Galera's flow control.",
        ("flow control", "wsrep: paused", "paused"),
    ),
    "copies_state_share": (
        "A full state transfer is running.",
        ("state transfer", "sst", "donor", "joiner", "cloning", "clone"),
    ),
    "reads_from_disk_share": (
        "Reads data pages from disk.",
        ("reading from disk", "buf_read", "page read", "reading data", "page_read"),
    ),
    "relay_write_share": (
        "Writes what was received into the relay log.",
        ("queueing source event", "queueing master event", "relay log write"),
    ),
    "waits_for_mutex_share": (
        "Waits for a mutex or latch inside the server.",
        ("mutex", "rwlock", "rw_lock", "latch", "spin", "log_sys", "lock_sys", "trx_sys", "semaphore"),
    ),
    "syncs_share": (
        "Waits for the disk to take data.",
        ("fsync", "fdatasync", "sync_file", "jbd2", "binlog sync", "log_write_up_to", "flushing log", "binlog_sync"),
    ),
}  # fmt: skip


def _register(name: str, meaning: str, words: tuple[str, ...]) -> None:
    def derive(e: MemberFacts) -> float:
        return state_share(e, *words)

    derive.__name__, derive.__doc__ = name, f"{meaning} Share of the sampled threads."
    fact("share")(derive)


for _name, (_meaning, _words) in _WAITS.items():
    _register(_name, _meaning, _words)
