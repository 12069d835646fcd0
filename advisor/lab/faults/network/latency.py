"""The member has a longer round trip to all others. Needs a lab that was started with --rtt (0ms is enough)."""

from __future__ import annotations

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.network.emulation import Network, delay_member, read_network, write_network
from advisor.model.record import replace

STRENGTH = {"rtt_ms": 100.0}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """From the next packet on; `rtt_ms` is to the nearest other member."""
    network = read_network(target.folder)
    if network is None:
        raise LabError(f"the members of {target.lab} are on loopback", hint="start the lab with --rtt (0ms is enough)")
    own = network.legs_ms[target.number - 1]
    others = [leg for number, leg in enumerate(network.legs_ms, 1) if number != target.number]
    leg = float(strength["rtt_ms"]) - min(others, default=0.0)
    if leg < 0:
        raise LabError(
            f"rtt_ms={strength['rtt_ms']} is less than the round-trip time of the other members, {min(others):g} ms"
        )
    _set(target, network, leg)
    return {"leg_ms": own}


def clear(target: FaultTarget, undo: Undo) -> None:
    """As far as before."""
    network = read_network(target.folder)
    if network:
        _set(target, network, float(undo["leg_ms"]))


def _set(target: FaultTarget, network: Network, leg_ms: float) -> None:
    legs = list(network.legs_ms)
    legs[target.number - 1] = leg_ms
    new = replace(network, legs_ms=tuple(legs))
    if not new.delayed_by:
        raise LabError("this lab has no emulated delay", hint="start the lab with --rtt (0ms is enough)")
    write_network(new, target.folder)
    delay_member(new, target.folder, target.number)
