"""How long does a round trip between two members really take? Measured as a refused TCP connection.

No server listens on port 1 of a member: the kernel refuses the attempt after one round trip, and no server counts an
aborted connection.
"""

from __future__ import annotations

import socket
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from advisor.errors import LabError
from advisor.lab.network import namespaces
from advisor.lab.network.emulation import Network
from advisor.model.record import record

_PORT: Final = 1
_TRIES: Final = 5


@record
class RoundTrip:
    """Two members counted from 1 (`one` 0: a client of the lab): configured and measured time (median of five).

    `measured_ms` is None when no answer came.
    """

    one: int
    other: int
    meant_ms: float
    measured_ms: float | None


def measure(network: Network) -> list[RoundTrip]:
    """Every pair of members, and from a client to the first; one at a time, so that they do not disturb each other."""
    members = range(1, len(network.legs_ms) + 1)
    trips = [RoundTrip(0, 1, 0.0, _timed(network, "", 1, 0.0))]
    with ThreadPoolExecutor(max_workers=1) as pool:  # entering a namespace affects one thread, permanently
        for one in members:
            for other in range(one + 1, len(network.legs_ms) + 1):
                meant = network.round_trip_ms(one, other)
                space = network.namespace(one)
                trips.append(RoundTrip(one, other, meant, pool.submit(_timed, network, space, other, meant).result()))
    return trips


def wait_for_way(network: Network, patience_seconds: float = 10.0) -> None:
    """Wait until packets get through between the first two members; LabError when they do not in time."""
    until = time.monotonic() + patience_seconds
    with ThreadPoolExecutor(max_workers=1) as pool:
        while len(network.legs_ms) > 1:
            meant = network.round_trip_ms(1, 2)
            if pool.submit(_once, network.namespace(1), network.address(2), meant).result() is not None:
                return
            if time.monotonic() > until:
                raise LabError(
                    "network packets do not get through between the members",
                    hint="see forwarder.log in the lab's folder",
                )


def _timed(network: Network, space: str, member: int, meant_ms: float) -> float | None:
    times = [_once(space, network.address(member), meant_ms) for _ in range(_TRIES)]
    answered = [time_ms for time_ms in times if time_ms is not None]
    return round(statistics.median(answered), 3) if answered else None


def _once(space: str, address: str, meant_ms: float) -> float | None:
    """Milliseconds; None without an answer within five times the configured time plus half a second."""
    if space:
        namespaces.enter(space)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(0.5 + meant_ms * 5 / 1000)
        began = time.perf_counter()
        try:
            probe.connect((address, _PORT))
        except ConnectionRefusedError:
            return (time.perf_counter() - began) * 1000
        except OSError:
            return None
    return None  # a program listens there, so this is not only the round trip
