"""How much memory and how many CPUs may a container use?

Kubernetes: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ (512Mi, 2G, 1500m);
Compose: https://docs.docker.com/reference/compose-file/deploy/#resources and `mem_limit` (2g is 2 GiB there).
"""

from __future__ import annotations

import re
from typing import Final

from advisor.data import Located
from advisor.evidence.member.builder import MemberBuilder

_BINARY: Final = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}
_DECIMAL: Final = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_OF_COMPOSE: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_LEAST_BYTES: Final = 1 << 20  # below it a number is a slip


def quantity(text: str) -> float | None:
    """A quantity of Kubernetes as a number; None for what is none."""
    milli = re.fullmatch(r"(\d+)m", text.strip())
    if milli:
        return int(milli[1]) / 1000
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|k|M|G|T|)", text.strip())
    return float(found[1]) * ({**_BINARY, **_DECIMAL}[found[2]]) if found else None


def compose_bytes(text: str) -> float | None:
    """A size in a Compose file as bytes; None for what is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kmg]?)b?", text.strip().lower())
    return float(found[1]) * _OF_COMPOSE[found[2]] if found else None


def add_limits(builder: MemberBuilder, memory_bytes: float | None, cpus: float | None, source: str) -> None:
    """What a container may use is what the server has of its host."""
    if memory_bytes is not None and memory_bytes >= _LEAST_BYTES:
        builder.add_host("memory_bytes", int(memory_bytes), "bytes", source)
    if cpus:
        builder.add_host("cpus", int(cpus) if cpus == int(cpus) else cpus, "", source)


def add_kubernetes_limits(builder: MemberBuilder, resources: Located | None, file: str) -> None:
    """The limits of `resources:`; without any a container may use all of its node, of which nothing is known."""
    limits = resources.get("limits") if resources else None
    if limits is None:
        return
    memory, cpus = (limits.get(name) for name in ("memory", "cpu"))
    place = f"{file}:{(memory or cpus or limits).line}"
    add_limits(builder, quantity(memory.text) if memory else None, quantity(cpus.text) if cpus else None, place)
