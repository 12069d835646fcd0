"""What ends a trial, or the whole tuning run, at once? Checked before every trial and every second of it."""

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

MOST_ERRORS: Final = 0.2  # of the transactions of ten seconds: the configuration is unusable
LEAST_FREE_BYTES: Final = 1 << 30  # more than the binary logs of a trial take; a server with a full disk stops
FULL_BYTES: Final = 16 << 20  # a server without room for its binary log hangs and does not answer
START_FREE_BYTES: Final = 256 << 20  # temporary tablespaces, redo and log files of a server that starts
_ERROR_SECONDS: Final = 10


class Tripped(AdvisorError):
    """A configuration does unacceptable harm; the trial ends, the study continues."""

    exit_code = 4


class Unsafe(AdvisorError):
    """Continuing would endanger the cluster; everything is restored."""

    exit_code = 4


class Guard(Protocol):
    """Raises Tripped or Unsafe."""

    def before(self) -> None:
        """Before a trial."""
        ...

    def check_second(self, second: Second) -> None:
        """Every second of load."""
        ...


class ErrorGuard:
    """Too many transactions fail."""

    def __init__(self, most: float = MOST_ERRORS) -> None:
        self._most = most
        self._last: deque[tuple[float, float]] = deque(maxlen=_ERROR_SECONDS)

    def before(self) -> None:
        """Forget the trial before."""
        self._last.clear()

    def check_second(self, second: Second) -> None:
        """Tripped when too many failed in the last ten seconds together."""
        if second.phase is Phase.DRAIN:
            return
        self._last.append((
            sum(row.errors_per_second for row in second.load), sum(row.transactions_per_second for row in second.load)
        ))  # fmt: skip
        failed, done = (sum(values) for values in zip(*self._last, strict=True))
        if len(self._last) == _ERROR_SECONDS and failed > self._most * (failed + done):
            raise Tripped(f"{failed / (failed + done):.0%} of the transactions failed")


class DiskGuard:
    """A disk fills up. Only disks of this machine can be checked."""

    def __init__(self, folders: Sequence[str], least_bytes: int = LEAST_FREE_BYTES) -> None:
        self._folders, self._least = tuple(folders), least_bytes

    def before(self) -> None:
        """Unsafe when there is too little room."""
        for folder in self._folders:
            free = shutil.disk_usage(folder).free
            if free < self._least:
                raise Unsafe(
                    f"{folder} has {free / 2**20:.0f} MiB free, but {self._least / 2**20:.0f} MiB are needed",
                    hint="free some space (old binary logs?), then `advisor tune resume` or `advisor tune rollback`",
                )

    def check_second(self, second: Second) -> None:
        """The same."""
        self.before()


def local_folders(cluster: ClusterFile) -> list[str]:
    """Folders whose disks are checked: those of a lab's members, of their data, and of the studies."""
    folders = {os.path.dirname(member.option_file) for member in cluster.members if member.start and member.option_file}
    places = {place for folder in folders for place in (folder, os.path.join(folder, "data"))} | {str(home())}
    return sorted(place for place in places if os.path.isdir(place))
