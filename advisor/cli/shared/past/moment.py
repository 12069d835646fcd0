"""How is a moment written on the command line? As 2026-11-17 14:00, 14:00 (today), with Z or +01:00, or as now."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from advisor.errors import UsageError
from advisor.model.record import record

_TIME_ALONE: Final = re.compile(r"\d{1,2}:\d{2}(:\d{2})?")
_HINT: Final = "e.g. '2026-11-17 14:00', 14:00 for today, or 2026-11-17T14:00Z"


@record
class TimeSpan:
    """From one epoch time to a later one; 0 to 0 for everything there is."""

    begin_seconds: float
    end_seconds: float


def parse_moment(text: str, option: str) -> float:
    """The epoch time; a moment without a zone is one of this machine's zone. UsageError when it is no moment."""
    words = text.strip()
    now = datetime.now().astimezone()
    if words.lower() == "now":
        return now.timestamp()
    if _TIME_ALONE.fullmatch(words):
        words = f"{now:%Y-%m-%d} {words.zfill(len(words) + (words.index(':') == 1))}"
    try:
        moment = datetime.fromisoformat(words)
        return (moment if moment.tzinfo else moment.astimezone()).timestamp()
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"{option} {text}: not a moment", hint=_HINT) from None
