"""At which times of day may a tuning run go on, and until when?"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

from advisor.errors import UsageError

_HOURS: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)")


class MaintenanceWindow:
    """A maintenance window of every day, "22:00-06:00" in local time; "" is always open."""

    def __init__(self, text: str, now: Callable[[], float] = time.time) -> None:
        self._now = now
        match = _HOURS.fullmatch(text.strip()) if text else None
        if text and not match:
            raise UsageError(f"--between {text!r} is not a time window", hint="--between 22:00-06:00")
        self._span = None if match is None else tuple(int(hour) * 60 + int(minute) for hour, minute in (
            (match[1], match[2]), (match[3], match[4])))  # fmt: skip

    def open_now(self) -> bool:
        """Whether it is open now."""
        if self._span is None:
            return True
        local = time.localtime(self._now())
        at = local.tm_hour * 60 + local.tm_min
        begin, end = self._span
        return begin <= at < end if begin < end else at >= begin or at < end
