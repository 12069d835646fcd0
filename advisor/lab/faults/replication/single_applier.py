"""A single worker applies what the member receives, so the member is slower than the writers."""

from __future__ import annotations

from advisor.lab.fault_injection.applier_settings import restore_for_appliers, set_for_appliers
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH = {"workers": 1}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """Replicas and secondaries stop and start applying; Galera changes while it runs."""
    target.refuse_unless(
        target.replicates or target.in_group or target.in_galera, "only members that apply transactions have appliers"
    )
    name = "wsrep_slave_threads" if target.in_galera else target.dialect.workers
    return set_for_appliers(target, {name: strength["workers"]})


def clear(target: FaultTarget, undo: Undo) -> None:
    """As many workers as before."""
    restore_for_appliers(target, undo)
