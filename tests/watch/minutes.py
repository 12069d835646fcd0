"""Rounds of one server that stays up: what tests of recordings begin with."""

from __future__ import annotations

from advisor.collect.member.recording import Recording
from tests.collect.recordings import recorded


def minute(number: int, *, from_its_begin: bool = True) -> Recording:
    """A round of a server that has been up for so many minutes; its times count from its begin, or from the first."""
    recording = recorded()
    offset = 0 if from_its_begin else 60 * number
    recording.samples = [
        (
            at + offset,
            {**values, "Uptime": str(100 + 60 * number + int(at)), "Questions": str(50 * int(60 * number + at))},
        )
        for at, values in recording.samples
    ]
    recording.tables = [(at + offset, tables) for at, tables in recording.tables]
    return recording
