"""What else can a commit wait for: a deliberate delay, compression, a long timeout, a rotation, a journal?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.model.server import APPLYING_ROLES, Family
from advisor.why.facts.sessions import state_share
from advisor.why.facts.table_readings import cell, growth_per_second

_FEW: Final = 8  # clients; measured: with 16 clients a delay still cost a fifth to a half of the rate
_PRACTICALLY_FOREVER_MS: Final = 3_600_000
_OVERFLOW: Final = 2**31 / 1000  # milliseconds that are 2^31 microseconds
_WAITS: Final = ("file_summary_by_event_name", "waits_top", "events_waits_summary_global_by_event_name")


@fact("us")
def commit_delay_us(e: MemberFacts) -> Any:
    """Microseconds that a commit group waits deliberately: binlog_group_commit_sync_delay, or MariaDB's
    binlog_commit_wait_usec.

    MariaDB waits only if binlog_commit_wait_count is above 0.
    """
    if e.release.family is Family.MARIADB:
        return e["binlog_commit_wait_usec"] if e["binlog_commit_wait_count"] else 0
    return e["binlog_group_commit_sync_delay"]


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
def semisync_waits_forever(e: MemberFacts) -> bool:
    """Whether a commit waits an hour or more for an acknowledgement before it continues without one."""
    return bool(e["rpl_semi_sync_source_timeout"] >= _PRACTICALLY_FOREVER_MS)


@fact()
def rpl_semi_sync_timeout_overflows(e: MemberFacts) -> bool:
    """Whether the timeout (milliseconds) is above 2^31 microseconds in a release before 5.7."""
    return bool(e.release.version < (5, 7, 0) and e["rpl_semi_sync_source_timeout"] >= _OVERFLOW)


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
def waits_for_semisync_mutex_share(e: MemberFacts) -> float:
    """Share of the sampled threads that wait for a lock of the semi-synchronous plugin, by names in their stacks."""
    return state_share(e, "lock_binlog_", "semisync::lock", "replsemisync")


@fact("share")
def doublewrite_busy_share(e: MemberFacts) -> float:
    """Share of the time in which the doublewrite files are written or synced: file waits of the Performance Schema."""

    def waited(row: Any) -> float | None:
        named = str(next((v for k, v in row.items() if k.lower() == "event_name"), ""))
        return cell(row, "sum_timer_wait") if "dblwr" in named else None

    return min(1.0, growth_per_second(e, _WAITS, waited) / 1e12)


@fact("ms")
def consensus_ms(e: MemberFacts) -> Any:
    """Mean time of one consensus round of the group: Δ Gr_all_consensus_time_sum (microseconds) / Δ count."""
    count = e["delta.Gr_all_consensus_proposals_count"]
    return e["delta.Gr_all_consensus_time_sum"] / count / 1000 if count else NOT_HERE


@fact("transactions")
def certifier_queue(e: MemberFacts) -> int:
    """Transactions waiting to be certified: the maximum over the rows of replication_group_member_stats."""
    rows = e.rows("replication_group_member_stats")
    queues = [n for row in rows if (n := cell(row, "count_transactions_in_queue")) is not None]
    if not queues:
        raise NeedsError(Missing(("group.replication_group_member_stats",)))
    return int(max(queues))
