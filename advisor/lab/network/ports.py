"""Which ports are free? Below the range that the kernel gives to clients, so that no client takes one by chance."""

from __future__ import annotations

import socket
from collections.abc import Collection
from typing import Final

from advisor.errors import LabError

PORTS: Final = range(21000, 32000)
PORTS_PER_MEMBER: Final = 4


def free_ports(endpoints: int, taken: Collection[int]) -> list[tuple[int, int, int, int]]:
    """Four ports per member on which no program listens and that no other lab (`taken`) has reserved."""
    free: list[int] = []
    for port in PORTS:
        if port not in taken and _is_free(port):
            free.append(port)
            if len(free) == endpoints * PORTS_PER_MEMBER:
                return [(a, b, c, d) for a, b, c, d in zip(*[iter(free)] * PORTS_PER_MEMBER, strict=True)]
    raise LabError(f"fewer than {endpoints * PORTS_PER_MEMBER} free ports in {PORTS.start}-{PORTS.stop - 1}")


def _is_free(port: int) -> bool:
    """Free on all interfaces: a listener on any of them may conflict."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True
