"""What happens to a member's packets? Words of netem, done with the lab's own link where the kernel has no netem."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.network.emulation import (
    Network,
    delay_member,
    limit,
    parse_bandwidth,
    parse_rtt,
    read_network,
    write_network,
)
from advisor.model.record import replace

_WORDS: Final = re.compile(r"(delay|rate) (\S+)")


def shape(target: FaultTarget, netem: str) -> Callable[[], None]:
    """Delay what a member sends ("delay 20ms") or limit it ("rate 2mbit"), both together too; how to undo it.

    The lab has the delay in both directions, half of it each: the round trip grows by the same.
    """
    found = dict(_WORDS.findall(netem))
    if " ".join(f"{word} {value}" for word, value in found.items()) != " ".join(netem.split()):
        raise LabError(f"netem {netem!r}: only delay and rate, once each, are possible here")
    before = read_network(target.folder)
    if before is None:
        raise LabError("the members of this lab are on loopback")
    place = target.number - 1
    far, bits = list(before.legs_ms), list(before.bits_per_second)
    if "delay" in found:
        far[place] += parse_rtt(found["delay"], "delay")
    if "rate" in found:
        bits[place] = parse_bandwidth(found["rate"], "rate")
    _apply(replace(before, legs_ms=tuple(far), bits_per_second=tuple(bits)), target.folder, target.number)

    def undo() -> None:
        now = read_network(target.folder)
        if now:
            far, bits = list(now.legs_ms), list(now.bits_per_second)
            far[place], bits[place] = before.legs_ms[place], before.bits_per_second[place]
            _apply(replace(now, legs_ms=tuple(far), bits_per_second=tuple(bits)), target.folder, target.number)

    return undo


def _apply(network: Network, folder: Path, member: int) -> None:
    write_network(network, folder)
    delay_member(network, folder, member)
    limit(network, member)
