"""How far is a member's clock from ours? The question with the shortest round trip of a few."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from advisor.client import Session
from advisor.collect.member.recording import Clock

_TRIES = 5


def measure_clock(session: Session) -> Clock:
    """The member's UTC against ours: the truth lies within half a round trip of the middle."""
    best = Clock(0.0, float("inf"))
    for _ in range(_TRIES):
        before, wall = time.monotonic(), time.time()
        told = datetime.fromisoformat(str(session.value("SELECT UTC_TIMESTAMP(6)"))).replace(tzinfo=UTC)
        half = (time.monotonic() - before) / 2
        if half < best.within_seconds:
            best = Clock(told.timestamp() - wall - half, half)
    return best
