"""When is the next sample due? Moments at even distances from the first, however long each sample took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator


def ticks(
    every_seconds: float, clock: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep
) -> Iterator[float]:
    """Wait for each moment and give it; the first is now. Moments that passed meanwhile are left out, not made up."""
    first = clock()
    number = 0
    while True:
        due = first + number * every_seconds
        now = clock()
        if due > now:
            wait(due - now)
        yield due
        number = max(number + 1, int((clock() - first) / every_seconds) + 1)
