"""What did the writing sessions' time go into? One fact per line of the time breakdown, a share of clients × interval.

Each fact names its counters. Shares of the clients' time add up; the busy time of a device or a log is that of one
leader at a time and is kept separate (`*_busy_share`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.diagnosis import Side
from advisor.model.evidence import Row
from advisor.model.record import record
from advisor.model.server import Family
from advisor.why.facts.table_readings import cell, growth_per_second

_PICOSECONDS: Final = 1e12
_COUNTED: Final = 0.5
_MICROSECONDS: Final = 1e6
_LOG, _BINLOG = "wait/io/file/innodb/innodb_log_file", "wait/io/file/sql/binlog"


@record
class BreakdownLine:
    """A line of the time breakdown: what the time went into, whose time it is, and the fact with the share."""

    what: str
    side: Side
    fact: str


BREAKDOWN_LINES: list[BreakdownLine] = []


def breakdown_line(what: str, side: Side = Side.CLIENT) -> Callable[[Any], Any]:
    """Register a fact that is also a line of the time breakdown."""

    def register(derive: Any) -> Any:
        BREAKDOWN_LINES.append(BreakdownLine(what, side, derive.__name__))
        return fact("share")(derive)

    return register


@breakdown_line("flow control of the group")
def flow_control_time_share(e: MemberFacts) -> float | object:
    """Δ Gr_flow_control_throttle_time_sum (microseconds) / (clients × time); not applicable outside a group."""
    if not e["fact.is_group_member"]:
        return NOT_HERE
    return _share(e, e["rate.Gr_flow_control_throttle_time_sum"] / _MICROSECONDS)


@breakdown_line("group consensus (message round trips)")
def consensus_time_share(e: MemberFacts) -> float | object:
    """Δ Gr_data_messages_sent_roundtrip_time_sum (microseconds) / (clients × time): sent until delivered to itself."""
    if not e["fact.is_group_member"]:
        return NOT_HERE
    return _share(e, e["rate.Gr_data_messages_sent_roundtrip_time_sum"] / _MICROSECONDS)


@breakdown_line("flow control of the cluster")
def galera_pause_time_share(e: MemberFacts) -> float | object:
    """Δ wsrep_flow_control_paused_ns / time: while replication is paused, no commit proceeds."""
    if not e["fact.is_galera_node"]:
        return NOT_HERE
    return min(1.0, float(e["rate.wsrep_flow_control_paused_ns"] / 1e9))


@breakdown_line("replication of write sets")
def galera_replication_time_share(e: MemberFacts) -> float | object:
    """The share of the sampled clients that were in it, less the pauses; else from wsrep_evs_repl_latency.

    The latter is a mean over the last minute (evs.stats_report_period), part of which may precede the load, so it is
    used only without process lists: write sets sent per second × time until all nodes have one / clients.
    """
    if not e["fact.is_galera_node"]:
        return NOT_HERE
    seen = e.get("fact.clients_in_certification_share", None)
    if isinstance(seen, int | float) and seen > 0:
        return max(0.0, float(seen) - float(e.get("fact.galera_pause_time_share", 0)))
    sent = e["rate.wsrep_replicated"]
    return _share(e, sent * e["fact.galera_message_ms"] / 1000) if sent else 0.0


@breakdown_line("replica acknowledgements")
def ack_time_share(e: MemberFacts) -> float | object:
    """Waits for semi-synchronous acknowledgements; under MySQL's AFTER_SYNC a whole commit group waits."""
    if not e["fact.commits_wait_for_acks"]:
        return NOT_HERE
    share = e["rate.Rpl_semi_sync_source_tx_wait_time"] / _MICROSECONDS
    grouped = str(e.get("rpl_semi_sync_source_wait_point", "")).upper() == "AFTER_SYNC"
    if grouped and e.release.family is Family.MYSQL:
        share = max(share, e["fact.ack_wait_ms"] / 1000 * e.get("fact.transactions_per_second", 0))
    return _share(e, share)


@breakdown_line("row locks held by others")
def lock_time_share(e: MemberFacts) -> float:
    """Δ Innodb_row_lock_time (milliseconds) / (clients × time)."""
    return _share(e, e["rate.Innodb_row_lock_time"] / 1000)


