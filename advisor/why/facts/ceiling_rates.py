"""Which rate would each resource permit? The facts that ceilings and predictions are computed from."""

from __future__ import annotations

from typing import Any, Final

from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN
from advisor.why.facts.cpus import PAGE_MS, SYNC_MS, rate_with
from advisor.why.queueing import Work, throughput


@fact("per_second")
def permitted_by_syncs_per_second(e: MemberFacts) -> Any:
    """Transactions per sync × syncs per second when the logs are never idle.

    Measured: throughput / (busy share of redo log + busy share of binary log), the rate if the two never overlap.
    Otherwise from the observed time of a sync: transactions per sync / (syncs per commit × time).
    """
    if not e["fact.commit_is_durable"]:
        return NOT_HERE
    busy = [e.get(f"fact.{log}_busy_share", None) for log in ("redo", "binlog")]
    known = [float(share) for share in busy if isinstance(share, int | float)]
    if len(known) == len(busy) and sum(known) > 0:
        return e["fact.observed_or_measured_per_second"] / sum(known)
    needed = e["fact.syncs_per_commit"] * e["host.fsync_ms"]
    return e["fact.transactions_per_sync"] * 1000 / needed if needed else NOT_HERE


@fact("per_second")
def permitted_by_clients_per_second(e: MemberFacts) -> Any:
    """Throughput / share of the clients' time inside statements: their rate without pauses between statements."""
    inside = e["fact.statement_seconds_per_second"]
    return e["fact.observed_or_measured_per_second"] * e["fact.writing_clients"] / inside if inside else UNKNOWN


@fact("per_second")
def permitted_by_consensus_per_second(e: MemberFacts) -> Any:
    """Clients / time of a message through the group: their rate if nothing else took time."""
    if not e["fact.is_group_member"]:
        return NOT_HERE
    count = e["delta.Gr_data_messages_sent_count"]
    message_seconds = e["delta.Gr_data_messages_sent_roundtrip_time_sum"] / count / 1e6 if count else 0.0
    return e["fact.writing_clients"] / message_seconds if message_seconds else UNKNOWN


@fact("per_second")
def permitted_by_write_sets_per_second(e: MemberFacts) -> Any:
    """Clients / time of a write set to all nodes."""
    if not e["fact.is_galera_node"]:
        return NOT_HERE
    message_ms = e["fact.galera_message_ms"]
    return e["fact.writing_clients"] * 1000 / message_ms if message_ms else UNKNOWN


@fact("per_second")
def permitted_by_acks_per_second(e: MemberFacts) -> Any:
    """Throughput / share of the time in which some commit group waits for an acknowledgement."""
    if not e["fact.commits_wait_for_acks"]:
        return NOT_HERE
    waiting = e["rate.Rpl_semi_sync_source_tx_wait_time"] / 1e6
    sessions = max(1.0, waiting)  # MariaDB counts every transaction's wait, and several wait at once
    return e["fact.observed_or_measured_per_second"] / waiting * sessions if waiting else UNKNOWN


@fact("per_second")
def permitted_by_link_per_second(e: MemberFacts) -> Any:
    """Throughput / share of the link in use."""
    used = e["fact.link_share"]
    return e["fact.observed_or_measured_per_second"] / used if used else UNKNOWN


@fact("per_second")
def permitted_by_round_trip_per_second(e: MemberFacts) -> float:
    """Clients / observed round trip: no commit that needs an answer from another server is quicker."""
    return float(e["fact.writing_clients"] * 1000 / e["host.rtt_ms"])


@fact("per_second")
def throughput_without_other_waits_per_second(e: MemberFacts) -> float:
    """These clients with their CPU time, row locks and syncs, without any other wait inside statements."""
    return rate_with(e, ("lock_time_share", "sync_time_share"), ("idle_time_share",))


@fact("per_second")
def throughput_unthrottled_per_second(e: MemberFacts) -> Any:
    """These clients with their CPU time, row locks, syncs and group consensus, without flow control."""
    if (rest := _all_but(e, "flow_control_time_share")) is not None:
        return rest
    return rate_with(e, ("lock_time_share", "sync_time_share"), ("idle_time_share", "consensus_time_share"))


@fact("per_second")
def throughput_without_syncs_per_second(e: MemberFacts) -> Any:
    """These clients with their CPU time, row locks and group consensus, without waiting for any log sync."""
    if e["fact.commit_is_durable"] is False:
        return NOT_HERE
    if (rest := _all_but(e, "sync_time_share")) is not None:
        return rest
    groups = e["fact.observed_or_measured_per_second"] / max(1.0, e.get("fact.transactions_per_sync", 1.0))
    saved = e["fact.syncs_per_commit"] * groups * SYNC_MS / 1000
    return rate_with(e, ("lock_time_share",), ("idle_time_share", "consensus_time_share"), saved=saved)


