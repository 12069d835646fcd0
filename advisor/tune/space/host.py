"""What do the machines of the members have of what the bounds of a search space depend on?

Members may differ in size. A configuration must fit on each of them, so bounds are those of the smallest; what is a
share of the memory (the buffer pool) is set in proportion on the others (`advisor.tune.space.member_values`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.errors import UsageError
from advisor.evidence.host_grammar import stated_host
from advisor.tune.space.space_file import HOST_FACTS

Machines = Mapping[str, Mapping[str, float]]  # member → host fact → value
_MEMBER: Final = ":"  # between a member's name and what its machine has
CONNECTIONS: Final = 100.0  # clients and appliers, where their number is not stated


def this_host(data_folder: str = "/") -> dict[str, float]:
    """The CPUs this process may use, the physical memory, the free disk space below a folder."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpus": float(cpus),
        "memory_bytes": float(memory),
        "disk_free_bytes": float(shutil.disk_usage(data_folder).free),
        "connections": CONNECTIONS,
    }


def member_machines(texts: Sequence[str], members: Sequence[str], known: Mapping[str, float]) -> Machines:
    """Each member's machine: `known` with what was stated of all ("memory=64G") and of it ("m2:memory=16G,cpus=4").

    UsageError for a member that is not there, else as `stated_host` says.
    """
    of_all = [text for text in texts if _MEMBER not in text]
    of_one: dict[str, list[str]] = {}
    for text in texts:
        name, colon, facts = text.partition(_MEMBER)
        if colon:
            of_one.setdefault(name.strip(), []).append(facts)
    for name in of_one:
        if name not in members:
            hint = f"members: {', '.join(members)}; a --host for each, e.g. --host {members[0]}:memory=16G"
            raise UsageError(f"--host: {name!r} is not a member", hint=hint)
    machine = host_from_options(of_all, known)
    return {name: host_from_options(of_one.get(name, []), machine) for name in members}


def smallest(machines: Machines) -> dict[str, float]:
    """The least of each figure that is known of every machine."""
    first, *others = machines.values()
    return {
        name: min(value, *(other[name] for other in others)) if others else value
        for name, value in first.items()
        if all(name in other for other in others)
    }


def memory_shares(machines: Machines) -> dict[str, float]:
    """Member → its memory as a multiple of the least; {} where all have the same, or it is not known of one."""
    known = {name: machine["memory_bytes"] for name, machine in machines.items() if "memory_bytes" in machine}
    least = min(known.values(), default=0.0)
    if len(known) < len(machines) or max(known.values(), default=0.0) == least:
        return {}
    return {name: memory / least for name, memory in known.items()}


def host_from_options(texts: Sequence[str], known: Mapping[str, float]) -> dict[str, float]:
    """`known` with what was stated: "cpus=16,memory=64G,disk=1T,connections=200"; UsageError as `stated_host` says."""
    machine = dict(known)
    for name, stated in stated_host(texts, HOST_FACTS).items():
        if isinstance(stated.value, str) or stated.value <= 0:
            raise UsageError(f"--host {stated.written}: not a number above zero", hint="--host cpus=16,memory=64G")
        machine[name] = float(stated.value)
    return machine
