"""Now: what every member of a cluster does in one second, and all of them together."""

from __future__ import annotations

from typing import Final

from advisor.model.diagnosis import Threads
from advisor.model.record import record
from advisor.model.server import APPLYING_ROLES, Role

LIVE_NAMES: Final = {
    "lag_seconds": "how long ago the transaction that is being applied was committed",
    "backlog_transactions": "transactions committed elsewhere and not applied here",
    "committed_per_second": "write transactions of this member's own clients",
    "applied_per_second": "transactions of other members",
    "statement_ms": "mean time of a statement, over the last ten seconds",
    "running_clients": "sessions of clients that are inside a statement, over the last ten seconds",
    "throttled_share": "share of the time that flow control paused writers (Galera)",
    "throttled_clients": "clients that flow control held back at commit (Group Replication)",
    "conflicts_per_second": "transactions rolled back by certification; on a replica, transactions retried",
    "state": "what keeps the member from its part, in the server's words; '' where nothing does",
    "unreachable": "true while the member cannot be read",
}


@record
class FirstCause:
    """What `why` named first for the last minute. `confidence` is from 0 to 1; `at_seconds`: when it was named."""

    cause: str
    title: str
    member: str
    confidence: float
    at_seconds: float


@record
class WaitNow:
    """How many threads of a group were in a class of waits, on average over the last ten seconds."""

    group: Threads
    wait_class: str
    title: str
    threads: float


@record
class MemberNow:
    """A member in the last second; None is unknown. `waits`: by group, the most threads first.

    `failure`: why it cannot be read, "" while it can. `state`, `throttling`: as in `Progress`.
    """

    member: str
    role: Role | None = None
    committed_per_second: float | None = None
    applied_per_second: float | None = None
    lag_seconds: float | None = None
    backlog_transactions: int | None = None
    statement_ms: float | None = None
    running_clients: float | None = None
    throttled_share: float | None = None
    throttled_clients: float | None = None
    throttling: bool | None = None
    conflicts_per_second: float | None = None
    state: str | None = None
    waits: tuple[WaitNow, ...] = ()
    failure: str = ""

    @property
    def unreachable(self) -> bool:
        """Whether it cannot be read."""
        return bool(self.failure)

    @property
    def may_be_behind(self) -> bool:
        """Whether others write what it must apply; also where its role is not known."""
        return self.role not in (Role.SOURCE, Role.STANDALONE)

    @property
    def progress_per_second(self) -> float | None:
        """Everything that it completed; None where a part of that is unknown."""
        if self.role in APPLYING_ROLES:
            return self.applied_per_second
        if self.committed_per_second is None:
            return None
        return self.committed_per_second + (self.applied_per_second or 0.0)

    def figures(self) -> dict[str, float]:
        """The numbers that are known, by the names that conditions use."""
        found: dict[str, float] = {}
        for name in LIVE_NAMES:
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                found[name] = float(value)
        return found


@record
class RingNow:
    """The ring: the bytes that it takes and may take, why nothing is recorded ("" while it is), bundles since start."""

    used_bytes: int
    most_bytes: int
    stopped: str = ""
    bundles: int = 0


@record
class ClusterNow:
    """All members at an epoch time. `sustained_per_second`: the rate that every member kept up in the last minute."""

    at_seconds: float
    cluster: str
    members: tuple[MemberNow, ...]
    sustained_per_second: float | None = None
    first_cause: FirstCause | None = None
    ring: RingNow | None = None

    @property
    def committed_per_second(self) -> float | None:
        """What all members committed together; None where no member's rate is known."""
        known = [each.committed_per_second for each in self.members if each.committed_per_second is not None]
        return sum(known) if known else None

    @property
    def unknown_lag(self) -> list[MemberNow]:
        """Members that may be behind, where nobody knows whether they are."""
        others = self.members if len(self.members) > 1 else ()
        return [each for each in others if each.may_be_behind and each.backlog_transactions is None]

    @property
    def slowest(self) -> MemberNow | None:
        """The member that is furthest behind; None where nobody is."""
        behind = [each for each in self.members if each.backlog_transactions or (each.lag_seconds or 0) > 0]
        return max(behind, key=lambda each: (each.lag_seconds or 0, each.backlog_transactions or 0), default=None)
