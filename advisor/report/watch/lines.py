"""What is a watched second where there is no terminal? One line for the cluster, and one for each problem."""

from __future__ import annotations

from datetime import datetime

from advisor.model.diagnosis import Threads
from advisor.model.monitoring.now import ClusterNow, MemberNow
from advisor.report.words.amounts import duration, rate, whole

_OF_CLIENTS = (Threads.WRITERS, Threads.CLIENTS)


def render(now: ClusterNow) -> str:
    """The second as a line: time, rate, time of a statement, lag, backlog, and what most writing clients wait for."""
    time = f"{datetime.fromtimestamp(now.at_seconds).astimezone():%H:%M:%S}"
    words = [time, f"{rate(now.committed_per_second)} tx/s"]
    writer = writer_of(now)
    if writer is not None:
        words.append(f"statements {duration(writer.statement_ms)}")
    slowest = now.slowest
    if slowest is not None:
        words.append(f"{slowest.member} is behind by {behind(slowest)}")
    elif any(member.lag_seconds is not None for member in now.members if member is not writer):
        words.append("no member is behind")
    wait = next((each for each in writer.waits if each.group in _OF_CLIENTS), None) if writer else None
    if wait is not None:
        words.append(f"clients: {wait.title}")
    words += [f"{member.member} cannot be read" for member in now.members if member.unreachable]
    return " · ".join(words) + "\n"


def writer_of(now: ClusterNow) -> MemberNow | None:
    """The member that commits most; None where no rate is known."""
    known = [member for member in now.members if member.committed_per_second is not None]
    return max(known, key=lambda member: member.committed_per_second or 0.0, default=None)


def behind(member: MemberNow) -> str:
    """How far a member is behind, in time and in transactions, as far as that is known."""
    lag = duration(member.lag_seconds * 1000) if member.lag_seconds else ""
    count = member.backlog_transactions
    backlog = f"{whole(count)} transaction{'' if count == 1 else 's'}" if count else ""
    return ", ".join(filter(None, (lag, backlog)))
