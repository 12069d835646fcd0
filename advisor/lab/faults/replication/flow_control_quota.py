"""Group Replication's flow control starts early and then lets only a few transactions through."""

from __future__ import annotations

from advisor.lab.fault_injection.target import FaultTarget, restore_globals, set_global
from advisor.lab.faults import Strength, Undo

STRENGTH = {"max_quota": 300, "threshold": 200}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once; a writer obeys its own quota, and a member its own thresholds."""
    target.refuse_unless(target.in_group, "this fault needs Group Replication")
    names = ("applier_threshold", "certifier_threshold")
    values = {f"group_replication_flow_control_{name}": strength["threshold"] for name in names}
    return set_global(target, {**values, "group_replication_flow_control_max_quota": strength["max_quota"]})


def clear(target: FaultTarget, undo: Undo) -> None:
    """Restore the old value."""
    restore_globals(target, undo)
