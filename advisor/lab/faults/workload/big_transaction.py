"""Every few seconds one transaction changes very many rows, and all transactions behind it wait."""

from __future__ import annotations

import time
from collections.abc import Callable

from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.faults.workload._scratch import drop_table, make_table, refuse_readers

STRENGTH = {"rows": 100_000, "every_ms": 5000}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process, on a separate table."""
    refuse_readers(target)
    return process.begin(target, "big_transaction", strength)


def clear(target: FaultTarget, undo: Undo) -> None:
    """Drop the table, too."""
    process.end(undo)
    drop_table(target, "big_transaction")


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """One statement, one transaction, all rows."""
    with target.session() as session:
        table = make_table(session, "big_transaction", int(strength["rows"]))
        while True:
            session.run(f"UPDATE {table} SET counter = counter + 1")
            working()
            time.sleep(strength["every_ms"] / 1000)
