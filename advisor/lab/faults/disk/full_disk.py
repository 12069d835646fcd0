"""The member's disk is full. Needs a lab that was brought up with --disk."""

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
    """At once: a file takes the room.

    A statement that finds none fails; a server may wait and look again every minute, or end (MariaDB 10.11, when its
    redo log finds none): `advisor lab start` once there is room.
    """
    data = Path(target.member.option_file).parent / "data"
    if not disks.own(data):
        raise LabError(
            f"{target.member.name} has its data where everything else is", hint="bring the lab up with --disk 2G (root)"
        )
    disks.fill(data / _BALLAST, int(strength["free_megabytes"]) << 20)
    return {"file": str(data / _BALLAST)}


def clear(target: FaultTarget, undo: Undo) -> None:
    """The room is back."""
    Path(undo["file"]).unlink(missing_ok=True)
