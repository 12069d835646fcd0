"""What a running cluster does: how far each member is at one moment, and how fast it is between two.

A topology reads a `Position` from every member and makes a `Progress` of two of them. Only the topology
knows how to count; code that samples, judges or plots a run sees only these two records.
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model.evidence import Scalar
from advisor.model.record import field, record
from advisor.model.server import Role


@record
class Position:
    """What one member reported at one moment: raw, in the topology's own columns and counters.

    `at_seconds` is the reader's monotonic clock in the middle of the reading, `took_seconds` how long it took;
    `values` are named as the server names them ("gtid_executed", "wsrep_last_committed"). `error` is "" or why the
    member could not be read; then `values` is empty.
    """

    member: str
    role: Role
    at_seconds: float
    took_seconds: float = 0.0
    values: Mapping[str, Scalar] = field(default_factory=dict)
    error: str = ""


@record
class Progress:
    """One member over the interval between two positions; None is unknown, never zero.

    `committed_per_second` counts write transactions of this member's own clients, `applied_per_second` those of
    other members (None on a member that applies nothing). `backlog` is in transactions, committed elsewhere and not
    yet here, `unreceived` the part of it that has not even arrived (None where that is not known). `lag_ms` is the age
    of what is applied now, with `lag_method` saying how it is known: "counted" (0.0, nothing waits), "timestamps"
    (microseconds of the server), "positions" (when the writer was where this member is), "rate" (backlog / apply
    rate), "heartbeat" or "". `throttled_share` is the share of the interval in which its writers were throttled (0
    to 1), `throttled_clients` how many were on average; both None where there is no flow control; `throttling` members
    asked for it in the interval. `conflicts_per_second` are own transactions rolled back by certification, on replicas
    transactions the applier had to retry. `reset` says that counters went backwards: the member was restarted.
    `state` is what keeps the member from its part in the cluster, in the server's words ("RECOVERING",
    "Donor/Desynced", "applier stopped"), "" where nothing does. `role` is None outside the cluster.
    """

    member: str
    role: Role | None
    at_seconds: float
    interval_seconds: float
    committed_per_second: float | None = None
    applied_per_second: float | None = None
    backlog: int | None = None
    unreceived: int | None = None
    lag_ms: float | None = None
    lag_method: str = ""
    throttled_share: float | None = None
    throttled_clients: float | None = None
    throttling: bool | None = None
    conflicts_per_second: float | None = None
    reset: bool = False
    state: str | None = None
    error: str = ""
