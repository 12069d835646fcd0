"""How fast does a member apply other members' transactions, what limits it, and does that throttle the writers?"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN, Row
from advisor.model.server import APPLYING_ROLES, Family, Role
from advisor.why.facts.table_readings import cell, growth_per_second, readings

# W durable workers apply W^g times what one does while CPUs are left. MySQL 9.7: 295, 931, 2894 per second with 1, 4
# and 16. MariaDB (optimistic) 10.11: with 8 instead of none 1589 instead of 226, and 3619 instead of 306; a single
# applier does not share syncs.
WORKER_GAIN: Final = {Family.MYSQL: 0.82, Family.MARIADB: 1.06}
_STATS: Final = "replication_group_member_stats"
_MAY_APPLY: Final = (*APPLYING_ROLES, Role.NODE)


@fact("per_second")
def applied_per_second(e: MemberFacts) -> Any:
    """Transactions per second that this member applied from others.

    Group: growth of COUNT_TRANSACTIONS_REMOTE_APPLIED in its own row, or its Binlog_cache_use. Galera: growth of
    wsrep_last_committed less what it replicated itself. Replicas: transactions in their own binary log, if they
    log what they apply.
    """
    if e["fact.is_galera_node"]:
        return max(0.0, e["rate.wsrep_last_committed"] - e["rate.wsrep_replicated"])
    if e["fact.is_group_member"] and (grown := _own_stats_growth(e)) is not None:
        return grown
    if e.member.role not in _MAY_APPLY:
        return NOT_HERE
    if not (e["fact.binlog_on"] and e["log_replica_updates"]):
        raise NeedsError(Missing(("replica.Gtid_Executed",)))
    return e["rate.Binlog_commits" if e.release.family is Family.MARIADB else "rate.Binlog_cache_use"]


@fact("transactions")
def applier_queue(e: MemberFacts) -> Any:
    """Transactions waiting on this member to be applied: the largest number of any reading.

    Group: its own row of replication_group_member_stats. Galera: wsrep_local_recv_queue. MySQL 9.7 replicas:
    TRANSACTIONS_PENDING_COUNT of replication_applier_metrics.
    """
    if e["fact.is_galera_node"]:
        return _largest(e, "wsrep_local_recv_queue")
    if e["fact.is_group_member"]:
        column, tables = "count_transactions_remote_in_applier_queue", (_STATS,)
        rows = [row for snapshot in readings(e, tables) for row in _own(e, snapshot.rows)]
    else:
        column, tables = "transactions_pending_count", ("replication_applier_metrics",)
        rows = [row for snapshot in readings(e, tables) for row in snapshot.rows]
    queues = [n for row in rows if (n := cell(row, column)) is not None]
    if not queues:
        raise NeedsError(Missing((f"group.{_STATS}" if tables == (_STATS,) else "replica.Seconds_Behind_Source",)))
    return max(0, int(max(queues)))


@fact("share")
def falls_behind_share(e: MemberFacts) -> Any:
    """Share of what the source commits that this member does not apply in the same time: 1 − applied / arriving.

    0 for a difference within chance: both are counts, with the square root of their number as standard deviation. 0 too
    for a replica that waits because it is told to stay behind.
    """
    if e.get("fact.waits_on_purpose", False) is True:
        return 0.0
    arriving, applied = e["fact.arriving_per_second"], e["fact.applied_per_second"]
    samples = e.member.samples
    seconds = samples[-1].at_seconds - samples[0].at_seconds if len(samples) > 1 else 0.0
    by_chance = _DEVIATIONS * sqrt((arriving + applied) / seconds) if seconds > 0 else 0.0
    return 1 - applied / arriving if arriving - applied > by_chance else 0.0


@fact("share")
def falls_behind_of_slowest_share(e: MemberFacts) -> float:
    """The largest such share of any member: what the writers' cluster does not sustain."""
    shares = [v for peer in e.peers if isinstance(v := peer.get("fact.falls_behind_share", None), int | float)]
    if not shares:
        raise NeedsError(Missing(("rate.Questions",)))
    return float(max(shares))


