"""Where does the writers' time go? The shares of clients × interval, their sum, and Little's law as a check."""

from __future__ import annotations

from typing import Final

from advisor.conditions import Missing
from advisor.evidence.view import View
from advisor.model.diagnosis import Budget, Share, Side
from advisor.model.evidence import Fact
from advisor.model.server import Family
from advisor.why.facts.shares import LINES
from advisor.why.members import Scene

_NOT_WORTH_A_LINE: Final = 0.005


def budget_of(scene: Scene) -> Budget:
    """The budget of the writer and, beside it, of the members that apply; empty without two readings."""
    writer = scene.writer
    shares = [share for view in scene.views for share in _shares(view, view is writer)]
    if writer is None:
        return Budget(shares=tuple(shares))
    own = [share.share for share in shares if share.side is Side.CLIENT]
    clients = _number(writer, "fact.writing_clients")
    states = _value(writer, "fact.client_states")
    return Budget(
        member=writer.member.name,
        clients=clients,
        throughput_per_second=throughput_of(scene),
        interval_seconds=interval_of(scene),
        shares=tuple(sorted(shares, key=lambda share: (list(Side).index(share.side), -share.share))),
        explained=sum(own) if own else None,
        little=_little(writer, clients),
        states=tuple(sorted(states.items(), key=lambda item: -item[1])) if isinstance(states, dict) else (),
    )


def throughput_of(scene: Scene) -> float | None:
    """Write transactions per second at the writer; what a lone replica applies where no writer is known."""
    if scene.writer is None:
        return _number(scene.appliers[0], "fact.applied_per_second") if scene.appliers else None
    if scene.writer.value("fact.is_galera_node") is True:
        replicated = _number(scene.writer, "rate.wsrep_replicated")
        if replicated:
            return replicated
    known = _number(scene.writer, "fact.transactions_per_second")
    counted = scene.writer.get("log_bin", False) is True  # without the log both counters stand still
    if known is None and counted and len(scene.writer.member.samples) > 1:  # a rate of none is known, too
        counter = "Binlog_commits" if scene.writer.release.family is Family.MARIADB else "Binlog_cache_use"
        return _number(scene.writer, f"rate.{counter}")
    return known


def interval_of(scene: Scene) -> float | None:
    """Seconds between the first and the last sample of the writer (or the only member)."""
    view = scene.writer or scene.views[0]
    samples = view.member.samples
    seconds = samples[-1].at_seconds - samples[0].at_seconds if len(samples) > 1 else 0.0
    return seconds or None


def _shares(view: View, writes: bool) -> list[Share]:
    """The lines that are known of one member; clients' lines of the writer only."""
    found = []
    for line in LINES:
        if line.side is Side.CLIENT and not writes:
            continue
        fact = view.fact(f"fact.{line.fact}")
        if isinstance(fact, Fact) and isinstance(fact.value, int | float) and fact.value >= _NOT_WORTH_A_LINE:
            found.append(Share(line.what, line.side, view.member.name, float(fact.value), view.explained(fact).source))
    return found


def _little(writer: View, clients: float | None) -> float | None:
    """Sessions inside statements by their mean time and number, per client."""
    inside = _number(writer, "fact.statement_seconds_per_second")
    return inside / clients if inside is not None and clients else None


def _number(view: View, name: str) -> float | None:
    value = _value(view, name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _value(view: View, name: str) -> object:
    value = view.value(name)
    return None if isinstance(value, Missing) else value
