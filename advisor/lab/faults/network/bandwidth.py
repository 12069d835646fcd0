"""The member sends slowly to all others. Needs a lab that was started with --rtt or --bandwidth."""

from __future__ import annotations

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.network.emulation import limit, read_network, write_network
from advisor.model.record import replace

STRENGTH = {"mbit": 10.0}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """From the next packet on."""
    return {"bits_per_second": _set(target, round(float(strength["mbit"]) * 1e6))}


def clear(target: FaultTarget, undo: Undo) -> None:
    """As fast as before."""
    _set(target, int(undo["bits_per_second"]))


def _set(target: FaultTarget, bits: int) -> int:
    network = read_network(target.folder)
    if network is None:
        raise LabError(f"the members of {target.lab} are on loopback", hint="start the lab with --rtt or --bandwidth")
    all_bits = list(network.bits_per_second)
    before, all_bits[target.number - 1] = all_bits[target.number - 1], bits
    new = replace(network, bits_per_second=tuple(all_bits))
    write_network(new, target.folder)
    limit(new, target.number)
    return before