@fact("per_second")
def throughput_without_delay_per_second(e: MemberFacts) -> Any:
    """These clients with their CPU time, row locks and syncs, without a deliberate delay at commit."""
    if (rest := _all_but(e, "commit_delay_share")) is not None:
        return rest
    return e["fact.throughput_without_other_waits_per_second"]


@fact("per_second")
def throughput_without_acks_per_second(e: MemberFacts) -> Any:
    """These clients with their CPU time, row locks and syncs, without waits for acknowledgements."""
    if (rest := _all_but(e, "ack_time_share")) is not None:
        return rest
    return e["fact.throughput_without_other_waits_per_second"]


def _all_but(e: MemberFacts, wait: str) -> Any:
    """Throughput / (1 − share of a wait) where CPU time is not measured; None where it is.

    UNKNOWN where the wait takes nearly all of the time: the rest is then within its error.
    """
    if isinstance(e.get("host.threads_running", None), int | float):
        return None
    rest = 1 - e[f"fact.{wait}"]
    return e["fact.observed_or_measured_per_second"] / rest if rest >= _LEAST_REST else UNKNOWN


@fact("per_second")
def galera_rate_without_pauses_per_second(e: MemberFacts) -> Any:
    """The writer's clients with their CPU time, row locks and the sending of write sets, without any pause.

    Where CPU time is not measured: rate / (1 − share paused).
    """
    writer = max(e.peers, key=lambda peer: float(peer.get("rate.wsrep_replicated", 0)))
    if isinstance(writer.get("host.threads_running", None), int | float):
        sending = writer.get("fact.galera_message_ms", 0) / writer["fact.client_ms"]
        return rate_with(writer, ("lock_time_share",), ("idle_time_share",), sending)
    paused = e["fact.galera_paused_share"]
    rate = writer["rate.wsrep_replicated"]
    return rate / (1 - paused) if rate and paused < 1 else UNKNOWN


@fact("per_second")
def throughput_with_twice_the_clients_per_second(e: MemberFacts) -> Any:
    """Twice as many clients, each with the same CPU time and other waits as now, as far as the CPUs suffice."""
    others = 1.0 - min(1.0, float(e["host.threads_running"] / e["fact.writing_clients"]))
    client_ms = e["fact.client_ms"]
    work = Work(
        cpu_ms=e["fact.processor_ms_per_transaction"],
        session_ms=e["fact.session_ms_per_transaction"],
        waits_ms=others * client_ms,
        coldest=e["fact.cold_processors_factor"],
    )
    return throughput(2 * e["fact.writing_clients"], e["fact.processors_to_be_had"], work)


@fact("per_second")
def throughput_from_memory_per_second(e: MemberFacts) -> float:
    """These clients with their CPU time, row locks and syncs, with every page in memory."""
    pages = e["rate.Innodb_buffer_pool_reads"] + e["rate.Innodb_buffer_pool_pages_flushed"]
    saved = pages * PAGE_MS[e.release.family] / 1000
    return rate_with(e, ("lock_time_share", "sync_time_share"), ("idle_time_share",), saved=saved)


@fact("per_second")
def throughput_with_room_in_the_redo_log_per_second(e: MemberFacts) -> Any:
    """These clients with their CPU time, row locks and syncs, without flushing pages to free space in the log.

    The log itself still takes the same time per transaction. UNKNOWN where that alone keeps its device busy most of the
    time: predictions were then off by a factor of 1.2 to 2.7 either way (3 measured).
    """
    pages = e["rate.Innodb_buffer_pool_pages_flushed"]
    saved = pages * PAGE_MS[e.release.family] / 1000
    with_room = rate_with(e, ("lock_time_share", "sync_time_share"), ("idle_time_share",), saved=saved)
    busy = e.get("fact.redo_busy_share", None)
    if not isinstance(busy, int | float) or not busy:
        return with_room
    return min(with_room, e["fact.observed_or_measured_per_second"] / busy) if busy < _MOST_BUSY else UNKNOWN


@fact("per_second")
def throughput_in_tens_per_second(e: MemberFacts) -> Any:
    """Today's transactions if ten were put into one: ten times the CPU time, all other waits of statements once."""
    if e["fact.rows_per_transaction"] > _FEW_ROWS:
        return NOT_HERE
    client_ms, cold = e["fact.client_ms"], e["fact.cold_processors_factor"]
    working = min(1.0, e["host.threads_running"] / e["fact.writing_clients"])
    between = min(1.0 - working, float(e["fact.idle_time_share"]))
    work = Work(
        cpu_ms=_TEN * e["fact.processor_ms_per_transaction"],
        session_ms=_TEN * e["fact.session_ms_per_transaction"],
        waits_ms=(1.0 - working - between) * client_ms,
        unsteady_ms=_TEN * between * client_ms / cold,
        coldest=cold,
    )
    return _TEN * throughput(e["fact.writing_clients"], e["fact.processors_to_be_had"], work)


_LEAST_REST: Final = 0.3
_MOST_BUSY: Final = 0.5
_TEN: Final = 10
_FEW_ROWS: Final = 2
