"""What does a line of `advisor watch --format json` contain? The file in schemas/ is made from these dataclasses."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.monitoring.now import ClusterNow, FirstCause, MemberNow

SCHEMA: Final = "advisor/watch/1"


@dataclass(frozen=True, slots=True)
class WaitDocument:
    """Threads of a group in a class of waits, on average over the last ten seconds."""

    group: str
    wait_class: str
    title: str
    threads: float


@dataclass(frozen=True, slots=True)
class MemberSecondDocument:
    """A member; null is unknown. `failure`: why it cannot be read, "" while it can.

    `state`: what keeps it from its part in the cluster, in the server's words, "" where nothing does. `throttling`:
    whether it asked for flow control.
    """

    member: str
    role: str | None
    committed_per_second: float | None
    applied_per_second: float | None
    lag_seconds: float | None
    backlog_transactions: int | None
    statement_ms: float | None
    running_clients: float | None
    throttled_share: float | None
    throttled_clients: float | None
    throttling: bool | None
    conflicts_per_second: float | None
    state: str | None
    waits: list[WaitDocument]
    failure: str


@dataclass(frozen=True, slots=True)
class CauseDocument:
    """The cause that `why` names first for the last minute; `confidence` is from 0 to 1."""

    cause: str
    title: str
    member: str
    confidence: float


@dataclass(frozen=True, slots=True)
class WatchDocument:
    """One second. `at_seconds` is an epoch time; `stopped`: why nothing is recorded, "" while it is.

    `sustained_per_second`: the rate that every member kept up in the last minute.
    """

    schema: str
    at_seconds: float
    cluster: str
    committed_per_second: float | None
    sustained_per_second: float | None
    members: list[MemberSecondDocument]
    first_cause: CauseDocument | None
    ring_bytes: int
    stopped: str


def document(now: ClusterNow) -> WatchDocument:
    """A second as a document."""
    return WatchDocument(
        schema=SCHEMA,
        at_seconds=round(now.at_seconds, 3),
        cluster=now.cluster,
        committed_per_second=_rounded(now.committed_per_second),
        sustained_per_second=_rounded(now.sustained_per_second),
        members=[_member(member) for member in now.members],
        first_cause=_cause(now.first_cause) if now.first_cause else None,
        ring_bytes=now.ring.used_bytes if now.ring else 0,
        stopped=now.ring.stopped if now.ring else "",
    )


def render(now: ClusterNow) -> str:
    """A second as one line of JSON."""
    return json.dumps(asdict(document(now)), ensure_ascii=False) + "\n"


def _member(member: MemberNow) -> MemberSecondDocument:
    return MemberSecondDocument(
        member=member.member,
        role=str(member.role) if member.role else None,
        committed_per_second=_rounded(member.committed_per_second),
        applied_per_second=_rounded(member.applied_per_second),
        lag_seconds=_rounded(member.lag_seconds),
        backlog_transactions=member.backlog_transactions,
        statement_ms=_rounded(member.statement_ms),
        running_clients=_rounded(member.running_clients),
        throttled_share=_rounded(member.throttled_share),
        throttled_clients=_rounded(member.throttled_clients),
        throttling=member.throttling,
        conflicts_per_second=_rounded(member.conflicts_per_second),
        state=member.state,
        waits=[WaitDocument(str(w.group), w.wait_class, w.title, round(w.threads, 3)) for w in member.waits],
        failure=member.failure,
    )


def _cause(cause: FirstCause) -> CauseDocument:
    return CauseDocument(cause.cause, cause.title, cause.member, round(cause.confidence, 3))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
