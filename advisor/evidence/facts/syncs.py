"""How much of the time do commits wait for the disk, and how many share one wait?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row
from advisor.model.server import Family

_LOG_FILES: Final = ("wait/io/file/innodb/innodb_log_file", "wait/io/file/sql/binlog")
_PICOSECONDS: Final = 1e12


@fact()
def transactions_per_sync(e: MemberFacts) -> Any:
    """How many transactions share one sync at commit, on average over the samples; 1 where one client commits.

    MariaDB: ΔBinlog_commits / ΔBinlog_group_commits. MySQL counts no groups; with both logs synced at each commit,
    the syncs of the redo log are as many (measured 3840 syncs for 3670 groups). Makes no sense without such syncs.
    """
    if not e["fact.syncs_per_commit"]:
        return NOT_HERE
    if e.get("observed.clients", 0) == 1:
        return 1.0
    if e.release.family is Family.MARIADB:
        commits, groups = e["rate.Binlog_commits"], e["rate.Binlog_group_commits"]
    else:
        commits, groups = e["fact.transactions_per_second"], e["rate.Innodb_os_log_fsyncs"]
    return max(1.0, commits / groups) if groups > 0 else NOT_HERE


@fact("syncs")
def syncs_per_commit(e: MemberFacts) -> float:
    """Syncs a commit group waits for: 1 for the redo log (innodb_flush_log_at_trx_commit 1 or 3), 1 for the binary log.

    The binary log counts as one in `sync_binlog` groups, and not at all where that is 0 (manuals of both variables) or
    where the log is kept in InnoDB.
    """
    every = e["sync_binlog"] if e["fact.binlog_in_own_files"] else 0
    return (1.0 if e["innodb_flush_log_at_trx_commit"] in (1, 3) else 0.0) + (1.0 / every if every else 0.0)


@fact("share")
def commit_sync_share(e: MemberFacts) -> float:
    """Share of the time in which some commit writes or syncs the redo log or the binary log; at most 1.

    Time of the Performance Schema's file waits (picoseconds) / time between two readings of them; else commit groups
    per second × syncs of one × time of one sync.
    """
    readings = _log_file_seconds(e)
    if len(readings) > 1 and readings[-1][0] > readings[0][0] and readings[-1][1] >= readings[0][1]:
        return min(1.0, (readings[-1][1] - readings[0][1]) / (readings[-1][0] - readings[0][0]))
    groups = e["fact.transactions_per_second"] / e["fact.transactions_per_sync"]
    if "fsync_ms" not in e.member.observed and "fsync_ms" not in e.member.host:
        raise NeedsError(Missing(("host.fsync_ms",)))
    return float(min(1.0, groups * e["fact.syncs_per_commit"] * e["host.fsync_ms"] / 1000))


def _log_file_seconds(e: MemberFacts) -> list[tuple[float, float]]:
    """(moment, seconds of file waits of both logs since the server started), by time, from any summary of waits."""
    found, of_events = {}, dict[str, bool]()
    for snapshot in e.member.tables:
        if of_events.get(snapshot.table) is None and snapshot.rows:
            of_events[snapshot.table] = any(column.lower() == "event_name" for column in snapshot.rows[0])
        if not of_events.get(snapshot.table):
            continue  # thousands of replication, some ten of events
        waits = [wait for row in snapshot.rows if (wait := _picoseconds(row)) is not None]
        if waits:
            found[snapshot.at_seconds] = sum(waits) / _PICOSECONDS
    return sorted(found.items())


def _picoseconds(row: Row) -> float | None:
    """The wait time of a row about one of the log files; syncs alone (SUM_TIMER_MISC) where they are told apart."""
    cells = {column.lower(): value for column, value in row.items()}
    time = cells.get("sum_timer_misc", cells.get("sum_timer_wait"))
    return float(time) if cells.get("event_name") in _LOG_FILES and isinstance(time, int | float) else None
