"""Does anything limit the cluster at all?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.facts.transactions import COMMITS
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.server import APPLYING_ROLES
from advisor.units import show

# Fact → the value from which the limit is felt. Not all have to be known, but some must be measured.
_FELT_FROM: Final[Mapping[str, float]] = {
    "writers_held_back_share": 0.1,
    "ack_time_share": 0.35,
    "lock_time_share": 0.1,
    "commit_sync_share": 0.5,
    "galera_replication_time_share": 0.5,
    "falls_behind_share": 0.1,
    "pool_reads_per_transaction": 0.3,
    "redo_space_waits_per_second": 0.5,
    "checkpoint_age_share": 0.7,
}
# The fact that commits wait for other members → how long they do.
_WAITS_FOR_OTHERS: Final[Mapping[str, str]] = {
    "fact.is_group_member": "fact.consensus_time_share",
    "fact.is_galera_node": "fact.galera_replication_time_share",
    "fact.commits_wait_for_acks": "fact.ack_time_share",
}
_ENOUGH_MEASURED: Final = 4
_ACTIVE: Final = 4  # clients
_IDLE_PER_SECOND: Final = 20
_IDLE_SESSIONS: Final = 1.5
_MOSTLY_IDLE: Final = 0.6  # of the clients' time: less, and something in the server takes most of it
_MUCH_UNEXPLAINED: Final = 0.2


@fact()
def no_limit_is_felt(e: MemberFacts) -> bool:
    """Whether several clients are active and every measured limit, on any member, is far away.

    Unknown without session states, or where commits wait for other members and how long is not known.
    """
    clients = [(peer, n) for peer in e.peers if isinstance(n := peer.get("fact.writing_clients", None), int | float)]
    if e not in _sampled_twice(e) or not clients:
        raise NeedsError(Missing(("rate.Questions",)))
    active = [peer for peer, number in clients if number >= _ACTIVE]
    for peer in active:
        if peer.member.role not in APPLYING_ROLES:
            _require_waits(peer)
    known = [
        value >= felt
        for peer in e.peers
        for name, felt in _FELT_FROM.items()
        if isinstance(value := peer.get(f"fact.{name}", None), int | float)
    ]
    if len(known) < _ENOUGH_MEASURED:
        raise NeedsError(Missing(("rate.Innodb_row_lock_time",)))
    return bool(active) and not any(known) and all(_is_mostly_idle(peer) for peer in active)


def _is_mostly_idle(writer: MemberFacts) -> bool:
    """Whether a writer's clients are between statements most of the time, and little of the rest is unexplained.

    NeedsError where that is not known: what is not recognised is not healthy.
    """
    if writer.member.role in APPLYING_ROLES:
        return True
    idle = writer.get("fact.writers_client_time_share", None)
    if not isinstance(idle, int | float):
        return float(writer["fact.idle_time_share"]) >= _MOSTLY_IDLE
    return idle >= _MOSTLY_IDLE and float(writer["fact.writers_unexplained_share"]) <= _MUCH_UNEXPLAINED


def _require_waits(writer: MemberFacts) -> None:
    """NeedsError where it is not known what a writer's sessions wait for."""
    writer["fact.session_states"]
    for waits, share in _WAITS_FOR_OTHERS.items():
        if writer.get(waits, False) is True:
            writer[share]


@fact()
def hardly_anything_is_asked(e: MemberFacts) -> bool:
    """Whether the members hardly commit anything and hardly any session is active."""
    return all(
        _asked_per_second(peer) < _IDLE_PER_SECOND and peer["fact.writing_clients"] <= _IDLE_SESSIONS
        for peer in _sampled_twice(e)
    )


@fact()
def what_is_asked_for(e: MemberFacts) -> str:
    """What clients request and get where nothing limits them, in words: transactions, else statements."""
    writers = [peer for peer in _sampled_twice(e) if peer.member.role not in APPLYING_ROLES]
    rates = [_committed_per_second(peer) for peer in writers]
    if rates and all(rate is not None for rate in rates):
        number, unit = sum(rate for rate in rates if rate is not None), "transactions/s"
    else:
        number, unit = sum(_asked_per_second(peer) for peer in writers), "statements/s"
    shown = show(round(max(0.0, number), 1))
    return f"{shown} {unit} requested, {shown} served"


def _committed_per_second(view: MemberFacts) -> float | None:
    """Write transactions per second of a member's own clients; None without a counter."""
    if view.get("fact.is_galera_node", False) is True:
        rate = view.get("rate.wsrep_replicated", None)
    else:
        logs = view.get("log_bin", False) is True
        rate = view.get(COMMITS[view.release.family], None) if logs else None
    return float(rate) if isinstance(rate, int | float) else None


def _sampled_twice(e: MemberFacts) -> list[MemberFacts]:
    """The members with at least two samples. NeedsError unless they include all that may have writing clients."""
    sampled = [peer for peer in e.peers if len(peer.member.samples) > 1]
    if not sampled or any(peer not in sampled and peer.member.role not in APPLYING_ROLES for peer in e.peers):
        raise NeedsError(Missing(("rate.Questions",)))
    return sampled


def _asked_per_second(view: MemberFacts) -> float:
    """Questions per second without our own: each table and each sample that was read is one."""
    samples, tables = view.member.samples, view.member.tables
    seconds = samples[-1].at_seconds - samples[0].at_seconds
    ours = (len(samples) + len(tables)) / seconds if seconds > 0 else 0.0
    return float(view["rate.Questions"]) - ours
