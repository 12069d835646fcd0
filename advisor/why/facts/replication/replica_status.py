"""What do SHOW REPLICA STATUS, the member states of a group and the metrics of the applier show?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member.spellings import replica_column
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row, Scalar
from advisor.model.server import Family

_STOPPED: Final = frozenset({"no", "off", "0", "false"})
_LARGE_BYTES: Final = 100_000_000
_LARGE_ROWS: Final = 100_000
_JUMP_SECONDS: Final = 60
_READINGS: Final = 5
_MOSTLY: Final = 0.5
_ROWS: Final = ("Innodb_rows_inserted", "Innodb_rows_updated", "Innodb_rows_deleted")
_WAITS: Final = {
    "available_worker": "WAITS_FOR_AVAILABLE_WORKER_SUM_TIME",
    "dependency": "WAITS_COMMIT_SCHEDULE_DEPENDENCY_SUM_TIME",
    "commit_order": "WAITS_DUE_TO_COMMIT_ORDER_SUM_TIME",
    "work": "WAITS_FOR_WORK_FROM_SOURCE_SUM_TIME",
}


@fact()
def applier_is_stopped(e: MemberFacts) -> bool:
    """Whether the applier of the first channel is not running."""
    return str(e["replica.Replica_SQL_Running"]).lower() in _STOPPED


@fact()
def receiver_is_stopped(e: MemberFacts) -> bool:
    """Whether the receiver of the first channel is not running, or is still connecting."""
    return str(e["replica.Replica_IO_Running"]).lower() in (*_STOPPED, "connecting")


@fact()
def no_receiver_runs(e: MemberFacts) -> bool:
    """Whether the receiver of every replica whose status is known is stopped, so that none can acknowledge."""
    known = [stopped for p in e.peers if isinstance(stopped := p.get("fact.receiver_is_stopped", None), bool)]
    if not known:
        raise NeedsError(Missing(("replica.Replica_IO_Running",)))
    return all(known)


@fact("s")
def replica_is_behind_seconds(e: MemberFacts) -> Any:
    """How far behind the replica reports to be, or is observed to be."""
    reported = e.get("fact.replica_lag_seconds")
    return reported if isinstance(reported, int | float) else e["observed.lag_seconds"]


@fact()
def lag_jumps(e: MemberFacts) -> bool:
    """Whether the lag was 0 at one reading and over a minute at another: single events are late, not all."""
    values = [v for v in _column(e, "Seconds_Behind_Source") if isinstance(v, int | float)]
    low, high = e.get("observed.lag_seconds.min", None), e.get("observed.lag_seconds.max", None)
    values += [v for v in (low, high) if isinstance(v, int | float)]
    if len(values) < 2:
        raise NeedsError(Missing(("replica.Seconds_Behind_Source",)))
    return min(values) == 0 and max(values) >= _JUMP_SECONDS


@fact("s")
def source_delay_seconds(e: MemberFacts) -> float:
    """How far behind its source the replica is told to stay (SQL_Delay)."""
    return float(e["replica.SQL_Delay"])


@fact()
def waits_on_purpose(e: MemberFacts) -> bool:
    """Whether the applier waits because the replica is told to stay behind, not because it has too much to do."""
    if not e.get("fact.source_delay_seconds", 0):
        return False
    waits = [e.get(f"fact.{group}_source_delay_share", None) for group in ("coordinator", "appliers")]
    known = [share for share in waits if isinstance(share, int | float)]
    return max(known) >= _MOSTLY if known else True


@fact()
def applied_stands_still(e: MemberFacts) -> bool:
    """Whether the set of executed transactions stayed the same between readings while more were received."""
    if e.get("fact.waits_on_purpose", False) is True:
        return False
    executed, received = list(_column(e, "Executed_Gtid_Set")), list(_column(e, "Retrieved_Gtid_Set"))
    if len(executed) < 2 or len(received) < 2:
        position = list(_column(e, "Exec_Source_Log_Pos")), list(_column(e, "Read_Source_Log_Pos"))
        if min(map(len, position)) < 2:
            raise NeedsError(Missing(("replica.Executed_Gtid_Set",)))
        executed, received = position
    return executed[0] == executed[-1] and received[0] != received[-1]


@fact()
def large_transaction_seen(e: MemberFacts) -> bool:
    """Whether a transaction of 100 MB or 100000 rows was observed or is being applied."""
    rows = e.get("observed.rows_per_transaction", None)
    if isinstance(rows, int | float) and rows >= _LARGE_ROWS:
        return True
    observed = e.get("observed.transaction_bytes", None)
    sizes = [row.get("ONGOING_TRANSACTION_FULL_SIZE_BYTES") for row in e.rows("replication_applier_progress_by_worker")]
    known = [size for size in (observed, *sizes) if isinstance(size, int | float)]
    if not known:
        raise NeedsError(Missing(("observed.transaction_bytes",)))
    return max(known) >= _LARGE_BYTES


@fact("rows")
def rows_changed_at_once(e: MemberFacts) -> int:
    """The most rows changed between two readings with at most a quarter of the usual number of transactions.

    These changes belong to few transactions, most of them to one; 0 if commits are evenly spread.
    """
    commits = "Binlog_commits" if e.release.family is Family.MARIADB else "Binlog_cache_use"
    counters = [list(_counted(e, name)) for name in (commits, *_ROWS)]
    if min(map(len, counters)) < max(_READINGS, len(e.member.samples)):
        raise NeedsError(Missing((f"rate.{commits}",)))
    readings = list(zip(*counters, strict=True))
    steps = [[now - was for was, now in zip(earlier, later, strict=True)] for earlier, later in pairwise(readings)]
    usual = sum(step[0] for step in steps) / len(steps)
    return int(max((sum(step[1:]) for step in steps if step[0] <= usual / 4), default=0))


def _counted(e: MemberFacts, name: str) -> Iterator[float]:
    """A counter at each reading; samples between the first and the last omit counters that did not change."""
    known: float | None = None
    for sample in e.member.samples:
        value = sample.values.get(name)
        known = float(value) if isinstance(value, int | float) else known
        if known is not None:
            yield known


@fact()
def member_states(e: MemberFacts) -> frozenset[str]:
    """Every state in which any member sees any other ("online", "unreachable", "recovering")."""
    rows = [row for peer in e.peers for row in peer.rows("replication_group_members")]
    if not rows:
        raise NeedsError(Missing(("group.replication_group_members",)))
    return frozenset(str(value).lower() for row in rows for key, value in row.items() if key.lower() == "member_state")


@fact()
def member_unreachable(e: MemberFacts) -> bool:
    """Whether some member sees another as UNREACHABLE."""
    return "unreachable" in e["fact.member_states"]


@fact()
def member_recovering(e: MemberFacts) -> bool:
    """Whether a member is RECOVERING."""
    return "recovering" in e["fact.member_states"]


@fact("share")
def waits_for_worker_share(e: MemberFacts) -> Any:
    """Share of the coordinator's time in which all workers were busy (MySQL 9.7: replication_applier_metrics)."""
    return _wait_share(e, "available_worker")


