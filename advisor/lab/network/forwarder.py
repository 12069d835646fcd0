"""How is a packet delayed where the kernel has no netem? Read from one TUN device, held, written to another.

`python -m advisor.lab.network.forwarder --advisor-lab=FOLDER/network.json`, one process per lab. It ends when it is
killed, by `lab down`. SIGHUP makes it read the file again. Packets are taken whole, as large as TCP hands them to the
device (up to 64 KiB), checksums left to the kernel, so that bulk costs little."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from pathlib import Path
from select import select
from typing import Final

from advisor.lab import processes
from advisor.lab.network import namespaces
from advisor.lab.network.emulation import Network, read_network

# linux/if_tun.h
_ATTACH: Final = 0x400454CA  # TUNSETIFF
_OFFLOAD: Final = 0x400454D0  # TUNSETOFFLOAD
_FLAGS: Final = 0x0001 | 0x1000 | 0x4000  # IFF_TUN, IFF_NO_PI, IFF_VNET_HDR
_WHOLE: Final = 0x01 | 0x02 | 0x04  # TUN_F_CSUM, TUN_F_TSO4, TUN_F_TSO6
_HEADER_BYTES: Final = 10  # struct virtio_net_hdr
_TARGET: Final = slice(_HEADER_BYTES + 16, _HEADER_BYTES + 20)  # of an IPv4 header
_READ_BYTES: Final = _HEADER_BYTES + 65_535
_READS_AT_ONCE: Final = 64
_MOST_HELD: Final = 100_000  # packets; as netem's own limit in advisor/lab/network/emulation.py
_TIMER_SLACK: Final = 29  # PR_SET_TIMERSLACK, in nanoseconds; the default of 50 µs would be in every round trip


def open_device(namespace: str) -> int:
    """The device n0 of a namespace; this thread stays there."""
    namespaces.enter(namespace)
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _ATTACH, struct.pack("16sH22x", b"n0", _FLAGS))
    fcntl.ioctl(device, _OFFLOAD, _WHOLE)
    return device


def delays(network: Network) -> dict[tuple[int, bytes], float]:
    """Seconds one way, by sending member (counted from 1) and receiving address: half of the round trip."""
    members = range(1, len(network.legs_ms) + 1)
    return {
        (one, socket.inet_aton(network.address(other))): network.round_trip_ms(one, other) / 2000
        for one in members
        for other in members
    }


def forward(devices: dict[int, int], targets: dict[bytes, int], waits: dict[tuple[int, bytes], float]) -> None:
    """Forward packets forever. `devices`: file → member; `targets`: address → file; `waits` may change meanwhile."""
    held: list[tuple[float, int, int, bytes]] = []
    clock, count, files = time.monotonic, 0, list(devices)
    while True:
        now = clock()
        while held and held[0][0] <= now:
            _, _, file, packet = heappop(held)
            _write(file, packet)
            now = clock()
        for file in select(files, (), (), held[0][0] - now if held else None)[0]:
            member = devices[file]
            for _ in range(_READS_AT_ONCE):
                try:
                    packet = os.read(file, _READ_BYTES)
                except BlockingIOError:
                    break
                target = packet[_TARGET]
                if target in targets and len(held) < _MOST_HELD:
                    count += 1  # keeps packets of the same time in their order
                    heappush(held, (clock() + waits[member, target], count, targets[target], packet))


def _write(file: int, packet: bytes) -> None:
    """A packet that the other side does not accept is lost, as on any network."""
    with suppress(OSError):
        os.write(file, packet)


def _be_punctual() -> None:
    """Take priority over the servers, which may use all CPUs; without permission, do without."""
    ctypes.CDLL(None).prctl(_TIMER_SLACK, 1000, 0, 0, 0)
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def _on_change(folder: Path, waits: dict[tuple[int, bytes], float]) -> Callable[[int, object], None]:
    def again(signum: int, frame: object) -> None:
        network = read_network(folder)
        if network:
            waits.update(delays(network))

    return again


def main(words: list[str]) -> int:
    """Run until killed. Exit code 2 when the file describes no network."""
    folder = Path(words[0].removeprefix(processes.BELONGING)).parent
    network = read_network(folder)
    if network is None:
        return 2
    waits = delays(network)
    signal.signal(signal.SIGHUP, _on_change(folder, waits))
    devices = {open_device(network.namespace(member)): member for member in range(1, len(network.legs_ms) + 1)}
    targets = {socket.inet_aton(network.address(member)): file for file, member in devices.items()}
    _be_punctual()
    forward(devices, targets, waits)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
