"""How near is the server to the limits of its disk, network, logs and memory?"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN, Row
from advisor.why.facts.table_readings import cell, growth_per_second

_SPINNING: Final = ("sata", "hdd", "rpm", "spinning", "rotational", "hard disk", "sas disk", "7200", "5400")
_SOLID: Final = ("ssd", "nvme", "flash", "optane")

_MIB: Final = 1 << 20
_POOL_STEP: Final = 4


@fact("per_second")
def observed_or_measured_per_second(e: MemberFacts) -> float:
    """Write transactions per second: measured, else as observed."""
    if e["fact.is_galera_node"] and (sent := e.get("rate.wsrep_replicated", None)):
        return float(sent)
    return float(e["fact.transactions_per_second"])


@fact("ms")
def client_ms(e: MemberFacts) -> Any:
    """Mean time of a transaction as a client sees it, pauses included: clients / throughput (Little's law)."""
    rate = e["fact.observed_or_measured_per_second"]
    clients = e["fact.writing_clients"]
    return clients / rate * 1000 if rate and clients else UNKNOWN


@fact("share")
def round_trip_share_of_latency(e: MemberFacts) -> float:
    """Share of a transaction's time that one network round trip takes: observed rtt_ms / time of one transaction."""
    rtt_ms = e.get("host.rtt_ms", None)
    if not isinstance(rtt_ms, int | float):
        raise NeedsError(Missing(("observed.rtt_ms",)))
    return float(rtt_ms / e["fact.client_ms"])


@fact()
def on_spinning_disks(e: MemberFacts) -> Any:
    """Whether the storage is described as rotating disks."""
    storage = str(e["host.storage"]).lower()
    if any(word in storage for word in _SOLID):
        return False
    return True if any(word in storage for word in _SPINNING) else UNKNOWN


@fact("page reads")
def pool_reads_per_transaction(e: MemberFacts) -> float:
    """Pages read from disk because they were not in the buffer pool, per write transaction."""
    return float(e["rate.Innodb_buffer_pool_reads"] / max(1.0, e["fact.observed_or_measured_per_second"]))


@fact("bytes")
def buffer_pool_step_bytes(e: MemberFacts) -> Any:
    """The next buffer pool size to try: four times the present one, but at most that plus half of the free memory.

    Not applicable where that is less than a quarter more.
    """
    now = e["innodb_buffer_pool_size"]
    larger = min(_POOL_STEP * now, now + e["host.memory_available_bytes"] // 2) // _MIB * _MIB
    return int(larger) if larger >= now * 5 / 4 else NOT_HERE


@fact("share")
def sync_flush_share(e: MemberFacts) -> float:
    """Share of the pages flushed because the redo log was nearly full: buffer_flush_sync_total_pages."""
    return float(
        _metric_growth(e, "buffer_flush_sync_total_pages") / max(1.0, e["rate.Innodb_buffer_pool_pages_flushed"])
    )


@fact("share")
def dirty_page_share(e: MemberFacts) -> float:
    """Share of the buffer pool's pages that are dirty."""
    return float(e["status.Innodb_buffer_pool_pages_dirty"] / max(1, e["status.Innodb_buffer_pool_pages_total"]))


@fact()
def flushing_at_io_capacity(e: MemberFacts) -> float:
    """Pages flushed per second / innodb_io_capacity; near 1 means that the setting limits flushing."""
    return float(e["rate.Innodb_buffer_pool_pages_flushed"] / max(1, e["innodb_io_capacity"]))


@fact()
def row_lock_waits_per_transaction(e: MemberFacts) -> float:
    """Waits for a row lock per write transaction."""
    return float(e["rate.Innodb_row_lock_waits"] / max(1.0, e["fact.observed_or_measured_per_second"]))


@fact("share")
def link_share(e: MemberFacts) -> Any:
    """Share of the network link that replication fills: what is sent to members, else the binary log."""
    link = e["host.link_mbit"] * 1e6
    if e["fact.is_group_member"]:
        sent = e["rate.Gr_consensus_bytes_sent_sum"]
    elif e["fact.is_galera_node"]:
        sent = e["rate.wsrep_replicated_bytes"] * max(1, e["fact.galera_nodes"] - 1)
    else:
        sent = e["rate.Binlog_bytes_written"]
    return float(sent * 8 / link) if link else UNKNOWN


@fact("per_second")
def table_opens_per_second(e: MemberFacts) -> float:
    """Tables opened per second."""
    return float(e["rate.Opened_tables"])


@fact()
def table_opens_per_open_table(e: MemberFacts) -> float:
    """How often each open table was opened since the server started; 1 is the minimum."""
    return float(e["status.Opened_tables"] / max(1, e["status.Open_tables"]))


def _metric_growth(e: MemberFacts, name: str) -> float:
    def count(row: Row) -> float | None:
        named = next((value for key, value in row.items() if key.lower() == "name"), "")
        return cell(row, "count") if named == name else None

    tables = [t.table for t in e.member.tables if t.table.startswith("innodb_metrics")] or ["innodb_metrics"]
    return growth_per_second(e, tables[:1], count)
