"""What does a machine have of what the bounds of a search space depend on?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Final

from advisor.errors import UsageError
from advisor.evidence.host_grammar import stated_host
from advisor.tune.space.space_file import HOST_FACTS

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


def host_from_options(texts: Sequence[str], known: Mapping[str, float]) -> dict[str, float]:
    """`known` with what was stated: "cpus=16,memory=64G,disk=1T,connections=200"; UsageError as `stated_host` says."""
    machine = dict(known)
    for name, stated in stated_host(texts, HOST_FACTS).items():
        if isinstance(stated.value, str) or stated.value <= 0:
            raise UsageError(f"--host {stated.written}: not a number above zero", hint="--host cpus=16,memory=64G")
        machine[name] = float(stated.value)
    return machine
