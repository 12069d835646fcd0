"""How is a network between members emulated? With network namespaces, connected as a star.

Every member has a *leg* to the middle: the round trip between two members is the sum of their legs, and no member
sends faster than its bandwidth. Clients of the lab use a separate link, without delay and limit. Delay comes from
netem where the kernel has it, else from a program that forwards packets (advisor/lab/network/forwarder.py)."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import signal
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_files
from advisor.errors import LabError, MachineError, UsageError
from advisor.lab import processes
from advisor.lab.network import namespaces
from advisor.model.record import record, replace

# Two ranges of private addresses (RFC 1918); each lab uses a /24 of them, and its accounts log in from there.
RANGES: Final = ("10.213", "172.29")
_FILE: Final = "network.json"
_CLIENT: Final = 254  # where clients come from, as the last byte of the address
_MTU: Final = 1500
_QUEUE_PACKETS: Final = 5000
_LEAST_BURST_BYTES: Final = 16_384
_BURST_SECONDS: Final = 0.004  # a tick of the slowest usual kernel clock (250 Hz)
_QUEUE_MS: Final = 200  # how much of the limited rate may wait before packets are dropped
_RTT: Final = re.compile(r"(\d+(?:\.\d+)?)(us|ms|s)")
_BANDWIDTH: Final = re.compile(r"(\d+(?:\.\d+)?)(kbit|mbit|gbit)")
_MOST_RTT_MS: Final = 10_000.0


@record
class Network:
    """`number` selects the addresses; `legs_ms` and `bits_per_second` (0: no limit) have one value per member.

    `delayed_by`: "forwarder", "netem", or "" for a lab that was started without a delay.
    """

    lab: str
    number: int
    delayed_by: str
    legs_ms: tuple[float, ...]
    bits_per_second: tuple[int, ...]

    @property
    def subnet(self) -> str:
        """The first three bytes of every address."""
        return f"{RANGES[self.number // 256]}.{self.number % 256}"

    def address(self, member: int) -> str:
        """The address of a member, counted from 1."""
        return f"{self.subnet}.{member}"

    def namespace(self, member: int) -> str:
        """The namespace of a member, counted from 1."""
        return namespaces.name_of(self.lab, f"m{member}")

    def round_trip_ms(self, one: int, other: int) -> float:
        """The configured round trip between two members, counted from 1."""
        return self.legs_ms[one - 1] + self.legs_ms[other - 1]


def parse_rtt(text: str, option: str) -> float:
    """Milliseconds of "20ms", "500us" or "0.1s"; UsageError, naming the option, for anything else."""
    match = _RTT.fullmatch(text)
    rtt_ms = float(match[1]) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[match[2]] if match else -1.0
    if not 0 <= rtt_ms <= _MOST_RTT_MS:
        raise UsageError(f"{option} {text}: not a valid round-trip time", hint="e.g. 20ms, 500us or 0.1s; at most 10s")
    return rtt_ms


def parse_bandwidth(text: str, option: str) -> int:
    """Bits per second of "1gbit", "100mbit" or "800kbit"; UsageError, naming the option, for anything else."""
    match = _BANDWIDTH.fullmatch(text)
    bits = round(float(match[1]) * {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}[match[2]]) if match else 0
    if not 8000 <= bits <= 10**12:
        raise UsageError(f"{option} {text}: not a bandwidth", hint="e.g. 1gbit, 100mbit or 800kbit")
    return bits


def legs(members: int, rtt_ms: float, far: Mapping[int, float]) -> tuple[float, ...]:
    """Legs for `rtt_ms` between all members, except those in `far`, which get their own distance to the others."""
    for member, wanted in far.items():
        if wanted < rtt_ms / 2:
            raise UsageError(
                f"--member-rtt {member}:{wanted:g}ms is too small when the other members are {rtt_ms:g} ms apart",
                hint=f"use at least half of that, {rtt_ms / 2:g}ms",
            )
    return tuple(far[member] - rtt_ms / 2 if member in far else rtt_ms / 2 for member in range(1, members + 1))


def free_number(taken: Iterable[int]) -> int:
    """A number whose addresses no lab uses and no route of this machine covers (except the default route)."""
    mine = set(taken)
    routes = [
        ipaddress.ip_network(row["dst"], strict=False)
        for row in json.loads(namespaces.run(["ip", "-json", "-4", "route", "show", "table", "all"]))
        if row["dst"] != "default"
    ]
    for number in range(256 * len(RANGES)):
        subnet = ipaddress.ip_network(f"{RANGES[number // 256]}.{number % 256}.0/24")
        if number not in mine and not any(subnet.overlaps(route) for route in routes):
            return number
    raise LabError(f"no free private addresses in {' and '.join(f'{top}.0.0/16' for top in RANGES)}")


def read_network(folder: Path) -> Network | None:
    """The network of the lab in a folder; None when its members are on loopback."""
    try:
        data = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        return Network(
            folder.name, data["number"], data["delayed_by"], tuple(data["legs_ms"]), tuple(data["bits_per_second"])
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        raise LabError(
            f"{folder / _FILE} is damaged", hint=f"`advisor lab down {folder.name}` removes the lab"
        ) from None


def write_network(network: Network, folder: Path) -> None:
    """Write it to the lab's folder, where the forwarder reads its delays, too."""
    data = {name: value for name, value in vars(network).items() if name != "lab"}
    write_files({folder / _FILE: json.dumps(data)})


