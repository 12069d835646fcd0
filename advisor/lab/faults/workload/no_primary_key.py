"""Many rows change in a table without any key, so replicas scan the whole table for each row."""

from __future__ import annotations

import time
from collections.abc import Callable

from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.faults.workload._scratch import drop_table, make_table, refuse_readers

STRENGTH = {"rows": 2000, "every_ms": 1000}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process, on a separate table."""
    refuse_readers(target)
    target.refuse_unless(not target.in_group, "Group Replication refuses writes to tables without a primary key")
    return process.begin(target, "no_primary_key", strength)


def clear(target: FaultTarget, undo: Undo) -> None:
    """Drop the table, too."""
    process.end(undo)
    drop_table(target, "no_primary_key")


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """One statement that changes all rows."""
    with target.session() as session:
        table = make_table(session, "no_primary_key", int(strength["rows"]), key="")
        while True:
            session.run(f"UPDATE {table} SET counter = counter + 1")
            working()
            time.sleep(strength["every_ms"] / 1000)
