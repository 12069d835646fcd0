"""A replica receives but does not apply: its backlog grows with every write."""

from __future__ import annotations

from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH: dict[str, int] = {}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """Stop the thread that applies."""
    target.refuse_unless(target.replicates, "only a replica's applier can be stopped separately")
    with target.session() as session:
        session.run(target.dialect.start_replica.replace("START", "STOP") + " SQL_THREAD")
    return {}


def clear(target: FaultTarget, undo: Undo) -> None:
    """Start it again."""
    if target.runs:
        with target.session() as session:
            session.run(target.dialect.start_replica + " SQL_THREAD")
