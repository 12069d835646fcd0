"""The server is killed (SIGKILL), as in a crash or by the OOM killer; clearing the fault starts it again."""

from __future__ import annotations

from advisor.lab import members, processes
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH: dict[str, int] = {}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once."""
    processes.end([target.pid])
    return {}


def clear(target: FaultTarget, undo: Undo) -> None:
    """Start it, and let it rejoin."""
    members.start(target.cluster, [target.member.name])
