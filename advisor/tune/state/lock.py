"""Which program tunes a cluster now? One at a time: a lock on a file, which the system releases when it ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.errors import UsageError


@contextmanager
def locked(folder: Path, cluster: str) -> Iterator[None]:
    """Hold the lock of a cluster's folder; UsageError that names the holder when another program does."""
    with open(folder / "lock", "a+", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read().strip() or "another program"
            raise UsageError(
                f"{cluster} is being tuned by {holder}",
                hint="`advisor tune status` shows it, `advisor tune stop` ends it",
            ) from None
        stream.truncate(0)
        stream.write(f"process {os.getpid()}, since {time.strftime('%Y-%m-%d %H:%M:%S')}\n")
        stream.flush()
        yield
        stream.truncate(0)


def lock_holder(folder: Path) -> str:
    """Who holds the lock of a folder ("process 17, since …"), "" when it is free."""
    try:
        with open(folder / "lock", encoding="utf-8") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return stream.read().strip() or "another program"
    except FileNotFoundError:
        pass
    return ""
