"""The redo log is so small that InnoDB must flush pages all the time."""

from __future__ import annotations

from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.lab.faults import Strength, Undo
from advisor.model.server import Family

STRENGTH = {"megabytes": 16}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """While it runs: MySQL from 8.0.30, MariaDB from 10.9; MySQL shrinks as it writes, MariaDB at once."""
    name = "innodb_redo_log_capacity" if target.family is Family.MYSQL else "innodb_log_file_size"
    return set_global(target, {name: int(strength["megabytes"]) << 20})


def clear(target: FaultTarget, undo: Undo) -> None:
    """As large as before."""
    restore_globals(target, undo)
