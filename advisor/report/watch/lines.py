"""What is a watched second where there is no terminal? One line for the cluster, and one for each problem."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from advisor.model.diagnosis import Threads
from advisor.model.monitoring.now import ClusterNow, MemberNow
from advisor.report.words.amounts import duration, rate, share, whole

_OF_CLIENTS: Final = (Threads.WRITERS, Threads.CLIENTS)
_LEAST_PAUSED: Final = 0.01
_LEAST_HELD: Final = 0.05


def render(now: ClusterNow) -> str:
    """The second as a line: time, rate, time of a statement, lag, backlog, and what most writing clients wait for."""
    time = f"{datetime.fromtimestamp(now.at_seconds).astimezone():%H:%M:%S}"
    words = [time, f"{rate(now.committed_per_second)} tx/s"]
    writer = writer_of(now)
    if writer is not None:
        words.append(f"statements {duration(writer.statement_ms)}")
    words += filter(None, (lag_words(now), flow_words(now)))
    words += [f"{member.member}: {member.state}" for member in now.members if member.state]
    wait = next((each for each in writer.waits if each.group in _OF_CLIENTS), None) if writer else None
    if wait is not None:
        words.append(f"clients: {wait.title}")
    words += [f"{member.member} cannot be read" for member in now.members if member.unreachable]
    return " · ".join(words) + "\n"


def writer_of(now: ClusterNow) -> MemberNow | None:
    """The member that commits most; None where no rate is known."""
    known = [member for member in now.members if member.committed_per_second is not None]
    return max(known, key=lambda member: member.committed_per_second or 0.0, default=None)


def lag_words(now: ClusterNow) -> str:
    """Which member is furthest behind; "" for a server that stands alone. Nobody is only where all are known."""
    if now.slowest is not None:
        return f"{now.slowest.member} is behind by {behind(now.slowest)}"
    if len(now.members) < 2:
        return ""
    unknown = ", ".join(each.member for each in now.unknown_lag if not each.unreachable)
    if unknown:
        return f"unknown how far behind: {unknown}"
    return "" if now.unknown_lag else "no member is behind"


def flow_words(now: ClusterNow) -> str:
    """How long flow control holds writers back, and which members ask for it; "" where it does not."""
    paused = max((each.throttled_share or 0.0 for each in now.members), default=0.0)
    held = sum(each.throttled_clients or 0.0 for each in now.members)
    asking = ", ".join(each.member for each in now.members if each.throttling)
    words = []
    if paused >= _LEAST_PAUSED:
        words.append(f"writers paused {share(paused)} of the time")
    if held >= _LEAST_HELD:
        words.append(f"{held:.1f} clients held back")
    if asking:
        words.append(f"asked for by {asking}")
    return f"flow control: {', '.join(words)}" if words else ""


def behind(member: MemberNow) -> str:
    """How far a member is behind, in time and in transactions, as far as that is known."""
    lag = duration(member.lag_seconds * 1000) if member.lag_seconds else ""
    count = member.backlog_transactions
    backlog = f"{whole(count)} transaction{'' if count == 1 else 's'}" if count else ""
    return ", ".join(filter(None, (lag, backlog)))
