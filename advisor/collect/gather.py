"""How are all members read at once? One thread each, on one clock; what was read is kept however it ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from advisor.collect.member.reader import MemberTarget, Reader, ReadingSchedule
from advisor.collect.member.recording import Recording
from advisor.model.record import record

_LAST_WORDS_SECONDS = 15.0  # after Ctrl-C, to finish the current statement and read the end of the interval


@record
class Gathered:
    """What was read of every member, in the order of the targets. `began` (UTC) is the 0 of all times."""

    began: datetime
    schedule: ReadingSchedule
    recordings: tuple[Recording, ...]
    interrupted: bool = False


def gather(targets: Sequence[MemberTarget], schedule: ReadingSchedule) -> Gathered:
    """Read all members over the interval. Ctrl-C ends the interval early; a second one reaches the caller."""
    stop = threading.Event()
    began, wall = time.monotonic(), datetime.now(UTC)
    readers = [Reader(target, schedule, began, stop) for target in targets]
    threads = [threading.Thread(target=reader.run, name=f"read {reader.recording.name}", daemon=True)
               for reader in readers]  # fmt: skip
    for thread in threads:
        thread.start()
    interrupted = False
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        interrupted = True
        stop.set()
        until = time.monotonic() + _LAST_WORDS_SECONDS
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
    return Gathered(wall, schedule, tuple(reader.recording for reader in readers), interrupted)