@fact("share")
def schedule_dependency_share(e: MemberFacts) -> Any:
    """Share of the coordinator's time in which the next transaction waited for one it depends on (MySQL 9.7)."""
    return _wait_share(e, "dependency")


@fact("share")
def commit_order_wait_share(e: MemberFacts) -> Any:
    """Share of the workers' time spent waiting for their turn to commit (MySQL 9.7)."""
    return min(1.0, _wait_share(e, "commit_order") / max(1, e["fact.applier_workers"]))


@fact("share")
def waits_for_source_share(e: MemberFacts) -> Any:
    """Share of the coordinator's time in which nothing had arrived (MySQL 9.7)."""
    return _wait_share(e, "work")


def _wait_share(e: MemberFacts, kind: str) -> float:
    """Growth of a wait (nanoseconds) / growth of the applier's active time, for its busiest channel."""
    snapshots = [s for s in e.member.tables if s.table == "replication_applier_metrics"]
    if len(snapshots) < 2:
        raise NeedsError(Missing(("tables.replication_applier_metrics",)))
    snapshots.sort(key=lambda snapshot: snapshot.at_seconds)
    first, last = ({row.get("CHANNEL_NAME"): row for row in s.rows} for s in (snapshots[0], snapshots[-1]))
    best = (0.0, 0.0)
    for channel, row in last.items():
        active = _grown(first.get(channel, {}), row, "TOTAL_ACTIVE_TIME_DURATION")
        best = max(best, (active, _grown(first.get(channel, {}), row, _WAITS[kind])))
    if not best[0]:
        raise NeedsError(Missing(("tables.replication_applier_metrics",)))
    return best[1] / best[0]


def _grown(before: Row, after: Row, column: str) -> float:
    was, now = before.get(column), after.get(column)
    return float(now - was) if isinstance(was, int | float) and isinstance(now, int | float) else 0.0


def _column(e: MemberFacts, wanted: str) -> Iterator[Scalar]:
    """A column of SHOW REPLICA STATUS at each reading, of the first channel."""
    for snapshot in sorted((s for s in e.member.tables if s.table == "replica_status"), key=lambda s: s.at_seconds):
        for key, value in (snapshot.rows[0] if snapshot.rows else {}).items():
            if replica_column(key) == wanted:
                yield value