@fact("per_second")
def arriving_per_second(e: MemberFacts) -> float:
    """Transactions per second that other members commit: from their samples, else the observed throughput."""
    rates = [rate for peer in e.peers if peer is not e and (rate := _committed(peer)) is not None]
    if rates:
        return max(rates)
    return float(e["observed.throughput_per_second"])


@fact("share")
def writers_held_back_share(e: MemberFacts) -> float:
    """The largest share of time for which flow control stopped the writers of any member."""
    known = []
    for peer in e.peers:
        for name in ("fact.flow_control_time_share", "fact.galera_pause_time_share"):
            value = peer.get(name, None)
            if isinstance(value, int | float):
                known.append(float(value))
    if not known:
        raise NeedsError(Missing(("rate.Gr_flow_control_throttle_time_sum",)))
    return max(known)


@fact()
def asks_for_pauses(e: MemberFacts) -> bool:
    """Whether this member is one for which flow control throttles the writers.

    Galera: it sent at least a tenth of all pause requests. Group: its queue was longer than the writer's threshold, or
    the longest of all while writers were throttled.
    """
    if e["fact.is_galera_node"]:
        sent = [n for peer in e.peers if isinstance(n := peer.get("delta.wsrep_flow_control_sent", None), int)]
        own = e["delta.wsrep_flow_control_sent"]
        return bool(own and own >= sum(sent) / 10)
    limit = min(int(p.get("group_replication_flow_control_applier_threshold", 25000)) for p in e.peers)
    queue = e["fact.applier_queue"]
    if e.get("fact.writers_held_back_share", 0) >= _FELT:  # some member exceeded it between two readings
        return bool(queue > limit or (queue > 0 and queue == e["fact.longest_applier_queue"]))
    return bool(queue > limit)


@fact("share")
def applier_sync_share(e: MemberFacts) -> float:
    """Share of the time in which this member's redo log and binary log are written or synced, added up.

    With one worker this is the worker's own time.
    """
    return min(1.0, float(e["fact.redo_busy_share"] + e["fact.binlog_busy_share"]))


@fact()
def commits_durably(e: MemberFacts) -> bool:
    """Whether each commit waits for a sync: of the redo log, or of the binary log if applied changes are logged."""
    return bool(e["fact.syncs_per_applied_transaction"] > 0)


@fact("per_second")
def serial_apply_estimate_per_second(e: MemberFacts) -> Any:
    """What one worker applies: as measured if it always had work, else from its syncs and their time.

    Without syncs one worker was measured to apply 3000 to 5000 small transactions per second on two cores; 5000 is used
    as an upper bound.
    """
    measured = e.get("fact.applied_per_second", None)
    never_idle = e.get("fact.applier_queue", 0) > 0 or e.get("fact.falls_behind_share", 0) >= BEHIND
    if isinstance(measured, int | float) and measured > 0 and e["fact.applier_workers"] <= 1 and never_idle:
        return float(measured)
    ceiling = e.get("fact.serial_apply_ceiling_per_second")
    if ceiling is not UNKNOWN:
        return float(ceiling)
    return _SERIAL_WITHOUT_SYNCS if not e["fact.syncs_per_applied_transaction"] else UNKNOWN


_SERIAL_WITHOUT_SYNCS: Final = 5000.0
_FELT: Final = 0.1  # of the writers' time
_DEVIATIONS: Final = 3.0
BEHIND: Final = 0.1  # the share of what arrives that is not applied in the same time


def _own_stats_growth(e: MemberFacts) -> float | None:
    def applied(row: Row) -> float | None:
        return cell(row, "count_transactions_remote_applied") if row in _own(e, [row]) else None

    try:
        return growth_per_second(e, (_STATS,), applied)
    except NeedsError:
        return None


def _own(e: MemberFacts, rows: Any) -> list[Row]:
    """The rows about this member."""
    uuid = str(e.get("server_uuid", ""))
    named = [row for row in rows if uuid in row.values()] if uuid else []
    return [row for row in named if any(key.lower() == "member_id" and value == uuid for key, value in row.items())]


