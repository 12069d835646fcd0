"""Which epoch time was the watch's 0? All times of a recording are added to it, so it must not waver."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_CLOSE_SECONDS: Final = 0.002  # two readings of the clock with less between them were not held up
_SET_SECONDS: Final = 1.0  # a difference that is larger is a clock that was set


class WallClock:
    """Follows the wall clock; `began` (time.monotonic) is the 0 of the watch's times."""

    def __init__(
        self,
        began: float,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._began, self._wall, self._monotonic = began, wall, monotonic
        self._offset: float | None = None

    def zero_seconds(self) -> float:
        """The epoch time of the watch's 0."""
        before, wall, after = self._monotonic(), self._wall(), self._monotonic()
        measured = wall - (before + after) / 2 + self._began
        close = after - before < _CLOSE_SECONDS
        if self._offset is None or close or abs(measured - self._offset) > _SET_SECONDS:
            self._offset = measured
        return self._offset
