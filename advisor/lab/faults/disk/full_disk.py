"""The member's disk is full. Needs a lab that was started with --disk."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.limits import disks

STRENGTH = {"free_megabytes": 0}
_BALLAST: Final = ".ballast"


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once: a file fills the disk.

    Statements that need space fail; a server may wait and retry every minute, or end (MariaDB 10.11, when its redo log
    cannot grow): run `advisor lab start` once there is space.
    """
    data = Path(target.member.option_file).parent / "data"
    if not disks.own(data):
        raise LabError(f"{target.member.name} has no separate disk", hint="start the lab with --disk 2G (as root)")
    disks.fill(data / _BALLAST, int(strength["free_megabytes"]) << 20)
    return {"file": str(data / _BALLAST)}


def clear(target: FaultTarget, undo: Undo) -> None:
    """Free the space."""
    Path(undo["file"]).unlink(missing_ok=True)
