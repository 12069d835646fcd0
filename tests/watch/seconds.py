"""Watched seconds that tests begin with: a source and a replica."""

from __future__ import annotations

from advisor.model.diagnosis import Threads
from advisor.model.monitoring.now import ClusterNow, FirstCause, MemberNow, RingNow, WaitNow
from advisor.model.record import replace
from advisor.model.server import Role

AT = 1_795_000_000.0
WAITS = (
    WaitNow(Threads.WRITERS, "redo_sync", "Writes and syncs the redo log", 5.5),
    WaitNow(Threads.WRITERS, "client_time", "Between statements: client and network", 2.5),
)
SOURCE = MemberNow(
    "db1:3306", Role.SOURCE, committed_per_second=812.4, statement_ms=3.2, running_clients=5.5, waits=WAITS
)
REPLICA = MemberNow(
    "db2:3306", Role.REPLICA, applied_per_second=640.0, lag_seconds=7.5, backlog_transactions=5210,
    waits=(WaitNow(Threads.APPLIERS, "commit_order", "Waits for its turn to commit", 3.0),),
)  # fmt: skip
CAUSE = FirstCause("applier_serial", "One thread applies everything", "db2:3306", 0.81, AT)
NOW = ClusterNow(AT, "shop", (SOURCE, REPLICA), 640.0, CAUSE, RingNow(5 << 20, 1 << 30))


def at(seconds: float, **replica: object) -> ClusterNow:
    """The cluster some seconds later, with other figures of the replica."""
    return replace(NOW, at_seconds=AT + seconds, members=(SOURCE, replace(REPLICA, **replica)))
