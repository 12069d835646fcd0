"""What ends a trial, or the night, at once? Watched before every trial and every second of it."""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

from advisor.errors import AdvisorError
from advisor.lab.folders import home
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Phase, Second

MOST_ERRORS: Final = 0.2  # of the transactions of ten seconds: clients of such a server call their DBA
LEAST_FREE_BYTES: Final = 1 << 30  # below it a server that fills its disk stops; binary logs of a trial are smaller
FULL_BYTES: Final = 16 << 20  # a server that finds no room for its binary log waits, and answers nobody
START_FREE_BYTES: Final = 256 << 20  # temporary tablespaces, redo and log files of a server that starts
_ERROR_MOMENTS: Final = 10


class Tripped(AdvisorError):
    """A configuration does what no owner would bear; the trial ends, the study goes on."""

    exit_code = 4


class Unsafe(AdvisorError):
    """Going on would endanger the cluster; everything is put back."""

    exit_code = 4


class Guard(Protocol):
    """Raises Tripped or Unsafe."""

    def before(self) -> None:
        """Before a trial."""
        ...

    def heard(self, second: Second) -> None:
        """Every second of load."""
        ...


class ErrorGuard:
    """Too many transactions fail."""

    def __init__(self, most: float = MOST_ERRORS) -> None:
        self._most = most
        self._last: deque[tuple[float, float]] = deque(maxlen=_ERROR_MOMENTS)

    def before(self) -> None:
        """Forget the trial before."""
        self._last.clear()

    def heard(self, second: Second) -> None:
        """Tripped when the last moments were bad together."""
        if second.phase is Phase.DRAIN:
            return
        self._last.append((
            sum(row.errors_per_second for row in second.load), sum(row.transactions_per_second for row in second.load)
        ))  # fmt: skip
        failed, done = (sum(values) for values in zip(*self._last, strict=True))
        if len(self._last) == _ERROR_MOMENTS and failed > self._most * (failed + done):
            raise Tripped(f"{failed / (failed + done):.0%} of the transactions failed")


class DiskGuard:
    """A disk fills up. Only disks of this machine can be watched."""

    def __init__(self, folders: Sequence[str], least_bytes: int = LEAST_FREE_BYTES) -> None:
        self._folders, self._least = tuple(folders), least_bytes

    def before(self) -> None:
        """Unsafe when there is too little room."""
        for folder in self._folders:
            free = shutil.disk_usage(folder).free
            if free < self._least:
                raise Unsafe(
                    f"{free / 2**20:.0f} MiB are free below {folder}, {self._least / 2**20:.0f} are wanted",
                    hint="make room (old binary logs?), then `advisor tune resume` or `advisor tune rollback`",
                )

    def heard(self, second: Second) -> None:
        """The same."""
        self.before()


def local_folders(cluster: ClusterFile) -> list[str]:
    """Folders whose disks are watched: of a lab's members, of their data, and of what we write down ourselves."""
    folders = {os.path.dirname(member.option_file) for member in cluster.members if member.start and member.option_file}
    places = {place for folder in folders for place in (folder, os.path.join(folder, "data"))} | {str(home())}
    return sorted(place for place in places if os.path.isdir(place))
