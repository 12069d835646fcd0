"""What does a commit wait for inside the server: syncs, a deliberate delay, compression, a rotation, a journal?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.model.server import APPLYING_ROLES, Family
from advisor.why.facts.sessions import state_share
from advisor.why.facts.table_readings import cell, growth_per_second

_FEW: Final = 8  # clients; measured: with 16 clients a delay still cost a fifth to a half of the rate
_WAITS: Final = ("file_summary_by_event_name", "waits_top", "events_waits_summary_global_by_event_name")


@fact()
def commit_is_durable(e: MemberFacts) -> bool:
    """Whether a commit waits for a sync. InnoDB's own default is to sync the redo log, in every release."""
    redo = e.get("innodb_flush_log_at_trx_commit", 1)
    return redo in (1, 3) or bool(e.get("fact.binlog_in_own_files", False) is True and e.get("sync_binlog", 0))


@fact("share")
def sync_share_of_latency(e: MemberFacts) -> float:
    """Share of a transaction's time that its own syncs take: syncs per commit × observed sync time / its time."""
    return float(e["fact.syncs_per_commit"] * _sync_ms(e) / e["fact.client_ms"])


@fact()
def throughput_by_sync_rate(e: MemberFacts) -> float:
    """Throughput × time of one sync: near 1 means one transaction per sync."""
    return float(e["fact.observed_or_measured_per_second"] * _sync_ms(e) / 1000)


def _sync_ms(e: MemberFacts) -> float:
    sync_ms = e.get("host.fsync_ms", None)
    if not isinstance(sync_ms, int | float):
        raise NeedsError(Missing(("observed.fsync_ms",)))
    return sync_ms


@fact()
def group_commits_synced(e: MemberFacts) -> bool:
    """Whether this release shares one sync of the binary log among several commits: MySQL 5.6+, MariaDB 5.3+."""
    since = (5, 3, 0) if e.release.family is Family.MARIADB else (5, 6, 0)
    return e.release.version >= since


@fact("us")
def commit_delay_us(e: MemberFacts) -> Any:
    """Microseconds that a commit group waits deliberately: binlog_group_commit_sync_delay, or MariaDB's
    binlog_commit_wait_usec.

    MariaDB waits only if binlog_commit_wait_count is above 0. MySQL waits at every group if sync_binlog is 0 or 1, and
    at one group in N if it is N (manual; measured on 9.7), so the mean wait is that much shorter.
    """
    if e.release.family is Family.MARIADB:
        return e["binlog_commit_wait_usec"] if e["binlog_commit_wait_count"] else 0
    return e["binlog_group_commit_sync_delay"] / max(1, e.get("sync_binlog", 1))


@fact()
def few_to_wait_for(e: MemberFacts) -> bool:
    """Whether few transactions commit at the same time: on a member that applies, or with at most 8 clients."""
    if e.member.role in APPLYING_ROLES:
        return True
    return bool(e["fact.writing_clients"] <= _FEW)


@fact("share")
def commit_delay_share(e: MemberFacts) -> Any:
    """The deliberate wait as a share of a client's time for one transaction."""
    client_ms = e["fact.client_ms"]
    return min(1.0, e["fact.commit_delay_us"] / 1000 / client_ms) if client_ms else UNKNOWN


@fact()
def binlog_is_compressed(e: MemberFacts) -> bool:
    """Whether transactions are compressed for the binary log."""
    name = "log_bin_compress" if e.release.family is Family.MARIADB else "binlog_transaction_compression"
    return bool(e.get(name, False))


@fact("share")
def binlog_cache_spills(e: MemberFacts) -> float:
    """Share of the transactions that did not fit into binlog_cache_size."""
    return float(e["delta.Binlog_cache_disk_use"] / max(1, e["delta.Binlog_cache_use"]))


@fact()
def dips_with_rotation(e: MemberFacts) -> bool:
    """Whether the time between dips is, within a fifth, the time it takes to fill one binary log file."""
    lasts = e["max_binlog_size"] / e["rate.Binlog_bytes_written"] if e["rate.Binlog_bytes_written"] else 0.0
    return bool(abs(e["observed.dips_every_seconds"] - lasts) <= lasts / 5)


@fact()
def throughput_is_alive(e: MemberFacts) -> bool:
    """Whether transactions are being committed."""
    return bool(e["fact.observed_or_measured_per_second"] > 1)


@fact("share")
def journal_share(e: MemberFacts) -> float:
    """How busy the journal thread of the file system (jbd2) is, as sampled or observed."""
    return state_share(e, "jbd2", "journal")


@fact("share")
def waits_for_fulltext_share(e: MemberFacts) -> float:
    """Share of the sampled threads that work on the full-text index."""
    return state_share(e, "fts_", "fulltext", "full-text")


@fact("share")
def doublewrite_busy_share(e: MemberFacts) -> float:
    """Share of the time in which the doublewrite files are written or synced: file waits of the Performance Schema."""

    def waited(row: Any) -> float | None:
        named = str(next((v for k, v in row.items() if k.lower() == "event_name"), ""))
        return cell(row, "sum_timer_wait") if "dblwr" in named else None

    return min(1.0, growth_per_second(e, _WAITS, waited) / 1e12)