@breakdown_line("syncs of redo log and binary log")
def sync_time_share(e: MemberFacts) -> float:
    """Each transaction waits for the syncs of its own group: busy share of both logs × transactions per sync / clients.

    The wait for the preceding group is not counted, so this is a lower bound.
    """
    busy = e["fact.redo_busy_share"] + e["fact.binlog_busy_share"]
    return _share(e, busy * max(1.0, e.get("fact.transactions_per_sync", 1.0)))


@breakdown_line("CPU: running or waiting for a CPU")
def cpu_time_share(e: MemberFacts) -> float:
    """Threads of clients that ran on a CPU or waited for one (Linux: schedstat) / clients, on average."""
    return _share(e, e["host.threads_running"] + e["host.threads_starved"])


@breakdown_line("group consistency levels")
def consistency_time_share(e: MemberFacts) -> float | object:
    """Waits of group_replication_consistency BEFORE and AFTER: Δ Gr_transactions_consistency_*_time_sum."""
    if not e["fact.is_group_member"]:
        return NOT_HERE
    kinds = ("before_begin", "after_termination")
    waited = sum(e.get(f"rate.Gr_transactions_consistency_{kind}_time_sum", 0) for kind in kinds)
    return _share(e, waited / _MICROSECONDS)


@breakdown_line("clients between statements")
def idle_time_share(e: MemberFacts) -> float:
    """Time of the sessions outside statements: 1 − Δ time of all statements / (clients × time).

    Where statements are not timed, the share of the sampled sessions that were between two statements.
    """
    if not isinstance(e.get("fact.statement_seconds_per_second", None), int | float):
        return float(e["fact.sampled_idle_share"])
    clients = e["fact.writing_clients"]
    return max(0.0, 1.0 - float(e["fact.statement_seconds_per_second"] / clients)) if clients else 0.0


@breakdown_line("redo log, written or synced", Side.DEVICE)
def redo_busy_share(e: MemberFacts) -> float:
    """Share of the time in which some session writes or syncs the redo log: file waits of the Performance Schema."""
    return _busy(e, _LOG)


@breakdown_line("binary log, written or synced", Side.DEVICE)
def binlog_busy_share(e: MemberFacts) -> float:
    """Share of the time in which some session writes or syncs the binary log: file waits of the Performance Schema."""
    return _busy(e, _BINLOG)


@breakdown_line("CPUs of the machine", Side.DEVICE)
def cpu_busy_share(e: MemberFacts) -> float:
    """Share of all CPUs in use, as measured on the host."""
    return float(e["host.cpu_util"])


@fact("sessions")
def statement_seconds_per_second(e: MemberFacts) -> float:
    """Sessions inside a statement on average: Δ sum_timer_wait of all statement digests (picoseconds) / time.

    Unknown where fewer statements than transactions are counted: MariaDB leaves out prepared statements.
    """
    counted = growth_per_second(e, _STATEMENTS, lambda row: cell(row, "count_star"))
    if counted < _COUNTED * e["fact.transactions_per_second"]:
        raise NeedsError(Missing(("stmts_top",)))
    return growth_per_second(e, _STATEMENTS, _statement_time) / _PICOSECONDS


_STATEMENTS: Final = (
    "stmts_top",
    "events_statements_summary_by_digest",
    "events_statements_summary_global_by_event_name",
)


def _statement_time(row: Row) -> float | None:
    return cell(row, "sum_timer_wait")


def _share(e: MemberFacts, sessions: float) -> float:
    """Sessions' time per second as a share of the clients' time; at most 1, because their number is a mean."""
    clients = e["fact.writing_clients"]
    return min(1.0, float(sessions / clients)) if clients else 0.0


def _busy(e: MemberFacts, event: str) -> float:
    def waited(row: Row) -> float | None:
        if _text(row, "event_name") != event:
            return None
        syncs = cell(row, "sum_timer_misc")
        return syncs if syncs is not None else cell(row, "sum_timer_wait")

    tables = ("file_summary_by_event_name", "waits_top", "events_waits_summary_global_by_event_name")
    return min(1.0, growth_per_second(e, tables, waited) / _PICOSECONDS)


def _text(row: Mapping[str, Any], name: str) -> str:
    return str(next((value for key, value in row.items() if key.lower() == name), ""))
