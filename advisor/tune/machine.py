"""What is this machine, as far as a search space asks?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.errors import UsageError
from advisor.tune.space_schema import HOST_FACTS

CONNECTIONS: Final = 100.0  # clients and appliers, where nobody says how many there will be
_SIZES: Final = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SHORT: Final = {"memory": "memory_bytes", "disk": "disk_free_bytes"}


def this_machine(data_folder: str = "/") -> dict[str, float]:
    """The processors this process may use, the physical memory, the free disk space below a folder."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpus": float(processors),
        "memory_bytes": float(memory),
        "disk_free_bytes": float(shutil.disk_usage(data_folder).free),
        "connections": CONNECTIONS,
    }


def stated_machine(texts: Sequence[str], known: Mapping[str, float]) -> dict[str, float]:
    """`known` with what was said: "cpus=16,memory=64G,disk=1T,connections=200"; UsageError when it is not like that."""
    machine = dict(known)
    for part in ",".join(texts).split(","):
        if not part.strip():
            continue
        name, _, value = (word.strip() for word in part.partition("="))
        name = _SHORT.get(name, name)
        number, unit = (value[:-1], value[-1:].upper()) if value[-1:].upper() in _SIZES else (value, "")
        if name not in HOST_FACTS or not number.replace(".", "", 1).isdecimal() or float(number) <= 0:
            raise UsageError(f"--host {part.strip()!r} is not understood", hint="--host cpus=16,memory=64G,disk=500G")
        machine[name] = float(number) * _SIZES.get(unit, 1)
    return machine
