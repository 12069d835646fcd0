"""Every group of commits waits before it is written to the binary log."""

from __future__ import annotations

from typing import Final

from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.lab.faults import Strength, Undo
from advisor.model.server import Family

STRENGTH = {"delay_us": 10_000}
_NEVER_ENOUGH: Final = 100_000  # MariaDB waits for this many commits, or for the whole delay


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once."""
    if target.family is Family.MYSQL:
        return set_global(target, {"binlog_group_commit_sync_delay": strength["delay_us"]})
    return set_global(
        target, {"binlog_commit_wait_usec": strength["delay_us"], "binlog_commit_wait_count": _NEVER_ENOUGH}
    )


def clear(target: FaultTarget, undo: Undo) -> None:
    """Restore the old value."""
    restore_globals(target, undo)
