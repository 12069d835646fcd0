"""A replica no longer acknowledges: commits wait for the others, or until the source times out."""

from __future__ import annotations

from advisor.lab.fault_injection.applier_settings import restore_for_appliers, set_for_appliers
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.model.server import Topology

STRENGTH: dict[str, int] = {}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """From its next connection to the source on."""
    semisync = target.cluster.topology is Topology.SEMISYNC and target.replicates
    target.refuse_unless(semisync, "only a semi-synchronous replica acknowledges")
    names = [name for name in target.dialect.semisync_replica_settings if name.startswith("rpl_")]
    return set_for_appliers(target, dict.fromkeys(names, 0))


def clear(target: FaultTarget, undo: Undo) -> None:
    """It acknowledges again."""
    restore_for_appliers(target, undo)
