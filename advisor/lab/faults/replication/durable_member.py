"""The member flushes every commit to its disk, even if the others do not, so it is slower than they are."""

from __future__ import annotations

from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.lab.faults import Strength, Undo

STRENGTH = {"sync_binlog": 1, "innodb_flush_log_at_trx_commit": 1}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once."""
    return set_global(target, {name: strength[name] for name in STRENGTH})


def clear(target: FaultTarget, undo: Undo) -> None:
    """Restore the old value."""
    restore_globals(target, undo)
