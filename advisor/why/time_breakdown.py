"""Where does the writing clients' time go? The shares of clients × interval, their sum, and Little's law as a check."""

from __future__ import annotations

from typing import Final

from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Side, TimeBreakdown, TimeShare
from advisor.model.evidence import Fact
from advisor.model.server import Family
from advisor.why.facts.breakdown_shares import BREAKDOWN_LINES
from advisor.why.interval import interval_of
from advisor.why.members import MembersByRole

_NOT_WORTH_A_LINE: Final = 0.005


def time_breakdown_of(members: MembersByRole) -> TimeBreakdown:
    """The shares of the writer and of the members that apply; empty without two readings."""
    writer = members.writer
    shares = [share for view in members.views for share in _shares(view, view is writer)]
    if writer is None:
        return TimeBreakdown(shares=tuple(shares))
    client_shares = [share.share for share in shares if share.side is Side.CLIENT]
    clients = _number(writer, "fact.writing_clients")
    states = _value(writer, "fact.client_states")
    return TimeBreakdown(
        member=writer.member.name,
        clients=clients,
        throughput_per_second=throughput_of(members),
        interval_seconds=interval_of(members),
        shares=tuple(sorted(shares, key=lambda share: (list(Side).index(share.side), -share.share))),
        explained=sum(client_shares) if client_shares else None,
        little=_little(writer, clients),
        states=tuple(sorted(states.items(), key=lambda item: -item[1])) if isinstance(states, dict) else (),
    )


def throughput_of(members: MembersByRole) -> float | None:
    """Write transactions per second at the writer; without a known writer, the rate at which the replica applies."""
    if members.writer is None:
        return _number(members.appliers[0], "fact.applied_per_second") if members.appliers else None
    if members.writer.value("fact.is_galera_node") is True:
        replicated = _number(members.writer, "rate.wsrep_replicated")
        if replicated:
            return replicated
    rate = _number(members.writer, "fact.transactions_per_second")
    counted = members.writer.get("log_bin", False) is True  # without the log both counters stand still
    if rate is None and counted and len(members.writer.member.samples) > 1:  # a rate of zero is known, too
        counter = "Binlog_commits" if members.writer.release.family is Family.MARIADB else "Binlog_cache_use"
        return _number(members.writer, f"rate.{counter}")
    return rate


def _shares(view: MemberFacts, writes: bool) -> list[TimeShare]:
    """The lines that are known for one member; clients' lines for the writer only."""
    shares = []
    for line in BREAKDOWN_LINES:
        if line.side is Side.CLIENT and not writes:
            continue
        fact = view.fact(f"fact.{line.fact}")
        if isinstance(fact, Fact) and isinstance(fact.value, int | float) and fact.value >= _NOT_WORTH_A_LINE:
            shares.append(
                TimeShare(line.what, line.side, view.member.name, float(fact.value), view.explained(fact).source)
            )
    return shares


def _little(writer: MemberFacts, clients: float | None) -> float | None:
    """Sessions inside statements (mean time × number per second) per client."""
    inside = _number(writer, "fact.statement_seconds_per_second")
    return inside / clients if inside is not None and clients else None


def _number(view: MemberFacts, name: str) -> float | None:
    value = _value(view, name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _value(view: MemberFacts, name: str) -> object:
    value = view.value(name)
    return None if isinstance(value, Missing) else value
