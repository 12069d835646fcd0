"""The server's disk accepts only a few writes per second. Needs root (cgroup); ends when the server's process ends."""

from __future__ import annotations

import os
from pathlib import Path

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.limits import cgroups

STRENGTH = {"writes_per_second": 100}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """From the next write on; one fsync of a file system with a journal is some three writes."""
    pid, device = target.pid, disk_of(target.folder)
    place = cgroups.make(target.lab, target.number, "blkio", _files(device, int(strength["writes_per_second"])))
    if place is None:
        raise LabError(f"a cgroup that limits disk {device} cannot be created here", hint="run as root")
    cgroups.join(place, pid)
    return {"device": device}


def clear(target: FaultTarget, undo: Undo) -> None:
    """As many writes as the disk can take."""
    cgroups.make(target.lab, target.number, "blkio", _files(str(undo["device"]), 0))


def disk_of(folder: Path) -> str:
    """Major and minor number of the whole disk a folder is on; LabError where there is none (tmpfs, overlay)."""
    number = os.stat(folder).st_dev
    place = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve()
    disk = place.parent if (place / "partition").exists() else place
    try:
        return (disk / "dev").read_text(encoding="ascii").strip()
    except OSError:
        raise LabError(f"{folder} is not on a block device (it may be on tmpfs or overlay)") from None


def _files(device: str, per_second: int) -> dict[str, str]:
    if cgroups.first_version():
        return {"blkio.throttle.write_iops_device": f"{device} {per_second}"}
    return {"io.max": f"{device} wiops={per_second or 'max'}"}
