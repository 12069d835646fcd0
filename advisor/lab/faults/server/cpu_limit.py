"""The server gets only a share of the CPUs. Needs root (cgroup); ends when the server's process ends."""

from __future__ import annotations

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.limits import cgroups
from advisor.lab.limits.cpus import parse_cpus, quota

STRENGTH = {"cpus": 0.2}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once."""
    pid, files = target.pid, quota(parse_cpus(str(strength["cpus"]), "cpus"))
    place = cgroups.folder(target.lab, target.number, "cpu")
    before = {name: (place / name).read_text(encoding="ascii").strip() for name in files if (place / name).exists()}
    made = cgroups.make(target.lab, target.number, "cpu", files)
    if made is None:
        raise LabError("a cgroup that limits CPUs cannot be created here", hint="run as root")
    cgroups.join(made, pid)
    return {"files": before or quota(0)}


def clear(target: FaultTarget, undo: Undo) -> None:
    """The share it had before, or all."""
    cgroups.make(target.lab, target.number, "cpu", undo["files"])
