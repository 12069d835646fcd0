"""InnoDB lets only a few threads run at a time, so clients queue inside the server. MariaDB 10.6 and later cannot."""

from __future__ import annotations

from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.lab.faults import Strength, Undo

STRENGTH = {"threads": 1}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once."""
    return set_global(target, {"innodb_thread_concurrency": strength["threads"]})


def clear(target: FaultTarget, undo: Undo) -> None:
    """Restore the old value."""
    restore_globals(target, undo)
