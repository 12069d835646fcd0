"""Tables are rebuilt again and again (ALTER TABLE … ALGORITHM=COPY), and appliers wait for each rebuild."""

from __future__ import annotations

import time
from collections.abc import Callable

from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.faults.workload._scratch import drop_table, make_table, refuse_readers

STRENGTH = {"rows": 20_000, "every_ms": 1000}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process, on a separate table."""
    refuse_readers(target)
    return process.begin(target, "ddl", strength)


def clear(target: FaultTarget, undo: Undo) -> None:
    """Drop the table, too."""
    process.end(undo)
    drop_table(target, "ddl")


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """Rebuild, and again."""
    with target.session() as session:
        table = make_table(session, "ddl", int(strength["rows"]))
        while True:
            session.run(f"ALTER TABLE {table} ENGINE=InnoDB, ALGORITHM=COPY")
            working()
            time.sleep(strength["every_ms"] / 1000)
