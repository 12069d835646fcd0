"""Which exact share do counters take out of coarse classes? Nothing is added: what one class gains another loses.

A state such as "waiting for handler commit" covers consensus, throttling and syncs; counters of their times tell how
much of it each is. The same is true of statements: InnoDB's monitor and the CPU time of threads say what part of the
work inside them was a wait for a lock, ran on a CPU, or waited for one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Threads
from advisor.why.profile.aggregate import GroupCounts
from advisor.why.profile.innodb_monitor import monitor_waits
from advisor.why.rules.wait_class import WaitClass

_ROUNDING: Final = 1e-12  # what subtractions leave of nothing
_COARSE_WORK: Final = ("statement_work", "unexplained")
_CLIENTS: Final = ("host.threads_running", "host.threads_starved")
_APPLIERS: Final = ("host.appliers_running", "host.appliers_starved")
# The counters of Linux's scheduler, running and waiting for a CPU: a group's own, or those of threads beside it.
_HOST: Final = {
    Threads.WRITERS: _CLIENTS,
    Threads.DUMP: _CLIENTS,
    Threads.APPLIERS: _APPLIERS,
    Threads.COORDINATOR: _APPLIERS,
    Threads.RECEIVER: _APPLIERS,
}
_COUNTED: Final = (Threads.WRITERS, Threads.APPLIERS)


def refined(
    view: MemberFacts, seen: GroupCounts, classes: Sequence[WaitClass], columns: Collection[str]
) -> dict[str, float]:
    """The shares of a group, with what counters and the monitor tell moved to its own class.

    `columns`: those of "trx" and "os" that the process lists have; what was sampled there is not estimated again.
    """
    shares = seen.shares()
    _move_measured(view, seen.group, shares, classes)
    if "trx" not in columns:
        _move_monitored(view, shares)
    _split_cpu(view, seen, shares)
    _split_syncs(view, seen.group, shares, led=not columns)
    return {name: share for name, share in shares.items() if share > _ROUNDING}


def _move_measured(view: MemberFacts, group: Threads, shares: dict[str, float], classes: Sequence[WaitClass]) -> None:
    """What facts measure, beyond what was sampled; scaled down where together they claim more than is there."""
    wanted: dict[str, tuple[float, tuple[str, ...]]] = {}
    for each in classes:
        for measured in each.measured:
            share = _number(view, f"fact.{measured.fact}") if measured.of is group else None
            missing = (share or 0.0) - shares.get(each.id, 0.0)
            if missing > 0:
                wanted[each.id] = (missing, measured.hides_in)
    hiding = {name for _, places in wanted.values() for name in places}
    available = sum(shares.get(name, 0.0) for name in hiding)
    total = sum(missing for missing, _ in wanted.values())
    scale = min(1.0, available / total) if total else 0.0
    for name, (missing, places) in wanted.items():
        move(shares, places, name, missing * scale)


def _move_monitored(view: MemberFacts, shares: dict[str, float]) -> None:
    """The monitor's shares of the work inside statements, beyond what was sampled or measured."""
    waits = monitor_waits(view.member.innodb_status)
    if waits is None:
        return
    inside = sum(shares.get(name, 0.0) for name in _COARSE_WORK)
    monitored = waits.shares()
    inside += sum(shares.get(name, 0.0) for name in monitored)
    for name, share in monitored.items():
        move(shares, _COARSE_WORK, name, share * inside - shares.get(name, 0.0))


def _split_cpu(view: MemberFacts, seen: GroupCounts, shares: dict[str, float]) -> None:
    """Time on a CPU and in its queue by the scheduler's counters: sampled time is split, else taken from statements.

    Followers whose leader waits for a CPU wait for it, too.
    """
    running, starved = (_number(view, name) for name in _HOST[seen.group])
    if running is None or starved is None or running + starved <= 0:
        return
    waiting = starved / (running + starved)
    if sampled := shares.get("on_cpu", 0.0):
        move(shares, ("on_cpu",), "ready", sampled * waiting)
        move(shares, ("group_commit",), "ready", seen.led_by_cpu / (seen.threads * seen.moments) * waiting)
    elif seen.group in _COUNTED:
        scale = min(1.0, shares.get("statement_work", 0.0) * seen.threads / (running + starved))
        move(shares, ("statement_work",), "on_cpu", running / seen.threads * scale)
        move(shares, ("statement_work",), "ready", starved / seen.threads * scale)


def _split_syncs(view: MemberFacts, group: Threads, shares: dict[str, float], *, led: bool) -> None:
    """Syncs of a log of which only the kernel's function is known, by how much of the time each log is in use.

    With `led`, also waits for the leader of a commit group: nobody has seen what leaders do. Where the binary log is
    not synced, it is the redo log.
    """
    redo, binlog = (_number(view, f"fact.{name}_busy_share") for name in ("redo", "binlog"))
    if view.value("fact.binlog_in_own_files") is False or view.value("sync_binlog") == 0:
        share_of_redo = 1.0
    elif redo is not None and binlog is not None and redo + binlog > 0:
        share_of_redo = redo / (redo + binlog)
    else:
        return
    known = shares.get("log_sync", 0.0)
    move(shares, ("log_sync",), "redo_sync", known * share_of_redo)
    move(shares, ("log_sync",), "binlog_sync", known)
    if not led or redo is None or binlog is None or group not in _COUNTED:
        return
    waiting, scale = shares.get("group_commit", 0.0), 1 / max(1.0, redo + binlog)
    move(shares, ("group_commit",), "redo_sync", waiting * redo * scale)
    move(shares, ("group_commit",), "binlog_sync", waiting * binlog * scale)


def move(shares: dict[str, float], places: Sequence[str], to: str, share: float) -> None:
    """Move a share from these classes, in their order, to another; at most what is there."""
    for place in places:
        if share <= 0:
            return
        taken = min(share, shares.get(place, 0.0))
        shares[place] = shares.get(place, 0.0) - taken
        shares[to] = shares.get(to, 0.0) + taken
        share -= taken


def _number(view: MemberFacts, name: str) -> float | None:
    value = view.value(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
