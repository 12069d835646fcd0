"""How does a lab disappear without a trace? Its processes, limits, network and folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from advisor.errors import LabError, MachineError
from advisor.lab import folders, processes
from advisor.lab.limits import cgroups, disks
from advisor.lab.network import namespaces
from advisor.lab.state import LabState, read_state

_REMOVE_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.05


def take_down(name: str) -> None:
    """End every process of a lab and delete its folder; harmless when repeated, or after a reboot."""
    folder = folders.lab(name)
    try:
        state = read_state(name)
    except MachineError:
        state = LabState(name)
    with processes.undisturbed():
        known = {process.pid for process in state.processes.values() if processes.alive(process)}
        mine = set(processes.using(folder)) | set(processes.naming(f"{processes.BELONGING}{folder}/"))
        processes.end(known | mine)
        _patiently(lambda: cgroups.remove(name))
        namespaces.remove(name)
        _patiently(lambda: disks.remove(folder))
        _patiently(lambda: _remove_folder(folder))


def _remove_folder(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _patiently(remove: Callable[[], None]) -> None:
    """Retry for a while: a dead process's threads, or a killed `advisor`'s `cp`, may still be ending."""
    until = time.monotonic() + _REMOVE_SECONDS
    while True:
        try:
            remove()
            return
        except OSError as error:
            if time.monotonic() > until:
                raise LabError(f"cannot remove {error.filename}: {error.strerror}") from None
        time.sleep(_POLL_SECONDS)
