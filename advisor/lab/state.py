"""What does the lab record of a cluster? In the cluster's folder, a file with its processes and ports.

`lab.json` is written before anything is started and after every start, so that a later `advisor` finds everything,
however the earlier one ended.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_files
from advisor.cluster_file import read_cluster
from advisor.errors import LabError, MachineError, UsageError
from advisor.lab import folders, processes
from advisor.lab.network.emulation import read_network
from advisor.lab.processes import Process
from advisor.model.lab import ClusterFile
from advisor.model.record import field, record, replace

_FILE: Final = "lab.json"


@record
class LabState:
    """`processes` by member, or by purpose; `ready_seconds` is how long it took to become ready, None before."""

    name: str
    ports: tuple[int, ...] = ()
    processes: Mapping[str, Process] = field(default_factory=dict)
    ready_seconds: float | None = None

    @property
    def folder(self) -> Path:
        """The cluster's folder."""
        return folders.lab(self.name)

    @property
    def cluster_path(self) -> Path:
        """Its cluster.yaml, written when it is ready."""
        return self.folder / "cluster.yaml"


def names() -> list[str]:
    """Every lab that has a folder, up or not."""
    return sorted(place.name for place in folders.labs().iterdir() if place.is_dir())


def read_state(name: str) -> LabState:
    """The recorded state of a lab; UsageError when there is no lab of that name."""
    folder = folders.lab(name)
    if not folder.is_dir():
        raise UsageError(f"there is no lab called {name!r}", hint=f"labs: {', '.join(names()) or 'none'}")
    try:
        data = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        return LabState(
            name=name,
            ports=tuple(data["ports"]),
            processes={member: Process(**process) for member, process in data["processes"].items()},
            ready_seconds=data["ready_seconds"],
        )
    except FileNotFoundError:
        return LabState(name)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LabError(f"{folder / _FILE} is damaged", hint=f"`advisor lab down {name}` removes the lab") from None


def read_lab(name: str) -> ClusterFile:
    """The cluster of a lab; LabError while it starts, or if its start did not finish."""
    path = read_state(name).cluster_path
    if not path.exists():
        raise LabError(f"lab {name!r} is not ready", hint=f"see `advisor lab status {name}`")
    return read_cluster(path)


def write_state(state: LabState) -> None:
    """Replace the lab's file as a whole."""
    target = state.folder / _FILE
    data = {
        "ports": list(state.ports),
        "processes": {member: vars(process) for member, process in state.processes.items()},
        "ready_seconds": state.ready_seconds,
    }
    write_files({target: json.dumps(data)})


@contextmanager
def reservation() -> Iterator[None]:
    """A lock: only one `advisor` at a time reserves names and ports."""
    with open(folders.labs().parent / "lock", "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def note_process(name: str, what: str, pid: int) -> None:
    """Record a process of a lab: a server under its member's name, another under its purpose."""
    identity = processes.identify(pid)
    if identity:
        with reservation():
            now = read_state(name)
            write_state(replace(now, processes={**now.processes, what: identity}))


def taken_networks() -> set[int]:
    """Numbers of the networks of all labs."""
    known = (read_network(folders.lab(name)) for name in names())
    return {network.number for network in known if network}


def taken_ports() -> set[int]:
    """Ports reserved by all labs; those of a lab with a damaged file are noticed because they are in use."""
    ports: set[int] = set()
    for name in names():
        try:
            ports.update(read_state(name).ports)
        except MachineError:
            continue
    return ports
