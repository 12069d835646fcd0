"""What does a move to another topology mean? The sentences, for the terminal and for a ticket."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model.move import Move
from advisor.model.move.topology import TopologyMember, TopologyMove
from advisor.model.server import Topology

Lines = Iterator[tuple[str, list[str]]]


def topology_heading(change: TopologyMove) -> str:
    """From which topology to which."""
    return f"{_words(change.origin) if change.origin else 'not known'} → {_words(change.target)}"


def topology_lines(move: Move) -> Lines:
    """(label, sentences) in reading order; nothing where no other topology was asked for."""
    change = move.topology_move
    if change is None:
        return
    if change.blocked:
        yield "in the way", [change.blocked]
    for need in change.needs:
        yield "needed", [f"{need.title}. {need.says}"]
        if need.ask:
            yield "ask", [need.ask]
    for member in change.members:
        yield from _member(member, len(change.members) > 1)
    for number, (does, why) in enumerate(change.steps, 1):
        yield f"step {number}", [f"{does} {why}".strip()]
    yield "see", list(change.see)


def _member(member: TopologyMember, several: bool) -> Lines:
    of = f"{member.name}: " if several else ""
    told: set[str] = set()
    for name, value, why in member.to_set:
        yield f"{of}set", [f"{name} = {value}", *([why] if why not in told else [])]
        told.add(why)
    if member.right:
        yield f"{of}right", [", ".join(member.right)]
    reasons = dict.fromkeys(why for _, why in member.idle)
    for reason in reasons:
        yield f"{of}no meaning", [", ".join(name for name, why in member.idle if why == reason), reason]


def _words(topology: Topology) -> str:
    return str(topology).replace("_", " ")
