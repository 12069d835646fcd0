"""Which exact share do counters take out of coarse classes? Nothing is added: what one class gains another loses.

A state such as "waiting for handler commit" covers consensus, throttling and syncs; counters of their times tell how
much of it each is. The same is true of statements: InnoDB's monitor and the CPU time of threads say what part of the
work inside them was a wait for a lock, ran on a CPU, or waited for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Threads
from advisor.why.profile.innodb_monitor import monitor_waits
from advisor.why.rules.wait_class import WaitClass

_ROUNDING: Final = 1e-12  # what subtractions leave of nothing
_COARSE_WORK: Final = ("statement_work", "unexplained")
_HOST: Final = {  # the counters of Linux's scheduler for a group: running, and waiting for a CPU
    Threads.WRITERS: ("host.threads_running", "host.threads_starved"),
    Threads.APPLIERS: ("host.appliers_running", "host.appliers_starved"),
}


def refined(
    view: MemberFacts,
    group: Threads,
    shares: Mapping[str, float],
    threads: float,
    classes: Sequence[WaitClass],
    trx_known: bool,
) -> dict[str, float]:
    """The shares of a group of this many threads, with what counters and the monitor tell moved to its own class."""
    refined_shares = dict(shares)
    _move_measured(view, group, refined_shares, classes)
    if not trx_known:
        _move_monitored(view, refined_shares)
    _split_cpu(view, group, refined_shares, threads)
    _split_syncs(view, group, refined_shares)
    return {name: share for name, share in refined_shares.items() if share > _ROUNDING}


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


def _split_cpu(view: MemberFacts, group: Threads, shares: dict[str, float], threads: float) -> None:
    """Time on a CPU and in its queue by the scheduler's counters: sampled time is split, else taken from statements."""
    names = _HOST.get(group)
    running, starved = (_number(view, name) for name in names) if names else (None, None)
    if running is None or starved is None or running + starved <= 0 or not threads:
        return
    sampled = shares.get("on_cpu", 0.0)
    if sampled:
        move(shares, ("on_cpu",), "ready", sampled * starved / (running + starved))
        return
    available = shares.get("statement_work", 0.0)
    scale = min(1.0, available * threads / (running + starved))
    move(shares, ("statement_work",), "on_cpu", running / threads * scale)
    move(shares, ("statement_work",), "ready", starved / threads * scale)


def _split_syncs(view: MemberFacts, group: Threads, shares: dict[str, float]) -> None:
    """Waits for a commit group, by how much of the time each log was being written or synced.

    Also the syncs of a log of which only the kernel's function is known. Where one log is not synced, it is the other.
    """
    redo, binlog = (_number(view, f"fact.{name}_busy_share") for name in ("redo", "binlog"))
    if view.value("fact.binlog_on") is False or view.value("sync_binlog") == 0:
        share_of_redo = 1.0
    elif redo is not None and binlog is not None and redo + binlog > 0:
        share_of_redo = redo / (redo + binlog)
    else:
        return
    known = shares.get("log_sync", 0.0)
    move(shares, ("log_sync",), "redo_sync", known * share_of_redo)
    move(shares, ("log_sync",), "binlog_sync", known)
    if redo is None or binlog is None or group not in (Threads.WRITERS, Threads.APPLIERS):
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
