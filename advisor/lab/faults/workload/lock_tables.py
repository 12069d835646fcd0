"""All tables of the member are locked repeatedly (FLUSH TABLES WITH READ LOCK), as a backup does."""

from __future__ import annotations

import time
from collections.abc import Callable

from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH = {"locked_ms": 500, "free_ms": 500}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process."""
    return process.begin(target, "lock_tables", strength)


def clear(target: FaultTarget, undo: Undo) -> None:
    """The lock ends with the connection that holds it."""
    process.end(undo)


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """Pulses of lock and unlock."""
    with target.session() as session:
        while True:
            session.run("FLUSH TABLES WITH READ LOCK")
            working()
            time.sleep(strength["locked_ms"] / 1000)
            session.run("UNLOCK TABLES")
            time.sleep(strength["free_ms"] / 1000)