def build(network: Network, folder: Path) -> Network:
    """Create namespaces, links and limits; the network with what delays packets here. May fail half-way."""
    members = range(1, len(network.legs_ms) + 1)
    middle = namespaces.name_of(network.lab, "net")
    namespaces.make(middle)
    for member in members:
        namespaces.make(network.namespace(member))
        _client_link(network, member)
    if network.delayed_by:
        network = replace(network, delayed_by="netem" if _has_netem(middle) else "forwarder")
    write_network(network, folder)
    if network.delayed_by == "forwarder":
        for member in members:
            lines = ["tuntap add dev n0 mode tun vnet_hdr", f"link set n0 mtu {_MTU} txqueuelen {_QUEUE_PACKETS} up"]
            namespaces.configure(network.namespace(member), [*lines, _to_members(network, member)])
    else:
        namespaces.configure(middle, ["link add b0 type bridge", "link set b0 up"])
        for member in members:
            _bridge_link(network, middle, member)
    for member in members:
        limit(network, member)
    return network


def _client_link(network: Network, member: int) -> None:
    """A veth pair between a member and us; the address itself is on the member's loopback device."""
    here, address, client = f"adv{network.number}m{member}", network.address(member), network.address(_CLIENT)
    space = network.namespace(member)
    namespaces.configure(
        "",
        [
            f"link add {here} type veth peer name c0 netns {space}",
            f"addr add {client}/32 dev {here}",
            f"link set {here} up",
            f"route add {address}/32 dev {here} src {client}",
        ],
    )
    lines = ["link set lo up", f"addr add {address}/32 dev lo", "link set c0 up"]
    namespaces.configure(space, [*lines, f"route add {client}/32 dev c0 src {address}"])


def _bridge_link(network: Network, middle: str, member: int) -> None:
    space = network.namespace(member)
    port = f"p{member}"
    lines = [f"link add {port} type veth peer name n0 netns {space}", f"link set {port} master b0 up"]
    namespaces.configure(middle, lines)
    namespaces.configure(space, ["link set n0 up", _to_members(network, member)])
    if network.delayed_by == "netem":
        _delay_by_netem(network, member)


def _to_members(network: Network, member: int) -> str:
    return f"route add {network.subnet}.0/24 dev n0 src {network.address(member)}"


def _has_netem(space: str) -> bool:
    """Tried on a loopback device, because the kernel may load the module only on first use."""
    try:
        namespaces.run(["tc", "-netns", space, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms"])
    except MachineError:
        return False
    namespaces.run(["tc", "-netns", space, "qdisc", "delete", "dev", "lo", "root"])
    return True


def limit(network: Network, member: int) -> None:
    """Limit what a member sends to its bandwidth, from now on."""
    words = ["tc", "-netns", network.namespace(member), "qdisc"]
    bits = network.bits_per_second[member - 1]
    if bits:
        burst = max(_LEAST_BURST_BYTES, round(bits / 8 * _BURST_SECONDS))
        shape = ["tbf", "rate", f"{bits}bit", "burst", str(burst), "latency", f"{_QUEUE_MS}ms"]
        namespaces.run([*words, "replace", "dev", "n0", "root", "handle", "1:", *shape])
    elif "tbf" in namespaces.run([*words, "show", "dev", "n0"]):
        namespaces.run([*words, "delete", "dev", "n0", "root"])


def delay_member(network: Network, folder: Path, member: int) -> None:
    """Delay a member's packets as `network` says, from now on. LabError where nothing delays packets."""
    if network.delayed_by == "netem":
        _delay_by_netem(network, member)
    elif network.delayed_by == "forwarder":
        pids = forwarders(folder)
        if not pids:
            raise LabError("the forwarder is not running", hint=f"`advisor lab start {folder.name}` starts it again")
        os.kill(pids[0], signal.SIGHUP)
    else:
        raise LabError("this lab has no emulated delay", hint="start it with --rtt (0ms is enough)")


def _delay_by_netem(network: Network, member: int) -> None:
    """The whole leg delays packets to the member: on the way back they pass another member's leg."""
    words = ["tc", "-netns", namespaces.name_of(network.lab, "net"), "qdisc", "replace", "dev", f"p{member}", "root"]
    leg_us = round(network.legs_ms[member - 1] * 1000)
    namespaces.run([*words, "handle", "1:", "netem", "delay", f"{leg_us}us", "limit", "100000"])


def start_forwarder(folder: Path) -> int:
    """Start the program that forwards packets; its process id."""
    words = [sys.executable, "-m", "advisor.lab.network.forwarder", f"{processes.BELONGING}{folder}/{_FILE}"]
    return processes.start(words, folder / "forwarder.log")


def lacks_forwarder(folder: Path) -> bool:
    """Whether the lab in a folder needs a running forwarder and has none."""
    network = read_network(folder)
    return network is not None and network.delayed_by == "forwarder" and not forwarders(folder)


def forwarders(folder: Path) -> list[int]:
    """The process ids of the forwarders of the lab in a folder: one, or none."""
    return sorted(processes.naming(f"{processes.BELONGING}{folder}/{_FILE}"))
