"""What a running cluster does: how far each member is at one moment, and how fast it goes between two.

A topology reads a `Position` from every member and makes a `Progress` of two of them. Counting is the topology's
business; whoever samples, judges or plots a run sees only this.
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model.evidence import Scalar
from advisor.model.record import field, record
from advisor.model.server import Role


@record
class Position:
    """What one member said of itself at one moment: raw, in the topology's own columns and counters.

    `at_seconds` is the reader's monotonic clock in the middle of the reading, `took_seconds` how long it took;
    `values` are named as the server names them ("gtid_executed", "wsrep_last_committed"). `error` is "" or why the
    member could not be asked; then `values` is empty.
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
    yet here; `lag_ms` the age of what is applied now, 0.0 when nothing waits, with `lag_method` saying how it is known:
    "timestamps" (microseconds of the server), "rate" (backlog / apply rate), "heartbeat", "seconds_behind" or "".
    `throttled_share` is the share of the interval writers on this member were held back (0 to 1); `throttling`
    members asked for it in the interval. `reset` says that counters went backwards: the member was restarted.
    """

    member: str
    role: Role
    at_seconds: float
    interval_seconds: float
    committed_per_second: float | None = None
    applied_per_second: float | None = None
    backlog: int | None = None
    lag_ms: float | None = None
    lag_method: str = ""
    throttled_share: float | None = None
    throttling: bool | None = None
    conflicts_per_second: float | None = None
    reset: bool = False
    error: str = ""