def _largest(e: MemberFacts, counter: str) -> int:
    values = [n for sample in e.member.samples if isinstance(n := sample.values.get(counter), int)]
    if not values:
        raise NeedsError(Missing((f"status.{counter}",)))
    return max(values)


def _committed(view: MemberFacts) -> float | None:
    """Write transactions per second of a member's own clients; None if unknown or if the member only applies."""
    if view.member.role in APPLYING_ROLES:
        return None
    name = "rate.wsrep_replicated" if view.get("fact.is_galera_node", False) is True else "fact.transactions_per_second"
    value = view.get(name, None)
    return float(value) if isinstance(value, int | float) else None


@fact("per_second")
def serial_apply_ceiling(e: MemberFacts) -> Any:
    """What a single worker can apply here; not applicable with several."""
    return e["fact.serial_apply_estimate_per_second"] if e["fact.applier_workers"] <= 1 else NOT_HERE


@fact("per_second")
def worker_pool_ceiling_per_second(e: MemberFacts) -> Any:
    """What several workers can apply here: one worker's durable rate × W^g (see WORKER_GAIN); not applicable to one."""
    workers = e["fact.applier_workers"]
    if workers <= 1:
        return NOT_HERE
    return e["fact.serial_apply_ceiling_per_second"] * workers ** WORKER_GAIN[e.release.family]


@fact("per_second")
def apply_rate_of_all_workers_per_second(e: MemberFacts) -> Any:
    """What this member would apply if all its workers were busy: rate × workers / busy workers."""
    workers = e["fact.applier_workers"]
    if workers <= 1:
        return NOT_HERE
    busy = workers - min(workers, e["fact.idle_workers"])
    return e["fact.applied_per_second"] * workers / busy if busy > 0 else UNKNOWN


@fact("per_second")
def group_quota_per_second(e: MemberFacts) -> Any:
    """What flow control allows the writers while some member is over its threshold.

    0.9 × what the slowest such member applies (at least the floor) + one commit per client and second; a single option
    file stands for every member. Not applicable if no member causes throttling or flow control is off.
    """
    if not e["fact.flow_control_on"]:
        return NOT_HERE
    asks = [(p, p.get("fact.asks_for_pauses", None)) for p in e.peers]
    over = [p for p, asked in asks if asked is True]
    if not over:  # the queues are not known: any member that applies serially may be over it
        over = [p for p, asked in asks if asked is None and (p.member.role in _MAY_APPLY or len(e.peers) == 1)]
    rates = [p.get("fact.serial_apply_estimate_per_second", None) if p["fact.applier_workers"] <= 1
             else p.get("fact.applied_per_second", None) for p in over]  # fmt: skip
    known = [float(rate) for rate in rates if isinstance(rate, int | float) and rate > 0]
    if not known:
        return NOT_HERE if len(e.peers) > 1 else UNKNOWN
    held = int(e.get("group_replication_flow_control_hold_percent", 10)) / 100
    quota = max(min(known) * (1 - held), e["fact.flow_control_floor_per_second"])
    return quota + e.get("fact.writing_clients", 0)


@fact("transactions")
def longest_applier_queue(e: MemberFacts) -> Any:
    """The longest queue of any applying member at any reading."""
    known = [n for peer in e.peers if isinstance(n := peer.get("fact.applier_queue", None), int)]
    if not known:
        raise NeedsError(Missing((f"group.{_STATS}",)))
    return max(known)


@fact()
def slowest_applier_is_serial(e: MemberFacts) -> bool:
    """Whether some member applies with one worker; a single option file stands for every member."""
    others = [peer for peer in e.peers if peer.member.role in _MAY_APPLY] or [e]
    return any(peer["fact.applier_workers"] <= 1 for peer in others)


@fact("share")
def throughput_by_quota(e: MemberFacts) -> Any:
    """The observed throughput as a share of what flow control allows while such a member is over its threshold."""
    quota = e["fact.group_quota_per_second"]
    writers = [p for p in e.peers if p.member.role not in APPLYING_ROLES] or [e]
    rate = writers[0]["fact.transactions_per_second"]
    return float(rate / quota) if quota else UNKNOWN
