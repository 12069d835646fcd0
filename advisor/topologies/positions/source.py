"""How far are a source and its replicas? The words of each member's own family; across families nothing compares."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.gtid.sets import transactions
from advisor.model.progress import Position, Progress
from advisor.model.server import Family
from advisor.nodes import Node
from advisor.topologies.positions import mariadb, mysql
from advisor.topologies.positions.reading import timed


def read_position(node: Node) -> Position:
    """What a member has written, received and applied."""
    return timed(node, mariadb.read if node.dialect.family is Family.MARIADB else mysql.read)


def written(positions: Mapping[str, Position]) -> int | None:
    """How many transactions the source has committed, whoever's they were."""
    source = mysql.source_of(positions)
    if source is None:
        return None
    if mariadb.is_from(source):
        domains = mariadb.written(source)
        return None if domains is None else sum(domains.values())
    gtids = mysql.executed(source)
    return None if gtids is None else transactions(gtids)


def progress(before: Mapping[str, Position], now: Mapping[str, Position]) -> list[Progress]:
    """Every member; a replica against the source. What is not comparable is None."""
    theirs = {name: position for name, position in now.items() if mariadb.is_from(position)}
    others = {name: position for name, position in now.items() if name not in theirs}
    found = {each.member: each for each in [*mariadb.progress(before, theirs), *mysql.progress(before, others)]}
    return [found[name] for name in now]
