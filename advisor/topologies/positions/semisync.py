"""How far are a source and its replicas, and does the source wait for them? One counter more than without semi-sync."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.model.progress import Position, Progress
from advisor.model.record import replace
from advisor.model.server import Role
from advisor.nodes import Node, status
from advisor.topologies.positions import source
from advisor.topologies.positions.read_member import Values, timed

_ASYNCHRONOUS: Final = "not semi-synchronous"


def read_position(node: Node) -> Position:
    """A position; of a source also whether its commits wait for an acknowledgement."""
    position = source.read_position(node)
    if position.error or position.role is not Role.SOURCE:
        return position

    def waits(node: Node) -> Values:
        return {**position.values, "semisync_status": status(node, node.dialect.semisync_status)}

    again = timed(node, waits)
    return again if again.error else replace(position, values=again.values)


def progress(before: Mapping[str, Position], now: Mapping[str, Position]) -> list[Progress]:
    """Every member; a source that gave up waiting says so: a failover would then lose commits."""
    found = source.progress(before, now)
    waits = {name: position.values.get("semisync_status") for name, position in now.items()}
    return [replace(each, state=_ASYNCHRONOUS) if waits[each.member] == "OFF" else each for each in found]
